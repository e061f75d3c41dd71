import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import type { InferenceRecord } from "../../inference/ports.ts";
import { type Log, SILENT_LOG } from "../log.ts";
import { type QueuedRecord, RecordQueue } from "./record-queue.ts";
import type { RecorderOptions, RecorderStats, StoreRecorder } from "./recorder.ts";
import type { PendingRow } from "./write-records.ts";

/** The database as the recorder sees it. */
export interface RecordSink {
  /** Writes a batch whole or not at all; resolves to the ids whose bodies cannot be encoded. */
  write(batch: readonly PendingRow[]): Promise<readonly string[]>;
  /** Rejects if nothing can be written at the moment. */
  probe(): Promise<void>;
}

const DEFAULTS = { maxQueued: 10_000, flushIntervalMs: 100, batchSize: 64, closeTimeoutMs: 10_000 };
const MAX_BATCH = 1000;
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 5000;
/** After so many strikes the record itself is at fault. */
const MAX_STRIKES = 3;
const LOG_PERIOD_MS = 10_000;
const LAST_MOMENT_MS = 1000;

/**
 * Writes records in batches behind the requests. A batch that fails is tried again, smaller each time, so that one record
 * which the database refuses is soon alone: it then steps behind the others, and is dropped once it has failed several
 * times while the database took something else. While nothing can be written, nothing is dropped for that reason.
 */
export class WriteBehindRecorder implements StoreRecorder {
  readonly #sink: RecordSink;
  readonly #options: typeof DEFAULTS & { log: Log };
  readonly #queue: RecordQueue;
  readonly #closing = new AbortController();
  readonly #counts = { written: 0, dropped: 0, droppedBodies: 0, failedWrites: 0 };
  #batchSize: number;
  #timer: NodeJS.Timeout | undefined;
  #draining: Promise<void> | undefined;
  #failuresInRow = 0;
  #complainedAtMs = Number.NEGATIVE_INFINITY;

  constructor(sink: RecordSink, options: RecorderOptions = {}) {
    this.#sink = sink;
    this.#options = { ...DEFAULTS, log: SILENT_LOG, ...options };
    this.#queue = new RecordQueue(this.#options.maxQueued);
    this.#batchSize = this.#largestBatch;
  }

  offer(record: InferenceRecord): void {
    try {
      const admission = this.#closing.signal.aborted ? "dropped" : this.#queue.offer(record);
      if (admission === "dropped") this.#counts.dropped += 1;
      if (admission === "kept-without-body") this.#counts.droppedBodies += 1;
      if (admission !== "kept") this.#complain(undefined, "records wait for the database beyond the bound");
      this.#schedule();
    } catch (error) {
      this.#counts.dropped += 1;
      this.#complain(error, "a record cannot be made into a row");
    }
  }

  find(id: string): { readonly projectId: string } | undefined {
    return this.#queue.find(id)?.row;
  }

  pending(id: string): PendingRow | undefined {
    return this.#queue.find(id);
  }

  stats(): RecorderStats {
    return { queued: this.#queue.size, ...this.#counts };
  }

  async flush(): Promise<void> {
    await this.#draining;
    await this.#drain();
  }

  async close(): Promise<void> {
    await this.#within(this.#options.closeTimeoutMs, this.#drainAll());
    this.#closing.abort();
    clearTimeout(this.#timer);
    // The backoff ends at once; a write that the database holds up is given a last moment.
    await this.#within(LAST_MOMENT_MS, this.#draining ?? Promise.resolve());
    if (this.#queue.size === 0) return;
    this.#counts.dropped += this.#queue.size;
    this.#options.log.error(this.stats(), "the waiting records are lost: the database did not take them in time");
    this.#queue.remove(this.#queue.oldest(this.#queue.size));
  }

  async #drainAll(): Promise<void> {
    while (this.#queue.size > 0 && !this.#closing.signal.aborted) await this.flush();
  }

  async #within(timeoutMs: number, work: Promise<void>): Promise<void> {
    const ended = new AbortController();
    const timeout = delay(timeoutMs, undefined, { signal: ended.signal }).catch(() => {});
    await Promise.race([work, timeout]).finally(() => ended.abort());
  }

  get #largestBatch(): number {
    return Math.min(Math.max(1, this.#options.batchSize), MAX_BATCH);
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#draining !== undefined) return;
    const isBatchFull = this.#queue.size >= this.#largestBatch;
    this.#timer = setTimeout(() => void this.#drain(), isBatchFull ? 0 : this.#options.flushIntervalMs);
  }

  /** Writes what waits now; one such run at a time. What comes meanwhile waits to be written together. */
  #drain(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#draining ??= this.#writeDue().finally(() => {
      this.#draining = undefined;
      if (this.#queue.size > 0 && !this.#closing.signal.aborted) this.#schedule();
    });
    return this.#draining;
  }

  async #writeDue(): Promise<void> {
    for (let due = this.#queue.size; due > 0 && !this.#closing.signal.aborted; ) {
      const batch = this.#queue.oldest(Math.min(due, this.#batchSize));
      try {
        this.#onWritten(batch, await this.#sink.write(batch));
        due -= batch.length;
        // SQLite answers without leaving this turn: the requests must have theirs.
        await nextTurn();
      } catch (error) {
        await this.#onFailed(batch, error);
        due = Math.min(due, this.#queue.size);
        await this.#backOff();
      }
    }
  }

  #onWritten(batch: readonly QueuedRecord[], broken: readonly string[]): void {
    this.#queue.remove(batch);
    this.#counts.written += batch.length;
    this.#counts.droppedBodies += broken.length;
    if (broken.length > 0) this.#complain(undefined, `the bodies of ${broken.join(", ")} cannot be encoded`);
    this.#failuresInRow = 0;
    this.#batchSize = Math.min(this.#batchSize * 2, this.#largestBatch);
  }

  async #onFailed(batch: readonly QueuedRecord[], error: unknown): Promise<void> {
    this.#counts.failedWrites += 1;
    this.#failuresInRow += 1;
    this.#batchSize = Math.max(1, Math.floor(batch.length / 2));
    this.#complain(error, "cannot write inferences to the database; they are kept and tried again");
    const [alone] = batch;
    if (batch.length === 1 && alone !== undefined) await this.#strike(alone, error);
  }

  /** A failure counts against the record only if the database takes something else. */
  async #strike(record: QueuedRecord, error: unknown): Promise<void> {
    const canWrite = await this.#sink.probe().then(
      () => true,
      () => false,
    );
    if (canWrite) record.strikes += 1;
    if (record.strikes < MAX_STRIKES) {
      this.#queue.moveToEnd(record);
      return;
    }
    this.#queue.remove([record]);
    this.#counts.dropped += 1;
    const facts = { err: error, inferenceId: record.row.id };
    this.#options.log.error(facts, "the database refuses a record for good: it is dropped");
  }

  async #backOff(): Promise<void> {
    const longest = Math.min(FIRST_BACKOFF_MS * 2 ** (this.#failuresInRow - 1), LONGEST_BACKOFF_MS);
    const wait = longest * (0.5 + Math.random() / 2);
    await delay(wait, undefined, { signal: this.#closing.signal }).catch(() => {});
  }

  /** Logs at most once in a period, whatever the reason: the counts tell the rest. */
  #complain(error: unknown, message: string): void {
    const now = performance.now();
    if (now - this.#complainedAtMs < LOG_PERIOD_MS) return;
    this.#complainedAtMs = now;
    this.#options.log.error({ err: error, ...this.stats() }, message);
  }
}
