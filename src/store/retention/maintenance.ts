import { setTimeout as delay } from "node:timers/promises";
import { transact } from "../bulk/executor.ts";
import type { Log } from "../log.ts";
import { ensurePartitions } from "../partitions/ensure-partitions.ts";
import { PARTITION_PLANS } from "../partitions/partition-plan.ts";
import { buildWeeks } from "../rollups/build-weeks.ts";
import { withStatementLimit } from "../statement-limit.ts";
import type { Store } from "../store.ts";
import { applyRetention, type RetentionDays, type RetentionResult } from "./apply-retention.ts";

/** What one run did. */
export interface MaintenanceResult extends RetentionResult {
  readonly createdPartitions: readonly string[];
  /** Weeks of projects that are summed up now. */
  readonly builtWeeks: number;
}

/** Where maintenance tells what it did, and what it could not do. */
export interface MaintenanceLog extends Pick<Log, "error"> {
  info(facts: object, message: string): void;
}

/** Keeps a database in order while the service runs. */
export interface Maintenance {
  /** Does what is due; resolves to undefined where another process is at it. Rejects if the database fails. */
  run(): Promise<MaintenanceResult | undefined>;
  /** Runs soon, and then about every hour; what fails is logged and tried again. */
  start(): void;
  /** Ends the runs; one under way stops after the rows that it is deleting. */
  close(): Promise<void>;
}

/** Bounds of the times between runs; the processes of one database take turns of themselves. */
export interface MaintenanceTimes {
  readonly firstMs: number;
  readonly everyMs: number;
}

const TIMES: MaintenanceTimes = { firstMs: 10_000, everyMs: 3_600_000 };
const DAY_MS = 86_400_000;
/** Nobody waits for it, and what it sums up or deletes at a time may be much for a slow disk. */
const STATEMENT_LIMIT_MS = 60_000;
/** How long the end of a run is waited for. */
const CLOSE_LIMIT_MS = 3000;
/** Any number that nothing else takes for an advisory lock in the same database. */
const ADVISORY_LOCK = 7_106_884_215;

/** Creates the maintenance of a database: partitions ahead of time, and deletion of what is too old. */
export function createMaintenance(
  store: Store,
  retention: RetentionDays,
  log: MaintenanceLog,
  times: MaintenanceTimes = TIMES,
): Maintenance {
  return new StoreMaintenance(store, retention, { log, times });
}

class StoreMaintenance implements Maintenance {
  readonly #store: Store;
  readonly #retention: RetentionDays;
  readonly #log: MaintenanceLog;
  readonly #times: MaintenanceTimes;
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(
    store: Store,
    retention: RetentionDays,
    { log, times }: { log: MaintenanceLog; times: MaintenanceTimes },
  ) {
    this.#store = store;
    this.#retention = retention;
    this.#log = log;
    this.#times = times;
  }

  async run(): Promise<MaintenanceResult | undefined> {
    if (this.#store.engine === "sqlite") return await this.#work();
    // The transaction holds nothing but the lock: it lasts as long as the run, and ends with its process.
    return await transact(this.#store, async (execute) => {
      const sql = "select pg_try_advisory_xact_lock($1) as locked";
      const [lock] = await execute<{ locked: boolean }>(sql, [ADVISORY_LOCK]);
      return lock?.locked === true ? await this.#work() : undefined;
    });
  }

  start(): void {
    this.#schedule(this.#times.firstMs);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await Promise.race([this.#running, delay(CLOSE_LIMIT_MS, undefined, { ref: false })]);
  }

  async #work(): Promise<MaintenanceResult> {
    const now = new Date();
    const daysAhead = Math.max(...PARTITION_PLANS.map((plan) => plan.daysAhead));
    const createdPartitions = await ensurePartitions(this.#store, now, new Date(now.getTime() + daysAhead * DAY_MS));
    const builtWeeks = await buildWeeks(this.#store, now, this.#closing.signal);
    const deleted = await applyRetention(this.#store, this.#retention, { now, signal: this.#closing.signal });
    return { createdPartitions, builtWeeks, ...deleted };
  }

  /** Waits for 90 to 110 percent of the time, so that replicas which started together do not stay together. */
  #schedule(afterMs: number): void {
    if (this.#closing.signal.aborted) return;
    this.#timer = setTimeout(
      () => {
        this.#running = this.#runOnce().finally(() => this.#schedule(this.#times.everyMs));
      },
      afterMs * (0.9 + Math.random() / 5),
    );
    this.#timer.unref();
  }

  async #runOnce(): Promise<void> {
    try {
      const result = await withStatementLimit(STATEMENT_LIMIT_MS, () => this.run());
      if (result !== undefined && hasDone(result)) this.#log.info(result, "the database is maintained");
    } catch (error) {
      this.#log.error({ err: error }, "the database cannot be maintained; it is tried again in an hour");
    }
  }
}

function hasDone(result: MaintenanceResult): boolean {
  const { createdPartitions, droppedPartitions, builtWeeks, ...counts } = result;
  const deleted = counts.deletedInferences + counts.deletedBodies + counts.deletedFeedback;
  return createdPartitions.length + droppedPartitions.length + builtWeeks + deleted > 0;
}
