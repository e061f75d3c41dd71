import type { Recorder } from "../../../inference/ports.ts";
import type { DatabaseState } from "../../../lib/database-state.ts";
import type { FeedbackEntryRow } from "../../entities/feedback-entry.ts";
import type { PendingInferences } from "../../types/pending-inference.ts";

/** The counters of the recorder. */
export interface RecorderStats {
  /** Inferences that wait. */
  readonly queued: number;
  /** Bytes that wait on the disk, also those that other processes left. */
  readonly spoolBytes: number;
  /** Entries that wait in memory, since the disk did not take them: they are lost if the process is killed. */
  readonly unspooled: number;
  readonly written: number;
  /** Records that were lost. */
  readonly dropped: number;
  /** Records that lost their bodies. */
  readonly droppedBodies: number;
  /** Transactions that failed and were tried again. */
  readonly failedWrites: number;
  /** Entries that the database refused for good, and that were put aside. */
  readonly rejected: number;
  /** Bytes of the spool that belonged to no whole entry. */
  readonly brokenBytes: number;
  /** True if the database takes records at the moment, or why it does not. */
  readonly database: DatabaseState;
}

/** A recorder that writes to the database behind the requests. */
export interface StoreRecorder extends Recorder, PendingInferences {
  /** True if new work may begin: false while there is no room to record it. */
  readonly accepting: boolean;
  /**
   * Takes the feedback entries of one call; once this returns true they outlive the process. False if there is no room.
   */
  offerFeedback(rows: readonly FeedbackEntryRow[]): boolean;
  /** Folder of the spool of this process. */
  readonly folder: string;
  /** Takes over what processes that have ended left in their spools. That is done now and then anyway. */
  adopt(): void;
  /** Writes what waits, for a limited time; what is then left stays in the spool for the next process. */
  close(): Promise<void>;
  stats(): RecorderStats;
}
