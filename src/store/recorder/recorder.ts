import type { Recorder } from "../../inference/ports.ts";
import type { Log } from "../log.ts";
import type { Store } from "../store.ts";
import { WriteBehindRecorder } from "./write-behind-recorder.ts";
import { type PendingRow, writeNothing, writeRecords } from "./write-records.ts";

/** How records are kept until they are written. */
export interface RecorderOptions {
  readonly log?: Log;
  /** Records that wait with their bodies; further ones wait without, and eight times as many are dropped. */
  readonly maxQueued?: number;
  /** Longest time that a record waits for others to be written with it. */
  readonly flushIntervalMs?: number;
  /** Most records of one transaction, 1 to 1000. On SQLite a transaction holds up the event loop. */
  readonly batchSize?: number;
  /** How long close() waits for the database. */
  readonly closeTimeoutMs?: number;
}

/** What the recorder has done so far. */
export interface RecorderStats {
  /** Records that wait. */
  readonly queued: number;
  readonly written: number;
  /** Records that were lost. */
  readonly dropped: number;
  /** Records that lost their bodies. */
  readonly droppedBodies: number;
  /** Transactions that failed and were tried again. */
  readonly failedWrites: number;
}

/** A recorder that writes to the database behind the requests. */
export interface StoreRecorder extends Recorder {
  /** Finds a record that is not yet in the database. */
  find(id: string): { readonly projectId: string } | undefined;
  /** Finds the row of such a record, with its bodies if they are kept. */
  pending(id: string): PendingRow | undefined;
  /** Resolves once what waits now is written; while the database is away, that may take long. */
  flush(): Promise<void>;
  /** Writes what waits, for a limited time; what is then left is lost, counted and logged. */
  close(): Promise<void>;
  stats(): RecorderStats;
}

/** Creates a recorder on a database. */
export function createRecorder(store: Store, options: RecorderOptions = {}): StoreRecorder {
  const sink = {
    write: (batch: readonly PendingRow[]) => writeRecords(store, batch),
    probe: () => writeNothing(store),
  };
  return new WriteBehindRecorder(sink, options);
}
