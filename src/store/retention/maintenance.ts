import { setTimeout as delay } from "node:timers/promises";
import { type Clocks, SYSTEM_CLOCKS } from "../../lib/steady-clock.ts";
import { deleteEndedSessions } from "../dashboard/sessions.ts";
import { readRows, transact } from "../database/executor.ts";
import { withStatementLimit } from "../database/statement-limit.ts";
import { emptyLog } from "../deletions/empty-log.ts";
import { mostNames, NAME_KINDS, type NameKind } from "../entities/rollup-name.ts";
import { ensurePartitions } from "../partitions/ensure-partitions.ts";
import { PARTITION_PLANS } from "../partitions/partition-plan.ts";
import type { Log } from "../types/log.ts";
import { periodAt } from "../types/period.ts";
import type { Store } from "../types/store.ts";
import { buildPeriods } from "../write/rollups/build-periods.ts";
import { applyRetention, confirmRetention, type RetentionResult } from "./apply-retention.ts";
import { type Held, type KindPlan, planRetention, type RetentionSettings } from "./plan-retention.ts";
import { type BelievedTime, RetentionClock } from "./retention-clock.ts";
import { KINDS_OF_DATA } from "./retention-kind.ts";

/** Days after which a name that was not counted any more makes room for another. */
const UNUSED_DAYS = 30;

const USED_IN: Record<NameKind, string> = {
  workload: "select distinct workload from usage_day where project_id = ? and period >= ?",
  metric: "select distinct name from feedback_day where project_id = ? and period >= ?",
  end_user: "select distinct name from usage_fact_day where project_id = ? and period >= ? and kind = 'end_user'",
  tag: "select distinct name from usage_fact_day where project_id = ? and period >= ? and kind = 'tag'",
};

/**
 * Forgets names that were not used of late, in projects that have no room for others. What was counted of them stays.
 */
export async function forgetNames(store: Store, now: Date): Promise<void> {
  const counted = "select project_id, kind, count(*) as names from rollup_name group by project_id, kind";
  const rows = await readRows<{ project_id: string; kind: string; names: number | string }>(store, counted, []);
  const firstDay = periodAt("day", now.getTime()) - UNUSED_DAYS;
  for (const { project_id: projectId, kind: text, names } of rows) {
    const kind = NAME_KINDS.find((known) => known === text);
    if (kind === undefined || Number(names) < mostNames(kind, store.namesPerProject)) continue;
    const sql = `delete from rollup_name where project_id = ? and kind = ? and name not in (${USED_IN[kind]})`;
    await readRows(store, sql, [projectId, kind, projectId, firstDay]);
  }
}

/** The result of one run. */
interface MaintenanceResult extends RetentionResult {
  readonly createdPartitions: readonly string[];
  /** Weeks and times of four weeks of projects that are summed up now. */
  readonly builtPeriods: number;
  /** Deletions that wait for an operator. */
  readonly held: readonly Held[];
}

/** The log of maintenance. */
export interface MaintenanceLog extends Log {
  info(facts: object, message: string): void;
}

/** Keeps a database in order while the service runs. */
export interface Maintenance {
  /** Does what is due; resolves to undefined where another process is at it. Rejects if the database fails. */
  run(): Promise<MaintenanceResult | undefined>;
  /** Finds out what a run would delete. */
  plan(): Promise<{ readonly time: BelievedTime; readonly plans: readonly KindPlan[] }>;
  /** Lets go what is too old by now, however much it is: runs delete it. */
  confirm(): Promise<void>;
  /** Deletions that wait for an operator, as of the latest run of this process. */
  held(): readonly Held[];
  /** Runs soon, and then about every hour; what fails is logged and tried again. */
  start(): void;
  /** Ends the runs; one under way stops after the rows that it is deleting. */
  close(): Promise<void>;
}

/** Bounds of the times between runs, which the processes of one database take turns of themselves; and clocks. */
interface MaintenanceOptions {
  readonly firstMs: number;
  readonly everyMs: number;
  readonly clocks: Clocks;
}

const DEFAULTS: MaintenanceOptions = { firstMs: 10_000, everyMs: 3_600_000, clocks: SYSTEM_CLOCKS };
/** Time between runs while something waits for an operator, who wants to see soon that it is done. */
const WAITING_MS = 300_000;
/** Clocks that differ by more are worth a warning. */
const APART_MS = 300_000;
const DAY_MS = 86_400_000;
/** Nobody waits for it, and what it sums up or deletes at a time may be much for a slow disk. */
const STATEMENT_LIMIT_MS = 60_000;
/** The time limit of a run's end. */
const CLOSE_LIMIT_MS = 3000;
/** Any number that nothing else takes for an advisory lock in the same database. */
const ADVISORY_LOCK = 7_106_884_215;

/** Creates the maintenance of a database: partitions ahead of time, and deletion of what is too old. */
export function createMaintenance(
  store: Store,
  retention: RetentionSettings,
  log: MaintenanceLog,
  options: Partial<MaintenanceOptions> = {},
): Maintenance {
  return new StoreMaintenance(store, retention, { log, ...DEFAULTS, ...options });
}

