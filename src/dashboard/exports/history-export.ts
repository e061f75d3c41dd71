import { exportInferences, exportRows } from "../../store/dashboard/export-inferences.ts";
import { exportCsv } from "../history/export-csv.ts";
import { exportLine } from "../history/export-line.ts";
import type { Procedures } from "../router.ts";
import type { Export } from "./export.ts";

/** Requests of a project, the newest first. */
export const historyExport: Export<Procedures["history"]["exportPlan"]> = {
  planner: (procedures) => procedures.history.exportPlan,
  file: ({ format }) => ({ name: "requests", format }),
  async *lines({ query, format }, { store: { reads }, contents }, signal) {
    if (format === "csv") return yield* exportCsv(exportRows(reads, query, signal));
    for await (const inference of exportInferences(reads, query, signal)) yield* exportLine(inference, contents);
  },
};
