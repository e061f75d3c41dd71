import type { InferenceRecord } from "../../../inference/ports.ts";
import { type BodyPolicy, DEFAULT_BODY_POLICY } from "../../bodies/body-policy.ts";
import type { FeedbackEntryRow } from "../../entities/feedback-entry.ts";
import { decodeMessages } from "../../types/inference-body.ts";
import type { Log } from "../../types/log.ts";
import type { PendingFacts, PendingInference } from "../../types/pending-inference.ts";
import type { InferenceWrite } from "../../types/record-batch.ts";
import type { Drain, DrainReport } from "../spool/drain.ts";
import { decodeEntry, encodeFeedback, encodeInference } from "../spool/entry.ts";
import { Overflow } from "../spool/overflow.ts";
import { PendingIndex } from "../spool/pending-index.ts";
import { isReached, type Position } from "../spool/position.ts";
import type { Spool } from "../spool/spool.ts";
import { recordToWrite } from "./record-to-write.ts";
import type { RecorderStats, StoreRecorder } from "./store-recorder.ts";

/** The options of a spool recorder. */
interface SpoolRecorderOptions {
  readonly spool: Spool;
  readonly startDrain: (onReport: (report: DrainReport) => void) => Drain;
  readonly log: Log;
  readonly maxBytes: number;
  readonly whenFull: "shed" | "refuse";
  /** Returns how long an entry that comes now waits for others to be written with it. */
  readonly flushDelayMs: () => number;
  readonly closeTimeoutMs: number;
  readonly onClosed: () => void;
  /** Returns the body policy of a project; absent: everything is kept. */
  readonly bodiesOf?: (projectId: string) => BodyPolicy;
}

/** Someone who waits for what was offered so far to be written. */
interface Waiter {
  readonly end: Position;
  readonly sequence: number;
  readonly wake: () => void;
}

/**
 * Beyond the bound there is so much room, as a part of it, for inferences that were under way, and for facts without
 * bodies.
 */
const RESERVE = 0.25;
/** After the disk failed, new work is refused for so long before one more is tried. */
const DISK_FAILED_MS = 1000;
const SYNC_INTERVAL_MS = 1000;
const ADOPT_INTERVAL_MS = 15_000;
const LOG_PERIOD_MS = 10_000;

/** Puts records into the spool, and has a drain write them to the database. */
export class SpoolRecorder implements StoreRecorder {
  readonly #options: SpoolRecorderOptions;
  readonly #spool: Spool;
  readonly #drain: Drain;
  readonly #pending = new PendingIndex();
  readonly #overflow = new Overflow();
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #counts = { dropped: 0, droppedBodies: 0 };
  #report: DrainReport | undefined;
  #waiters: Waiter[] = [];
  #announcing: NodeJS.Timeout | undefined;
  #diskFailedAtMs = Number.NEGATIVE_INFINITY;
  #complainedAtMs = Number.NEGATIVE_INFINITY;
  /** Set once no new work is taken. */
  #isClosed = false;
  /** Set once the spool is given up: what comes later is lost. */
  #isEnded = false;
  #closing: Promise<void> | undefined;

  constructor(options: SpoolRecorderOptions) {
    this.#options = options;
    this.#spool = options.spool;
    this.#drain = options.startDrain((report) => this.#onReport(report));
    this.#adopt(() => this.#spool.adopt() + this.#spool.adoptRejected());
    this.#timers = [
      setInterval(() => this.#spool.sync(), SYNC_INTERVAL_MS).unref(),
      setInterval(() => this.adopt(), ADOPT_INTERVAL_MS).unref(),
    ];
  }

