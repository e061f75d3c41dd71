import type { Engine } from "../../types/store.ts";
import type { DirectItem } from "./drain.ts";
import type { DrainCommand, DrainNews } from "./drain-messages.ts";

/** A request to the process that drains another one's spool: a command to its thread, as JSON. */
export type DrainRequest =
  | Extract<DrainCommand, { readonly kind: "announce" | "close" }>
  | ({ readonly folder: string; readonly kind: "open" } & DrainTarget)
  | { readonly folder: string; readonly kind: "take"; readonly items: readonly EncodedItem[] };

/** The target of records. */
export interface DrainTarget {
  readonly engine: Engine;
  readonly databaseUrl: string;
  /** Names that the figures of a project tell apart. */
  readonly namesPerProject: number;
  readonly batchSize?: number | undefined;
}

/** A payload that is in no file, in base64. */
interface EncodedItem {
  readonly sequence: number;
  readonly payload: string;
}

/** The reply of that process; the log of its thread stays there. */
export type DrainReply = Exclude<DrainNews, { readonly kind: "log" }>;

/** The way to that process and back. */
export interface DrainChannel {
  send(request: DrainRequest): void;
  /** Sets what is told of replies. */
  onReply(listen: (reply: DrainReply) => void): void;
}

/** A process that is drained for. */
export interface DrainGuest {
  /** Nothing comes of it where the process has ended. */
  reply(reply: DrainReply): void;
}

/** Puts what is in no file into JSON. */
export function encodeItem({ sequence, payload }: DirectItem): EncodedItem {
  return { sequence, payload: Buffer.from(payload.buffer, payload.byteOffset, payload.length).toString("base64") };
}

/** Returns what encodeItem() was given. */
export function decodeItem({ sequence, payload }: EncodedItem): DirectItem {
  return { sequence, payload: Buffer.from(payload, "base64") };
}
