import { withTimeout } from "../database/with-timeout.ts";
import type { Log } from "../types/log.ts";
import type { Store } from "../types/store.ts";

/** The interval at which the times are written, which is their precision. */
const PERIOD_MS = 30_000;
/** Times of last use are not worth a long wait at the end of a process. */
const CLOSE_LIMIT_MS = 2000;

/** Notes which keys are used, and writes the time now and then in one statement. */
export class LastUsed {
  readonly #store: Store;
  readonly #log: Log;
  readonly #timer: NodeJS.Timeout;
  #used = new Set<string>();

  constructor(store: Store, log: Log, periodMs = PERIOD_MS) {
    this.#store = store;
    this.#log = log;
    this.#timer = setInterval(() => void this.flush(), periodMs);
    this.#timer.unref();
  }

  /** The key with this row id was used. */
  touch(id: string): void {
    this.#used.add(id);
  }

  /** Writes what was noted. A database that is away only costs the time of last use, so the failure is logged. */
  async flush(): Promise<void> {
    if (this.#used.size === 0) return;
    const ids = [...this.#used];
    this.#used = new Set();
    try {
      await this.#store.query().updateTable("ApiKey").set({ lastUsedAt: new Date() }).where("id", "in", ids).execute();
    } catch (error) {
      for (const id of ids) this.#used.add(id);
      this.#log.warn({ err: error }, "could not write when keys were last used; trying again later");
    }
  }

  /** Writes the rest, if the database takes it within two seconds. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await withTimeout(this.flush(), CLOSE_LIMIT_MS).catch(() => {});
  }
}
