import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { type DatabaseState, stateByError } from "../../../lib/database-state.ts";
import type { Log } from "../../types/log.ts";
import type { RecordBatch } from "../../types/record-batch.ts";
import type { DirectItem, Drain, DrainReport } from "./drain.ts";
import { decodeEntry, readEntryIds, type SpoolEntry } from "./entry.ts";
import { BEGINNING, type Position } from "./position.ts";
import { putAside } from "./rejected.ts";
import { SpoolReader } from "./spool-reader.ts";

/** The database as a drain sees it. */
export interface DrainSink {
  /** Writes a batch whole or not at all; what is already there stays as it is. */
  write(batch: RecordBatch): Promise<void>;
  /** Rejects if nothing can be written at the moment. */
  probe(): Promise<void>;
  /** Tells whether a write failed because of what was written, so that it would fail again. */
  isDataFault(error: unknown): boolean;
}

/** The options of a drain. */
interface DrainerOptions {
  /** Folder of the segments. */
  readonly folder: string;
  /** The position up to which the spool was written before. */
  readonly from?: Position | undefined;
  readonly sink: DrainSink;
  readonly log: Log;
  /** Called after each batch, and whenever the database goes away or comes back. */
  readonly onReport: (report: DrainReport) => void;
  /** Returns the most entries of one transaction at the moment. */
  readonly batchSize?: (() => number) | undefined;
}

/** An entry on its way, with its place. */
interface Waiting {
  readonly payload: Uint8Array;
  /** Undefined where this version cannot decode it. */
  readonly entry: SpoolEntry | undefined;
  readonly end?: Position;
  readonly sequence?: number;
}

const BATCH_SIZE = 256;
/** No more is read once there are so many bytes to write. */
const READ_BYTES = 4 * 2 ** 20;
/** The delay after a failed read of the spool. */
const READ_AGAIN_MS = 1000;
/** A batch takes no more entries once they have so many bytes. */
const BATCH_BYTES = 8 * 2 ** 20;
const FIRST_BACKOFF_MS = 50;
const LONGEST_BACKOFF_MS = 2000;
/** An entry that was the fault of so many failures alone is put aside. */
const MAX_STRIKES = 3;
const LOG_PERIOD_MS = 60_000;
const MESSAGES: Record<DatabaseState, string> = {
  ok: "the database takes records",
  away: "the database doesn't accept records; they wait in the spool",
  full: "the database has no room for records; they wait in the spool, and are written once there is room",
  missing: "the file of the database is gone; records wait in the spool until it is back",
};
/** After so many failures in a row the database counts as away, even if it takes something else. */
const MAX_FAILURES = 5;

/**
 * Writes entries in batches, in their order. A batch that fails is tried again, smaller each time, so that an entry
 * which the database refuses is soon alone; it is then put aside. While nothing can be written, everything stays where
 * it is.
 */
export class Drainer implements Drain {
  readonly #options: DrainerOptions;
  readonly #reader: SpoolReader;
  readonly #closing = new AbortController();
  readonly #counts = { written: 0, failedWrites: 0, rejected: 0 };
  readonly #running: Promise<void>;
  #through: Position;
  #directThrough = 0;
  #end: Position;
  #direct: DirectItem[] = [];
  #waiting: Waiting[] = [];
  #batchSize: number;
  #failuresInRow = 0;
  #strikes = 0;
  #database: DatabaseState = "ok";
  #complainedAtMs = Number.NEGATIVE_INFINITY;
  #wake: () => void = () => {};

  constructor(options: DrainerOptions) {
    this.#options = options;
    this.#through = options.from ?? BEGINNING;
    this.#end = this.#through;
    this.#reader = new SpoolReader(options.folder, this.#through);
    this.#batchSize = Number.POSITIVE_INFINITY;
    this.#running = this.#run();
  }

  announce(end: Position): void {
    this.#end = end;
    this.#wake();
  }

  take(items: readonly DirectItem[]): void {
    this.#direct.push(...items);
    this.#wake();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#wake();
    await this.#running;
  }

  get #largestBatch(): number {
    return this.#options.batchSize?.() ?? BATCH_SIZE;
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      if (this.#waiting.length === 0) this.#refill();
      if (this.#waiting.length > 0) await this.#writeSome();
      else await this.#moreToDo();
    }
  }