class StoreMaintenance implements Maintenance {
  readonly #store: Store;
  readonly #retention: RetentionSettings;
  readonly #options: MaintenanceOptions & { readonly log: MaintenanceLog };
  readonly #clock: RetentionClock;
  readonly #closing = new AbortController();
  #held: readonly Held[] = [];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(
    store: Store,
    retention: RetentionSettings,
    options: MaintenanceOptions & { readonly log: MaintenanceLog },
  ) {
    this.#store = store;
    this.#retention = retention;
    this.#options = options;
    this.#clock = new RetentionClock(store, options.clocks);
  }

  run(): Promise<MaintenanceResult | undefined> {
    return withStatementLimit(STATEMENT_LIMIT_MS, () => this.#takeTurn());
  }

  async #takeTurn(): Promise<MaintenanceResult | undefined> {
    if (this.#store.engine === "sqlite") return await this.#work();
    // The transaction holds nothing but the lock: it lasts as long as the run, and ends with its process.
    return await transact(this.#store, async (execute) => {
      const sql = "select pg_try_advisory_xact_lock($1) as locked";
      const [lock] = await execute<{ locked: boolean }>(sql, [ADVISORY_LOCK]);
      return lock?.locked === true ? await this.#work() : undefined;
    });
  }

  plan(): Promise<{ readonly time: BelievedTime; readonly plans: readonly KindPlan[] }> {
    return withStatementLimit(STATEMENT_LIMIT_MS, async () => {
      const time = await this.#clock.read();
      return { time, plans: await planRetention(this.#store, this.#retention, time) };
    });
  }

  async confirm(): Promise<void> {
    const { time, plans } = await this.plan();
    await confirmRetention(this.#store, plans, time.now);
  }

  held(): readonly Held[] {
    return this.#held;
  }

  start(): void {
    // Records of this process have the times of its clock: the database is asked before they come. A run asks again.
    this.#clock.begin().catch(() => {});
    this.#schedule(this.#options.firstMs);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await Promise.race([this.#running, delay(CLOSE_LIMIT_MS, undefined, { ref: false })]);
  }

  async #work(): Promise<MaintenanceResult> {
    const { time, plans } = await this.plan();
    const { now } = time;
    const { signal } = this.#closing;
    const daysAhead = Math.max(...PARTITION_PLANS.map((plan) => plan.daysAhead));
    const createdPartitions = await ensurePartitions(this.#store, now, new Date(now.getTime() + daysAhead * DAY_MS));
    const builtPeriods = await buildPeriods(this.#store, now, signal);
    const deleted = await applyRetention(this.#store, plans, { now, signal });
    if (!time.isDoubted) {
      await deleteEndedSessions(this.#store, now);
      await forgetNames(this.#store, now);
    }
    await emptyLog(this.#store);
    this.#held = plans.flatMap(({ held }) => held ?? []);
    this.#warn(time);
    return { createdPartitions, builtPeriods, ...deleted, held: this.#held };
  }

  #warn(time: BelievedTime): void {
    const { log } = this.#options;
    const { processAheadMs, now } = time;
    if (Math.abs(processAheadMs) > APART_MS) {
      log.warn(
        { processAheadMs, retentionTime: now },
        "the clock of this process differs from the time of retention: correct it and restart Attune",
      );
    }
    for (const held of this.#held)
      log.warn({ ...held, retentionTime: now, lastUsed: time.lastUsed }, describeHeld(held));
  }

  /** Waits for 90 to 110 percent of the time, so that replicas which started together do not stay together. */
  #schedule(afterMs: number): void {
    if (this.#closing.signal.aborted) return;
    this.#timer = setTimeout(
      () => {
        this.#running = this.#runOnce().finally(() => this.#schedule(this.#pauseMs()));
      },
      afterMs * (0.9 + Math.random() / 5),
    );
    this.#timer.unref();
  }

  #pauseMs(): number {
    const { everyMs } = this.#options;
    return this.#held.length === 0 ? everyMs : Math.min(everyMs, WAITING_MS);
  }

  async #runOnce(): Promise<void> {
    try {
      const result = await this.run();
      if (result !== undefined && hasDone(result)) this.#options.log.info(result, "database maintenance done");
    } catch (error) {
      this.#options.log.error({ err: error }, "database maintenance failed; next try in an hour");
    }
  }
}

function hasDone({ createdPartitions, droppedPartitions, builtPeriods, deleted }: MaintenanceResult): boolean {
  const rows = Object.values(deleted).reduce((sum, count) => sum + count, 0);
  return createdPartitions.length + droppedPartitions.length + builtPeriods + rows > 0;
}

/** Says in a sentence what waits for an operator, why, and what to do. */
function describeHeld({ kind, before, expired, percent, reason }: Held): string {
  const what = `${expired} ${kind === "hours" || kind === "figures" ? "hours of " : ""}${KINDS_OF_DATA[kind].name}`;
  const much = `${what} (${percent.toFixed(0)} % of all) from before ${before.toISOString()} are not deleted`;
  const why =
    reason === "clock"
      ? "the clock is weeks ahead of all that the database knows, and may be wrong"
      : "that is more than a run deletes by itself";
  return `${much}: ${why}; 'attune retention' shows what waits, 'attune retention --yes' deletes it`;
}
