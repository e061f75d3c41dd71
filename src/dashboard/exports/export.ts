import type { DashboardContext } from "../access/context.ts";
import type { Procedures } from "../router.ts";

/** A procedure that plans an export: it checks the input, and refuses who may not ask. */
type Planner = (input: never) => Promise<unknown>;

/** Content types of exports by their format. */
export const EXPORT_TYPES = { jsonl: "application/jsonl; charset=utf-8", csv: "text/csv; charset=utf-8" } as const;

/** A file that people download, written as fast as it is taken. */
export interface Export<Plan extends Planner> {
  readonly planner: (procedures: Procedures) => Plan;
  /** Returns the content of the file in a word or two, and its format. */
  readonly file: (plan: Awaited<ReturnType<Plan>>) => {
    readonly name: string;
    readonly format: keyof typeof EXPORT_TYPES;
  };
  /** Yields the file in pieces, until the signal says that nobody takes it any more. */
  readonly lines: (
    plan: Awaited<ReturnType<Plan>>,
    context: Pick<DashboardContext, "store" | "contents">,
    signal: AbortSignal,
  ) => AsyncIterable<string | Uint8Array>;
}
