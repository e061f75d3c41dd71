import type { DirectItem, DrainReport } from "./drain.ts";
import type { Position } from "./position.ts";

/** The data that the thread starts with. */
export interface DrainThreadData {
  readonly databaseUrl: string;
  readonly namesPerProject: number;
  readonly batchSize: number | undefined;
  /** A write that takes longer ends the thread. */
  readonly writeTimeoutMs: number;
}

/** A command to the thread about a folder. */
export type DrainCommand = { readonly folder: string } & (
  | { readonly kind: "open"; readonly from: Position }
  | { readonly kind: "announce"; readonly end: Position }
  | { readonly kind: "take"; readonly items: readonly DirectItem[] }
  | { readonly kind: "close" }
);

/** Said once no folder is left: the thread closes its connections and ends. */
export interface DrainEnd {
  readonly kind: "end";
}

/** A message from the thread. */
export type DrainNews =
  | { readonly kind: "report"; readonly folder: string; readonly report: DrainReport }
  /** Nothing of the folder is written any more. */
  | { readonly kind: "closed"; readonly folder: string }
  | { readonly kind: "log"; readonly level: "warn" | "error"; readonly facts: object; readonly message: string };
