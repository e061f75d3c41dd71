import type { DirectItem, DrainReport } from "./drain.ts";
import type { Position } from "./position.ts";

/** What the thread begins with. */
export interface DrainThreadData {
  readonly databaseUrl: string;
  readonly namesPerProject: number;
  readonly folder: string;
  readonly from: Position;
  readonly batchSize: number | undefined;
  /** A write that takes longer ends the thread. */
  readonly writeTimeoutMs: number;
}

/** What the thread is told. */
export type DrainCommand =
  | { readonly kind: "announce"; readonly end: Position }
  | { readonly kind: "take"; readonly items: readonly DirectItem[] }
  | { readonly kind: "close" };

/** What the thread tells. */
export type DrainNews =
  | { readonly kind: "report"; readonly report: DrainReport }
  | { readonly kind: "log"; readonly level: "warn" | "error"; readonly facts: object; readonly message: string };
