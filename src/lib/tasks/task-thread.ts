import { type ResourceLimits, type Transferable, Worker } from "node:worker_threads";
import { FairQueue } from "../fair-queue.ts";
import { failureToError, STARTED, type TaskAnswer, type TaskRequest } from "./task-messages.ts";

/** The options of a task thread. */
export interface TaskThreadOptions {
  /** The module of the thread, which calls answerTasks(). */
  readonly module: URL;
  readonly workerData?: unknown;
  /** Memory that the thread may take; one that needs more dies, and takes nothing else with it. */
  readonly resourceLimits?: ResourceLimits;
  /** Told where the thread dies by itself. */
  readonly onDeath: (error: unknown) => void;
  /** Makes the error of a task that was not done: not in time, for want of room, or since the thread died. */
  readonly createError: (why: string, options?: ErrorOptions) => Error;
  /** The thread ends after so long without a task. */
  readonly idleMs?: number;
  /** Tasks of one owner that wait; others of it are refused. As many as of all if absent. */
  readonly maxWaitingOfOwner?: number;
}

/** One task. */
interface TaskOptions {
  /** The time limit, with the wait in the queue; undefined is without limit. */
  readonly limitMs: number | undefined;
  /**
   * On whose behalf it is done, such as a project: owners are served in turn. Absent: nobody's in
   * particular.
   */
  readonly owner?: string;
  /** A task that waits when it aborts is not done. */
  readonly signal?: AbortSignal | undefined;
  /** The buffers that are transferred to the thread rather than copied. */
  readonly transfer?: readonly Transferable[];
}

interface Task extends TaskOptions {
  readonly owner: string;
  readonly request: TaskRequest;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Tasks of all owners that wait; others are refused. */
const MAX_WAITING = 200;
/** Threads that were given up and have not ended: nothing breaks off a statement of SQLite. */
const MAX_ENDING = 2;
/** To start a thread again takes about a second of a processor. */
const IDLE_MS = 600_000;
/**
 * The time limit of a thread's start; tasks that wait for it get so much more time. On a machine with seven times its
 * load it took 10 s.
 */
const START_MS = 20_000;
/** The time that close() waits for the thread. */
const CLOSE_LIMIT_MS = 3000;

/**
 * A thread that does one task after another, of one owner after another. It starts with the first task, and ends once
 * there has been none for a while. A task that takes too long by itself is given up together with its thread, and so is
 * the task of a thread that dies; those that wait go on in a new one.
 */
export class TaskThread {
  readonly #options: TaskThreadOptions;
  readonly #waiting: FairQueue<Task>;
  readonly #ending = new Set<Promise<unknown>>();
  #worker: Worker | undefined;
  #hasStarted = false;
  #running: { readonly task: Task; readonly timer: NodeJS.Timeout | undefined } | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: TaskThreadOptions) {
    this.#options = options;
    this.#waiting = new FairQueue(options.maxWaitingOfOwner ?? MAX_WAITING, MAX_WAITING);
  }

