import { setTimeout as delay } from "node:timers/promises";
import type { PlannedRun, RunPorts, RunState } from "./ports.ts";
import { runRequests } from "./run-requests.ts";

/** Runs of a process at a time. */
const MOST_RUNS = 4;
/** Time limit of the end. */
const CLOSE_LIMIT_MS = 3000;
/** Runs say so often that they go on; see SILENT_MS. */
const BEAT_MS = 10_000;

/** A run that has been silent for so long has ended with its process. */
export const SILENT_MS = 60_000;

/** The runs of datasets that this process makes, in the background. */
export class DatasetRunner {
  readonly #ports: RunPorts;
  readonly #running = new Map<string, { readonly abort: AbortController; readonly ended: Promise<void> }>();
  #isClosed = false;

  constructor(ports: RunPorts) {
    this.#ports = ports;
  }

  /** True if one more run may begin. */
  get hasRoom(): boolean {
    return !this.#isClosed && this.#running.size < MOST_RUNS;
  }

  /** Begins a run that is in the store; returns at once. */
  begin(run: PlannedRun): void {
    const abort = new AbortController();
    const ended = this.#run(run, abort).finally(() => this.#running.delete(run.id));
    this.#running.set(run.id, { abort, ended });
  }

  /** Breaks a run off, where this process makes it; others see at their next beat that they are to end. */
  cancel(id: string): void {
    this.#running.get(id)?.abort.abort();
  }

  /** Breaks all runs off, and resolves once they have ended; a database that is away is waited for no longer. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const running = [...this.#running.values()];
    for (const { abort } of running) abort.abort();
    const ended = Promise.all(running.map((run) => run.ended));
    await Promise.race([ended, delay(CLOSE_LIMIT_MS, undefined, { ref: false })]);
  }

  /** Never rejects. */
  async #run(run: PlannedRun, abort: AbortController): Promise<void> {
    const { store, onFailure } = this.#ports;
    const beat = setInterval(() => {
      store.beat(run.id).then((goesOn) => goesOn || abort.abort(), onFailure);
    }, BEAT_MS);
    let state: RunState;
    try {
      state = await runRequests(this.#ports, run, abort.signal);
      if (state === "cancelled" && this.#isClosed) state = "interrupted";
    } catch (thrown) {
      onFailure(thrown);
      abort.abort();
      state = "interrupted";
    }
    clearInterval(beat);
    await store.end(run.id, state).catch(onFailure);
  }
}
