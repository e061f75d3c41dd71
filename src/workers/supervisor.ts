import type { Logger } from "pino";
import type { Ending, Worker } from "./worker.ts";

/** First pause before a worker that ended is replaced, in milliseconds; it doubles with each that ends young. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;
/** A worker that served for this long ended for a new reason. */
const STABLE_AFTER_MS = 5000;

/** The options of a supervisor. */
interface SupervisorOptions {
  readonly count: number;
  /** Starts a worker. The first of all sets things up for the others and tells people where it serves. */
  readonly start: (isFirst: boolean) => Worker;
  readonly log: Pick<Logger, "info" | "warn" | "error">;
  /** Waits for some milliseconds; resolves early when the signal says so. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
}

interface WorkerSlot {
  worker: Worker | undefined;
  /** The number of workers in a row that ended young. */
  failures: number;
}

/**
 * Keeps so many workers running: starts each anew that ends, after a pause that grows, and replaces all one by one when
 * asked to.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #places: readonly WorkerSlot[];
  /** All that run, also those that leave. */
  readonly #running = new Set<Worker>();
  readonly #stopping = new AbortController();
  readonly #stopped = Promise.withResolvers<number>();
  #replacing: "no" | "yes" | "again" = "no";

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#places = Array.from({ length: options.count }, () => ({ worker: undefined, failures: 0 }));
  }

  /**
   * Starts the first worker, then the others. Resolves to the exit status of the whole: once all have ended that were
   * told to.
   */
  async run(): Promise<number> {
    const [first, ...others] = this.#places;
    if (first === undefined) return 0;
    const worker = this.#start(true);
    first.worker = worker;
    if (!(await worker.serving)) {
      // What is wrong with the first is wrong with all: a configuration, a port, a database. It has said so itself.
      const { status } = await worker.ended;
      return this.#stopping.signal.aborted ? 0 : (status ?? 1);
    }
    void this.#watch(first, worker);
    for (const place of others) void this.#fill(place);
    return this.#stopped.promise;
  }

  /**
   * Puts a new worker in the place of each, one after another: a new version or configuration is served without a
   * failed request.
   */
  async replaceAll(): Promise<void> {
    if (this.#replacing !== "no") {
      this.#replacing = "again";
      return;
    }
    do {
      this.#replacing = "yes";
      for (const place of this.#places) {
        if (!(await this.#replace(place))) break;
      }
    } while ((this.#replacing as string) === "again" && !this.#stopping.signal.aborted);
    this.#replacing = "no";
  }

  /** Ends all workers in order. */
  stop(): void {
    this.#stopping.abort();
    for (const worker of this.#running) worker.end();
    this.#endIfAlone();
  }

  /** Ends all workers at once. */
  kill(): void {
    this.#stopping.abort();
    for (const worker of this.#running) worker.kill();
    this.#endIfAlone();
  }

  #start(isFirst: boolean): Worker {
    const worker = this.#options.start(isFirst);
    this.#running.add(worker);
    void worker.ended.then(() => {
      this.#running.delete(worker);
      this.#endIfAlone();
    });
    return worker;
  }

  #endIfAlone(): void {
    if (this.#stopping.signal.aborted && this.#running.size === 0) this.#stopped.resolve(0);
  }

  /** Starts workers for a place until one serves. */
  async #fill(place: WorkerSlot): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const worker = this.#start(false);
      place.worker = worker;
      if (await worker.serving) {
        this.#options.log.info({ worker: worker.pid }, "a worker serves");
        void this.#watch(place, worker);
        return;
      }
      await this.#recover(place, worker, await worker.ended);
    }
  }

  /** Replaces a worker that ends though nobody asked it to. */
  async #watch(place: WorkerSlot, worker: Worker): Promise<void> {
    const since = this.#options.now();
    const ending = await worker.ended;
    if (place.worker !== worker || this.#stopping.signal.aborted) return;
    if (this.#options.now() - since >= STABLE_AFTER_MS) place.failures = 0;
    await this.#recover(place, worker, ending);
    if (place.worker === worker) await this.#fill(place);
  }

  async #recover(place: WorkerSlot, { pid }: Worker, { status, signal }: Ending): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(place.failures++, 10));
    this.#options.log.error({ worker: pid, status, signal, pauseMs }, "a worker ended; starting another one");
    await this.#options.pause(pauseMs, this.#stopping.signal);
  }

  /**
   * Returns whether a new worker serves in a place. Where it does not start, the one before goes on, and so do all
   * others.
   */
  async #replace(place: WorkerSlot): Promise<boolean> {
    const { log } = this.#options;
    const before = place.worker;
    if (this.#stopping.signal.aborted) return false;
    // A place whose worker has just ended is being filled anew anyway.
    if (before === undefined || !this.#running.has(before) || !(await before.serving)) return true;
    const worker = this.#start(false);
    if (!(await worker.serving)) {
      const { status, signal } = await worker.ended;
      log.error({ worker: worker.pid, status, signal }, "a new worker did not start; the old ones keep serving");
      return false;
    }
    place.worker = worker;
    place.failures = 0;
    log.info({ worker: worker.pid, before: before.pid }, "a new worker serves; the old one shuts down");
    void this.#watch(place, worker);
    before.leave();
    await before.ended;
    return true;
  }
}