  #moreToDo(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (this.#closing.signal.aborted) resolve();
    });
  }

  #refill(): void {
    this.#reader.beginAnew();
    const direct = this.#direct.splice(0, this.#largestBatch);
    this.#waiting = direct.map((item) => ({ ...item, entry: tryDecode(item.payload) }));
    try {
      this.#readOn();
    } catch (error) {
      // What is left of a process that has ended may be taken over by another one meanwhile.
      if (this.#closing.signal.aborted) return;
      this.#options.log.error({ err: error }, "the spool cannot be read; trying again");
      setTimeout(() => this.#wake(), READ_AGAIN_MS).unref();
    }
    if (this.#waiting.length === 0) this.#settle();
  }

  /** Reads part after part of the spool, until a batch is full. */
  #readOn(): void {
    for (let bytes = 0; this.#waiting.length < this.#largestBatch && bytes < READ_BYTES; ) {
      const items = this.#reader.read(this.#end, this.#largestBatch - this.#waiting.length);
      if (items.length === 0) return;
      for (const item of items) {
        bytes += item.payload.length;
        this.#waiting.push({ ...item, entry: tryDecode(item.payload) });
      }
    }
  }

  async #writeSome(): Promise<void> {
    const batch = takeBatch(this.#waiting, this.#batchSize);
    if (batch.length === 0) return await this.#giveUp(new Error("it cannot be decoded"));
    try {
      await this.#options.sink.write(toRecordBatch(batch));
      this.#waiting = this.#waiting.slice(batch.length);
      this.#onWritten(batch);
      // SQLite answers without leaving this turn: others must have theirs.
      await nextTurn();
    } catch (error) {
      await this.#onFailed(batch, error);
    }
  }

  #onWritten(batch: readonly Waiting[]): void {
    this.#counts.written += batch.filter(({ entry }) => entry?.kind === "inference").length;
    this.#failuresInRow = 0;
    this.#strikes = 0;
    this.#database = "ok";
    this.#batchSize = Math.min(this.#batchSize * 2, this.#largestBatch);
    this.#done(batch);
  }

  async #onFailed(batch: readonly Waiting[], error: unknown): Promise<void> {
    this.#counts.failedWrites += 1;
    this.#failuresInRow += 1;
    this.#batchSize = Math.max(1, Math.floor(batch.length / 2));
    if (this.#options.sink.isDataFault(error)) return await this.#onDataFault(batch, error);
    const state = stateByError(error) ?? "away";
    // What the probe writes is there already, which takes no room.
    const isAway = state !== "away" || this.#failuresInRow >= MAX_FAILURES || !(await this.#canWrite());
    this.#database = isAway ? state : "ok";
    if (isAway) this.#complain(error);
    this.#report();
    await this.#backOff();
  }

  /** The same batch would fail again, so there is nothing to wait for: a smaller one is tried. */
  async #onDataFault(batch: readonly Waiting[], error: unknown): Promise<void> {
    this.#failuresInRow = 0;
    if (batch.length > 1) return await nextTurn();
    this.#strikes += 1;
    if (this.#strikes >= MAX_STRIKES) await this.#giveUp(error);
    else await this.#backOff();
  }

  /** Says so again while it lasts, and not each time where it comes and goes. */
  #complain(error: unknown): void {
    const now = performance.now();
    if (this.#closing.signal.aborted || now - this.#complainedAtMs < LOG_PERIOD_MS) return;
    this.#complainedAtMs = now;
    this.#options.log.error({ err: error }, MESSAGES[this.#database]);
  }

  #canWrite(): Promise<boolean> {
    return this.#options.sink.probe().then(
      () => true,
      () => false,
    );
  }

  /** Puts the first entry aside, so that the others can go on. */
  async #giveUp(error: unknown): Promise<void> {
    const [item] = this.#waiting;
    if (item === undefined) return;
    const { folder, log } = this.#options;
    try {
      const file = putAside(folder, item.payload);
      log.error(
        { ...readEntryIds(item.entry), err: error, file },
        "the database rejected an entry of the spool; moved to the rejected folder",
      );
    } catch (failure) {
      log.error({ err: failure }, "an entry of the spool can be neither written nor moved; trying again");
      return await this.#backOff();
    }
    this.#counts.rejected += 1;
    this.#strikes = 0;
    this.#waiting = this.#waiting.slice(1);
    this.#done([item]);
  }

  #done(items: readonly Waiting[]): void {
    for (const { end, sequence } of items) {
      if (end !== undefined) this.#through = end;
      if (sequence !== undefined) this.#directThrough = sequence;
    }
    this.#settle();
  }

  /** With nothing on its way, all that was read is done: parts that belong to no entry too. */
  #settle(): void {
    if (this.#waiting.length === 0) this.#through = this.#reader.at;
    this.#report();
  }

  #report(): void {
    this.#options.onReport({
      through: this.#through,
      directThrough: this.#directThrough,
      ...this.#counts,
      brokenBytes: this.#reader.brokenBytes,
      database: this.#database,
    });
  }

  async #backOff(): Promise<void> {
    const longest = Math.min(FIRST_BACKOFF_MS * 2 ** Math.max(0, this.#failuresInRow - 1), LONGEST_BACKOFF_MS);
    const wait = longest * (0.5 + Math.random() / 2);
    await delay(wait, undefined, { signal: this.#closing.signal }).catch(() => {});
  }
}

/** Takes entries from the front, up to one that cannot be decoded. */
function takeBatch(waiting: readonly Waiting[], most: number): Waiting[] {
  let bytes = 0;
  const end = waiting.slice(0, most).findIndex(({ payload, entry }, position) => {
    bytes += payload.length;
    return entry === undefined || (position > 0 && bytes > BATCH_BYTES);
  });
  return waiting.slice(0, end === -1 ? most : end);
}

function tryDecode(payload: Uint8Array): SpoolEntry | undefined {
  try {
    return decodeEntry(Buffer.from(payload.buffer, payload.byteOffset, payload.length));
  } catch {
    return undefined;
  }
}

function toRecordBatch(items: readonly Waiting[]): RecordBatch {
  return {
    inferences: items.flatMap(({ entry }) => (entry?.kind === "inference" ? [entry.inference] : [])),
    feedback: items.flatMap(({ entry }) => (entry?.kind === "feedback" ? entry.feedback : [])),
  };
}