  /** Does a task in the thread. Rejects with what it throws, or where it is not done at all. */
  run(name: string, args: readonly unknown[], options: TaskOptions): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const { owner = "", signal } = options;
    const task: Task = { request: { name, args }, ...options, owner, resolve, reject };
    if (this.#isClosed || !this.#waiting.push(owner, task)) {
      const why = this.#isClosed ? "the thread for it has ended" : "too many others wait for the same thread";
      reject(this.#options.createError(why));
      return promise;
    }
    const giveUp = () => {
      // Where it is under way, whoever asked goes, and the thread has its own limit.
      this.#waiting.delete(owner, task);
      reject(this.#late(options));
    };
    const isRunning = this.#hasStarted;
    let timer = this.#setTimer(options, () => {
      // The thread was given up meanwhile: a new one has the time that it takes to start, as the first one had.
      if (isRunning && !this.#hasStarted) timer = setTimeout(giveUp, START_MS);
      else giveUp();
    });
    const leave = () => {
      if (this.#waiting.delete(owner, task)) reject(this.#options.createError("nobody waits for it any more"));
    };
    // One that has aborted already tells nobody any more.
    if (signal?.aborted === true) leave();
    else signal?.addEventListener("abort", leave, { once: true });
    this.#next();
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", leave);
    });
  }

  /** Refuses the tasks of an owner that wait. */
  refuse(owner: string, why: string): void {
    for (const task of this.#waiting.clear(owner)) task.reject(this.#options.createError(why));
  }

  /** Ends the thread, within three seconds at most; what waits is refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#refuseAll("the thread for it ends");
    this.#endThread();
    const limit = Promise.withResolvers<void>();
    const timer = setTimeout(limit.resolve, CLOSE_LIMIT_MS);
    await Promise.race([Promise.all(this.#ending), limit.promise]);
    clearTimeout(timer);
  }

  #next(): void {
    if (this.#running !== undefined) return;
    clearTimeout(this.#idleTimer);
    if (this.#waiting.size === 0) {
      this.#idleTimer = setTimeout(() => this.#endThread(), this.#options.idleMs ?? IDLE_MS).unref();
      return;
    }
    if (this.#worker === undefined && this.#ending.size >= MAX_ENDING) {
      this.#refuseAll("threads for it that were given up have not ended");
      return;
    }
    const task = this.#waiting.shift();
    if (task === undefined) return;
    const timer = this.#limit(task);
    this.#worker ??= this.#start();
    this.#running = { task, timer };
    try {
      this.#worker.postMessage(task.request, task.transfer);
    } catch (error) {
      this.#settle()?.reject(error);
      this.#next();
    }
  }

  /** Gives the thread up where a task has not been done in time. */
  #limit(task: Task): NodeJS.Timeout | undefined {
    return this.#setTimer(task, () => this.#onEnd(this.#late(task)));
  }

  #setTimer({ limitMs }: TaskOptions, giveUp: () => void): NodeJS.Timeout | undefined {
    if (limitMs === undefined) return undefined;
    return setTimeout(giveUp, this.#hasStarted ? limitMs : limitMs + START_MS);
  }

  #start(): Worker {
    this.#hasStarted = false;
    const { module, workerData, resourceLimits, onDeath, createError } = this.#options;
    const worker = new Worker(module, { workerData, ...(resourceLimits && { resourceLimits }) });
    // Whoever waits for a task is kept waiting by something else; a thread alone keeps no process from its end.
    worker.unref();
    let death: unknown;
    worker.on("message", (answer: TaskAnswer | typeof STARTED) => {
      if (worker !== this.#worker) return;
      if (answer === STARTED) return this.#onStarted();
      const task = this.#settle();
      if ("value" in answer) task?.resolve(answer.value);
      else task?.reject(failureToError(answer.failure));
      this.#next();
    });
    worker.on("error", (error) => {
      death = error;
    });
    worker.on("exit", (code) => {
      if (worker !== this.#worker) return;
      onDeath(death ?? new Error(`a thread ended with ${code}`));
      this.#onEnd(createError("the thread for it died", { cause: death }));
    });
    return worker;
  }

  /**
   * From now on the first task has its own limit, so that one which never ends does not have the time of the start
   * beside it.
   */
  #onStarted(): void {
    this.#hasStarted = true;
    if (this.#running === undefined) return;
    const { task, timer } = this.#running;
    clearTimeout(timer);
    this.#running = { task, timer: this.#limit(task) };
  }

  /** Goes on in a new thread. */
  #onEnd(error: Error): void {
    this.#endThread();
    this.#settle()?.reject(error);
    this.#next();
  }

  #endThread(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#hasStarted = false;
    if (worker === undefined) return;
    const ended = worker.terminate().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  #settle(): Task | undefined {
    const running = this.#running;
    this.#running = undefined;
    clearTimeout(running?.timer);
    return running?.task;
  }

  #refuseAll(why: string): void {
    const tasks = this.#waiting.clear();
    const running = this.#isClosed ? this.#settle() : undefined;
    for (const task of running === undefined ? tasks : [running, ...tasks]) {
      task.reject(this.#options.createError(why));
    }
  }

  #late({ limitMs }: TaskOptions): Error {
    return this.#options.createError(`it was not done in ${limitMs} ms`);
  }
}
