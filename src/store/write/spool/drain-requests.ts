import type { Engine } from "../../types/store.ts";
import type { DrainReport } from "./drain.ts";
import type { Position } from "./position.ts";

/** What a process asks of the one that drains its spool for it. All of it is JSON. */
export type DrainRequest = { readonly folder: string } & (
  | ({ readonly kind: "open" } & DrainTarget)
  | { readonly kind: "announce"; readonly end: Position }
  | { readonly kind: "take"; readonly items: readonly EncodedItem[] }
  | { readonly kind: "close" }
);

/** Where records are written. */
export interface DrainTarget {
  readonly engine: Engine;
  readonly databaseUrl: string;
  /** Names that the figures of a project tell apart. */
  readonly namesPerProject: number;
  readonly batchSize?: number | undefined;
}

/** A payload that is in no file, in base64. */
export interface EncodedItem {
  readonly sequence: number;
  readonly payload: string;
}

/** What that process answers. */
export type DrainReply = { readonly folder: string } & (
  | { readonly kind: "report"; readonly report: DrainReport }
  | { readonly kind: "closed" }
);

/** The way to that process and back. */
export interface DrainChannel {
  send(request: DrainRequest): void;
  /** Sets what is told of replies. */
  onReply(listen: (reply: DrainReply) => void): void;
}
