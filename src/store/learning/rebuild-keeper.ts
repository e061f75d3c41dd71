import { setTimeout as delay } from "node:timers/promises";
import { stateByError } from "../types/database-state.ts";
import type { Log } from "../types/log.ts";
import type { Store } from "../types/store.ts";
import { type RebuildSettings, runNextRebuild } from "./run-rebuild.ts";

const POLL_MS = 1000;
/** Time limit of the end. */
const CLOSE_LIMIT_MS = 3000;

/** Runs the rebuilds that people ask for. Each process of a database looks for them; one of them runs one at a time. */
export class RebuildKeeper {
  readonly #store: Store;
  readonly #log: Log;
  readonly #settings: (store: Store) => Promise<RebuildSettings>;
  readonly #closing = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | undefined;

  constructor(store: Store, log: Log, settings: (store: Store) => Promise<RebuildSettings>) {
    this.#store = store;
    this.#log = log;
    this.#settings = settings;
    this.#timer = setInterval(() => {
      this.#running ??= this.#tick().finally(() => {
        this.#running = undefined;
      });
    }, POLL_MS).unref();
  }

  async #tick(): Promise<void> {
    const { signal } = this.#closing;
    const onFailure = (error: unknown) => this.#complain(error);
    try {
      const options = { settings: this.#settings, signal, rests: true, onFailure };
      while (!signal.aborted && (await runNextRebuild(this.#store, options)));
    } catch (error) {
      this.#complain(error);
    }
  }

  /** Ends; a rebuild that runs waits again, for another process. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#timer);
    await Promise.race([this.#running, delay(CLOSE_LIMIT_MS, undefined, { ref: false })]);
  }

  /** A database that is away is told of by whoever watches it. */
  #complain(error: unknown): void {
    if (this.#closing.signal.aborted || stateByError(error) !== undefined) return;
    this.#log.error({ err: error }, "a rebuild of learned state has failed");
  }
}
