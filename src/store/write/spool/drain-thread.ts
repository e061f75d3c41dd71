import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { NAMES_PER_PROJECT } from "../../entities/rollup-name.ts";
import type { Log } from "../../types/log.ts";
import type { DirectItem, Drain, DrainReport } from "./drain.ts";
import type { DrainCommand, DrainNews, DrainThreadData } from "./drain-messages.ts";
import { BEGINNING, type Position } from "./position.ts";

/** What a drain thread works with. */
export interface DrainThreadOptions {
  readonly databaseUrl: string;
  /** Names that the figures of a project tell apart. */
  readonly namesPerProject?: number | undefined;
  readonly folder: string;
  readonly batchSize?: number | undefined;
  /** A write that takes longer hangs: the thread is started again, with new connections. */
  readonly writeTimeoutMs?: number | undefined;
  readonly log: Log;
  readonly onReport: (report: DrainReport) => void;
}

const FIRST_REPORT: DrainReport = {
  through: BEGINNING,
  directThrough: 0,
  written: 0,
  failedWrites: 0,
  rejected: 0,
  brokenBytes: 0,
  database: "ok",
};

const START_AGAIN_MS = 1000;
const WRITE_TIMEOUT_MS = 30_000;
/** How long the thread may take to end a write and its connections. */
const CLOSE_TIMEOUT_MS = 3000;

/** A drain in a thread of its own. A thread that dies is started again, and goes on where it was. */
export class DrainThread implements Drain {
  readonly #options: DrainThreadOptions;
  #worker: Worker;
  #end: Position = BEGINNING;
  #direct: DirectItem[] = [];
  /** What the threads before this one did. */
  #before = FIRST_REPORT;
  #latest = FIRST_REPORT;
  #isClosing = false;

  constructor(options: DrainThreadOptions) {
    this.#options = options;
    this.#worker = this.#start();
  }

  announce(end: Position): void {
    this.#end = end;
    this.#send({ kind: "announce", end });
  }

  take(items: readonly DirectItem[]): void {
    this.#direct.push(...items);
    this.#send({ kind: "take", items });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    const ended = new Promise((resolve) => this.#worker.once("exit", resolve));
    this.#send({ kind: "close" });
    // A thread that is already dead tells nothing any more.
    await Promise.race([ended, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    await this.kill();
  }

  /** Ends the thread in the middle of what it does, as a fault would. */
  async kill(): Promise<void> {
    await this.#worker.terminate();
  }

  #send(command: DrainCommand): void {
    this.#worker.postMessage(command);
  }

  #start(): Worker {
    const {
      namesPerProject = NAMES_PER_PROJECT,
      databaseUrl,
      folder,
      batchSize,
      writeTimeoutMs = WRITE_TIMEOUT_MS,
    } = this.#options;
    const from = this.#latest.through;
    const workerData: DrainThreadData = { databaseUrl, namesPerProject, folder, batchSize, writeTimeoutMs, from };
    const worker = new Worker(new URL("./drain-worker.ts", import.meta.url), { workerData });
    worker.on("message", (news: DrainNews) => this.#hear(news));
    worker.on("error", (error) => this.#options.log.error({ err: error }, "the thread that writes records has failed"));
    worker.on("exit", () => {
      if (this.#isClosing) return;
      this.#latest = { ...this.#latest, database: "away" };
      this.#options.onReport(this.#latest);
      setTimeout(() => this.#startAgain(), START_AGAIN_MS).unref();
    });
    return worker;
  }

  #startAgain(): void {
    if (this.#isClosing) return;
    this.#before = this.#latest;
    this.#worker = this.#start();
    this.#send({ kind: "take", items: this.#direct });
    this.#send({ kind: "announce", end: this.#end });
  }

  #hear(news: DrainNews): void {
    if (news.kind === "report") this.#onReport(news.report);
    else this.#options.log[news.level](news.facts, news.message);
  }

  #onReport(report: DrainReport): void {
    this.#latest = {
      ...report,
      directThrough: Math.max(this.#before.directThrough, report.directThrough),
      written: this.#before.written + report.written,
      failedWrites: this.#before.failedWrites + report.failedWrites,
      rejected: this.#before.rejected + report.rejected,
      brokenBytes: this.#before.brokenBytes + report.brokenBytes,
    };
    this.#direct = this.#direct.filter(({ sequence }) => sequence > this.#latest.directThrough);
    this.#options.onReport(this.#latest);
  }
}
