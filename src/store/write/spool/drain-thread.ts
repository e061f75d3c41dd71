import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Log } from "../../types/log.ts";
import type { Drain, DrainReport } from "./drain.ts";
import type { DrainCommand, DrainEnd, DrainNews, DrainThreadData } from "./drain-messages.ts";
import { ThreadDrain } from "./thread-drain.ts";

/** The options of a drain thread. */
interface DrainThreadOptions {
  readonly databaseUrl: string;
  /** Names that the figures of a project tell apart. */
  readonly namesPerProject: number;
  readonly batchSize?: number | undefined;
  /** A write that takes longer hangs: the thread is started again, with new connections. */
  readonly writeTimeoutMs?: number | undefined;
  readonly log: Log;
}

const START_AGAIN_MS = 1000;
const WRITE_TIMEOUT_MS = 30_000;
/** The time limit for the thread to end a write, and then its connections. */
const CLOSE_TIMEOUT_MS = 3000;

interface Folder {
  readonly drain: ThreadDrain;
  readonly closed: PromiseWithResolvers<void>;
}

/**
 * Drains folders in a thread of their own, which runs while there are any: what several have to write at one time is
 * written together. A thread that dies is started again, and goes on where it was. It is no TaskThread, which gives a
 * task up with its thread: a drain has no end and no limit, reports as it goes, and loses nothing.
 */
export class DrainThread {
  readonly #options: DrainThreadOptions;
  readonly #folders = new Map<string, Folder>();
  #worker: Worker | undefined;

  constructor(options: DrainThreadOptions) {
    this.#options = options;
  }

  /** Returns the number of folders that it drains. */
  get size(): number {
    return this.#folders.size;
  }

  /** Begins to drain a folder, until its drain is closed. */
  open(folder: string, onReport: (report: DrainReport) => void): Drain {
    const drain = new ThreadDrain({
      folder,
      onReport,
      send: (command) => this.#send(command),
      close: () => this.#close(folder),
    });
    this.#folders.set(folder, { drain, closed: Promise.withResolvers() });
    if (this.#worker === undefined) this.#start();
    else drain.begin();
    return drain;
  }

  /** Ends the thread in the middle of what it does, as a fault would. */
  async kill(): Promise<void> {
    await this.#worker?.terminate();
  }

  #send(message: DrainCommand | DrainEnd): void {
    this.#worker?.postMessage(message);
  }

  #start(): void {
    const { databaseUrl, namesPerProject, batchSize, writeTimeoutMs = WRITE_TIMEOUT_MS } = this.#options;
    const workerData: DrainThreadData = { databaseUrl, namesPerProject, batchSize, writeTimeoutMs };
    const worker = new Worker(new URL("./drain-worker.ts", import.meta.url), { workerData });
    worker.on("message", (news: DrainNews) => this.#hear(news));
    worker.on("error", (error) => this.#options.log.error({ err: error }, "the thread that writes records failed"));
    worker.on("exit", () => this.#onExit(worker));
    this.#worker = worker;
    for (const { drain } of this.#folders.values()) drain.begin();
  }

  #onExit(worker: Worker): void {
    // One that was to end has no folder any more.
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    for (const { drain } of this.#folders.values()) drain.interrupt();
    setTimeout(() => {
      if (this.#worker === undefined && this.#folders.size > 0) this.#start();
    }, START_AGAIN_MS).unref();
  }

  async #close(folder: string): Promise<void> {
    const { closed } = this.#folders.get(folder) ?? {};
    if (closed === undefined) return;
    this.#send({ kind: "close", folder });
    // A thread that is dead, or hangs, tells nothing any more.
    if (this.#worker !== undefined) {
      await Promise.race([closed.promise, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    }
    this.#folders.delete(folder);
    if (this.#folders.size === 0) await this.#end();
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    const ended = new Promise((resolve) => worker.once("exit", resolve));
    this.#send({ kind: "end" });
    this.#worker = undefined;
    await Promise.race([ended, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    await worker.terminate();
  }

  #hear(news: DrainNews): void {
    if (news.kind === "log") this.#options.log[news.level](news.facts, news.message);
    else if (news.kind === "report") this.#folders.get(news.folder)?.drain.hear(news.report);
    else this.#folders.get(news.folder)?.closed.resolve();
  }
}
