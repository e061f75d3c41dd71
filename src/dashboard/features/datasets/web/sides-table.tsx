import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { formatLatency, formatNumber, formatShortCost, NONE } from "../../../web/parts/format.ts";
import { Name } from "../../../web/parts/name.tsx";
import type { Totals } from "./run.ts";

type Side = Totals["sides"][number] & { readonly model: string };

const TABLE: TableDescription<Side> = {
  caption: "Totals by model",
  rowKey: ({ model }) => model,
  columns: [
    { heading: "Model", cell: ({ model }) => <Name>{model}</Name> },
    { heading: "Answered", isNumeric: true, cell: ({ answered }) => formatNumber(answered) },
    { heading: "Failed", isNumeric: true, isMinor: true, cell: ({ failed }) => formatNumber(failed) },
    { heading: "Passed checks", isNumeric: true, cell: ({ passed, answered }) => share(passed, answered) },
    { heading: "Judge satisfied", isNumeric: true, cell: ({ good, graded }) => share(good, graded) },
    { heading: "Cost", isNumeric: true, cell: ({ costNanos }) => formatShortCost(costNanos) },
    { heading: "Latency, median", isNumeric: true, isMinor: true, cell: ({ medianMs }) => formatLatency(medianMs) },
    { heading: "p95", isNumeric: true, isMinor: true, cell: ({ p95Ms }) => formatLatency(p95Ms) },
  ],
};

interface Props {
  readonly models: readonly [string, string];
  readonly totals: Totals;
}

/** The totals of both models of a run. */
export function SidesTable({ models, totals: { sides } }: Props) {
  const rows = sides.map((side, at) => ({ ...side, model: models[at] ?? "" }));
  return <DataTable table={TABLE} rows={rows} />;
}

function share(part: number, whole: number): string {
  return whole === 0 ? NONE : `${formatNumber(part)} of ${formatNumber(whole)}`;
}
