import type { DatabaseState } from "../../../lib/database-state.ts";
import { BEGINNING, type Position } from "./position.ts";

/** A payload that is in no file, since the disk did not take it. */
export interface DirectItem {
  /** Greater for later ones. */
  readonly sequence: number;
  readonly payload: Uint8Array;
}

/** The counters of a drain since its start. */
export interface DrainReport {
  /** Everything before it is written, or was put aside. */
  readonly through: Position;
  /** Direct items up to this one are written, or were put aside. */
  readonly directThrough: number;
  /** Inferences that were written; those that were already there too. */
  readonly written: number;
  /** Transactions that failed and were tried again. */
  readonly failedWrites: number;
  /** Entries that the database refused for good, and that were put aside. */
  readonly rejected: number;
  /** Bytes of the spool that belonged to no whole entry. */
  readonly brokenBytes: number;
  /** True if the database takes writes at the moment, or why it does not. */
  readonly database: DatabaseState;
}

/** The counters of a new drain. */
export const NOTHING_DRAINED: DrainReport = {
  through: BEGINNING,
  directThrough: 0,
  written: 0,
  failedWrites: 0,
  rejected: 0,
  brokenBytes: 0,
  database: "ok",
};

/** Writes what is in the spool to the database, here or in a thread of its own. */
export interface Drain {
  /** The spool goes up to `end`. */
  announce(end: Position): void;
  /** There is something that is not in the spool. */
  take(items: readonly DirectItem[]): void;
  /** Ends once the write under way is over, or at once where it takes too long. */
  close(): Promise<void>;
}