  get accepting(): boolean {
    const { maxBytes, whenFull } = this.#options;
    if (this.#isClosed || this.#overflow.isFull) return false;
    const bound = whenFull === "refuse" ? maxBytes : maxBytes * (1 + RESERVE);
    if (this.#spool.backlogBytes >= bound) return false;
    return whenFull === "shed" || performance.now() - this.#diskFailedAtMs > DISK_FAILED_MS;
  }

  offer(record: InferenceRecord): void {
    try {
      if (this.#isEnded) throw new Error("the recorder is closed");
      const write = this.#encode(record);
      if (this.#sheds && write.request !== undefined) this.#shed(write, write.row);
      else this.#keep(write);
      this.#announceSoon();
    } catch (error) {
      this.#counts.dropped += 1;
      this.#complain(error, "a record is lost");
    }
  }

  offerProvisional(make: () => InferenceRecord): void {
    try {
      const record = make();
      const { request, response, words, ...facts } = this.#encode(record);
      const bodies = this.#sheds ? { request: undefined, response: undefined } : { request, response, words };
      this.#spool.putProvisional(record.id, encodeInference({ ...facts, ...bodies }));
    } catch (error) {
      this.#complain(error, "what an inference under way has cost is lost if this process is killed");
    }
  }

  offerFeedback(rows: readonly FeedbackEntryRow[]): boolean {
    if (this.#isClosed || this.#spool.backlogBytes >= this.#options.maxBytes * (1 + RESERVE)) return false;
    try {
      this.#spool.append(encodeFeedback(rows));
    } catch (error) {
      this.#onDiskFailure(error);
      return false;
    }
    this.#announceSoon();
    return true;
  }

  find(id: string): PendingFacts | undefined {
    return this.#pending.find(id);
  }

  pending(id: string): PendingInference | undefined {
    const place = this.#pending.find(id)?.place;
    if (place === undefined) return undefined;
    const payload = "payload" in place ? Buffer.from(place.payload) : this.#spool.read(place);
    const entry = decodeEntry(payload);
    if (entry.kind !== "inference") return undefined;
    const { row, request, response } = entry.inference;
    const content = request && response ? decodeMessages(request, response) : undefined;
    return { row, content };
  }

  stats(): RecorderStats {
    return {
      queued: this.#pending.size,
      spoolBytes: this.#spool.backlogBytes,
      unspooled: this.#overflow.size,
      written: this.#report?.written ?? 0,
      failedWrites: this.#report?.failedWrites ?? 0,
      rejected: this.#report?.rejected ?? 0,
      brokenBytes: this.#report?.brokenBytes ?? 0,
      database: this.#report?.database ?? "ok",
      ...this.#counts,
    };
  }

  get folder(): string {
    return this.#spool.path;
  }

  adopt(): void {
    if (!this.#isClosed) this.#adopt(() => this.#spool.adopt());
  }

  async flush(limitMs?: number): Promise<void> {
    this.#announce();
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter = { end: this.#spool.end, sequence: this.#overflow.lastSequence, wake: resolve };
    this.#waiters.push(waiter);
    this.#wakeWaiters();
    if (limitMs === undefined) return await promise;
    const giveUp = () => {
      this.#waiters = this.#waiters.filter((other) => other !== waiter);
      resolve();
    };
    const timer = setTimeout(giveUp, limitMs).unref();
    await promise.finally(() => clearTimeout(timer));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.flush(this.#options.closeTimeoutMs);
    this.#isClosed = true;
    clearTimeout(this.#announcing);
    await this.#drain.close();
    if (this.#overflow.size > 0) {
      this.#counts.dropped += this.#overflow.size;
      this.#options.log.error(this.stats(), "records in memory are lost: neither disk nor database accepted them");
    }
    if (!this.#spool.isEmpty) {
      this.#options.log.warn(this.stats(), "records stay in the spool: the next process on this folder writes them");
    }
    this.#isEnded = true;
    await this.#spool.close();
    this.#options.onClosed();
  }

  #encode(record: InferenceRecord): InferenceWrite {
    const policy = this.#options.bodiesOf?.(record.projectId) ?? DEFAULT_BODY_POLICY;
    return recordToWrite(record, policy, (error) => {
      this.#counts.droppedBodies += 1;
      this.#complain(error, `the bodies of ${record.id} cannot be encoded`);
    });
  }

  get #sheds(): boolean {
    return this.#options.whenFull === "shed" && this.#spool.backlogBytes >= this.#options.maxBytes;
  }

  #keep(write: InferenceWrite): void {
    try {
      this.#append(write);
    } catch (error) {
      this.#onDiskFailure(error);
      this.#hold(write);
    }
  }

  /** Keeps the facts of an inference without its bodies. */
  #shed({ row, attempts }: InferenceWrite, facts: PendingFacts): void {
    this.#counts.droppedBodies += 1;
    this.#complain(undefined, `the spool is full: the bodies of ${facts.model} and others are not kept`);
    this.#keep({ row, attempts, request: undefined, response: undefined });
  }

  #append(write: InferenceWrite): void {
    const place = this.#spool.append(encodeInference(write));
    this.#pending.addSpooled(write.row.id, write.row, place);
    this.#spool.dropProvisional(write.row.id);
  }

  /** Keeps in memory what the disk does not take. */
  #hold(write: InferenceWrite): void {
    const item = this.#overflow.add(Buffer.concat(encodeInference(write)));
    if (item === undefined) {
      this.#counts.dropped += 1;
      return;
    }
    this.#pending.addDirect(write.row.id, write.row, item);
    this.#drain.take([item]);
  }

  #onDiskFailure(error: unknown): void {
    this.#diskFailedAtMs = performance.now();
    this.#complain(
      error,
      "the disk doesn't accept records: they wait in memory, and are lost if this process is killed",
    );
  }

  #announceSoon(): void {
    this.#announcing ??= setTimeout(() => this.#announce(), this.#options.flushDelayMs());
  }

  #announce(): void {
    clearTimeout(this.#announcing);
    this.#announcing = undefined;
    this.#drain.announce(this.#spool.end);
  }

  #onReport(report: DrainReport): void {
    this.#report = report;
    this.#spool.settle(report.through);
    this.#overflow.settle(report.directThrough);
    for (const id of this.#pending.settle(report.through, report.directThrough)) this.#spool.dropProvisional(id);
    this.#wakeWaiters();
  }

  #wakeWaiters(): void {
    const report = this.#report;
    if (report === undefined || this.#waiters.length === 0) return;
    this.#waiters = this.#waiters.filter(({ end, sequence, wake }) => {
      const isDone = isReached(end, report.through) && sequence <= report.directThrough;
      if (isDone) wake();
      return !isDone;
    });
  }

  #adopt(adopt: () => number): void {
    try {
      const bytes = adopt();
      if (bytes === 0) return;
      this.#options.log.warn({ bytes }, "took over records of processes that have ended");
      this.#announce();
    } catch (error) {
      this.#complain(error, "the spool of ended processes cannot be taken over");
    }
  }

  /** Logs at most once in a period, whatever the reason: the counts tell the rest. */
  #complain(error: unknown, message: string): void {
    const now = performance.now();
    if (now - this.#complainedAtMs < LOG_PERIOD_MS) return;
    this.#complainedAtMs = now;
    this.#options.log.error({ err: error, ...this.stats() }, message);
  }
}
