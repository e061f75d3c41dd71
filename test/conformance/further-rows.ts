import { COUNTING } from "./counting.ts";
import { byKey, INBOUND, type Inbound, UPSTREAM_KINDS, type UpstreamKind } from "./topic.ts";

/** A row of the matrix whose cases are of another shape than a topic's. */
export interface MatrixRow {
  readonly name: string;
  readonly cells: Readonly<Record<Inbound, Readonly<Record<UpstreamKind, string>>>>;
}

function row(name: string, cell: (inbound: Inbound, kind: UpstreamKind) => string): MatrixRow {
  return { name, cells: byKey(INBOUND, (inbound) => byKey(UPSTREAM_KINDS, (kind) => cell(inbound, kind))) };
}

/** What is asked for besides one answer: test/conformance/further-routes.test.ts runs the cases. */
export const FURTHER_ROWS: readonly MatrixRow[] = [
  row("tokens of a prompt, counted", (inbound, kind) => COUNTING[inbound]?.routes[kind].how ?? "–"),
  row("threads, begun and gone on with", (inbound) => (inbound === "messages" ? "works" : "–")),
];
