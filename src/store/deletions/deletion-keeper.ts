import { stateByError } from "../../lib/database-state.ts";
import type { Clocks } from "../../lib/steady-clock.ts";
import { RepeatedTask } from "../../lib/tasks/repeated-task.ts";
import { resumeDeletions } from "../end-users/run-deletions.ts";
import { deleteLateRecords, runProjectDeletions } from "../project-deletion/run-deletions.ts";
import { RetentionClock } from "../retention/retention-clock.ts";
import type { Log } from "../types/log.ts";
import type { Store } from "../types/store.ts";
import type { DeletionOptions } from "./delete-inferences.ts";

const TICK_MS = 30_000;
const LATE_MS = 3_600_000;

interface KeeperOptions extends Pick<DeletionOptions, "awaitRecords"> {
  readonly clocks?: Clocks;
}

/**
 * Deletes the data of projects whose time to undo it is over, and goes on with the deletions of processes that have
 * died. Every process of a database does so; each deletion is of one of them.
 */
export class DeletionKeeper {
  readonly #store: Store;
  readonly #log: Log;
  readonly #clock: RetentionClock;
  readonly #options: Omit<KeeperOptions, "clocks"> & { readonly signal: AbortSignal };
  readonly #task: RepeatedTask;
  #lateMs = Number.NEGATIVE_INFINITY;

  constructor(store: Store, log: Log, { clocks, ...options }: KeeperOptions = {}) {
    this.#store = store;
    this.#log = log;
    this.#clock = new RetentionClock(store, clocks);
    this.#task = new RepeatedTask(TICK_MS, () => this.tick());
    this.#options = { ...options, signal: this.#task.signal };
  }

  /** Takes a turn. Never rejects. */
  async tick(): Promise<void> {
    try {
      await resumeDeletions(this.#store, { ...this.#options, onFailure: (error) => this.#complain(error) });
      const { now, isDoubted } = await this.#clock.read();
      // A clock that is weeks ahead takes nobody's time to undo a deletion.
      if (isDoubted) return;
      await runProjectDeletions(this.#store, now, this.#options);
      if (performance.now() - this.#lateMs < LATE_MS) return;
      this.#lateMs = performance.now();
      await deleteLateRecords(this.#store, now, this.#options);
    } catch (error) {
      this.#complain(error);
    }
  }

  /** Ends; another process goes on. */
  close(): Promise<void> {
    return this.#task.close();
  }

  /** A database that is away is told of by whoever watches it. */
  #complain(error: unknown): void {
    if (this.#task.signal.aborted || stateByError(error) !== undefined) return;
    this.#log.error({ err: error }, "a deletion has failed; trying again");
  }
}
