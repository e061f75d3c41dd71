import { idTimeMs } from "../../lib/ids.ts";
import { type Clocks, createSteadyClock, SYSTEM_CLOCKS } from "../../lib/steady-clock.ts";
import { readRows } from "../database/executor.ts";
import type { Store } from "../types/store.ts";

/** The time that retention goes by. */
export interface BelievedTime {
  readonly now: Date;
  /** When the database was last in use, as far as it tells; undefined for one that never was. */
  readonly lastUsed: Date | undefined;
  /** True if it is so much later than that that the clock may be wrong. */
  readonly isDoubted: boolean;
  /** The time by which this process's clock is ahead; negative if it is behind. */
  readonly processAheadMs: number;
}

const DAY_MS = 86_400_000;

/** The idle time of a database from which the clock is doubted: longer than any holiday. */
const MOST_UNUSED_MS = 35 * DAY_MS;

/**
 * The clock of retention. On PostgreSQL it is the database's; on SQLite, which has none, the earlier one of the
 * system's clock and of the time that has passed since the process began. Either is compared with what the database
 * remembers.
 */
export class RetentionClock {
  readonly #store: Store;
  readonly #clocks: Clocks;
  readonly #steady: () => number;
  #begun: Promise<{ readonly lastUsedMs: number | undefined; readonly atMs: number }> | undefined;

  constructor(store: Store, clocks: Clocks = SYSTEM_CLOCKS) {
    this.#store = store;
    this.#clocks = clocks;
    this.#steady = createSteadyClock(clocks);
  }

  /** Reads the time. Rejects if the database fails. */
  async read(): Promise<BelievedTime> {
    const { lastUsedMs, atMs } = await this.begin();
    const nowMs = await this.#readNow();
    const usedMs = lastUsedMs === undefined ? undefined : lastUsedMs + this.#clocks.monotonic() - atMs;
    return {
      now: new Date(nowMs),
      lastUsed: lastUsedMs === undefined ? undefined : new Date(lastUsedMs),
      processAheadMs: this.#clocks.now() - nowMs,
      isDoubted: usedMs !== undefined && nowMs - usedMs > MOST_UNUSED_MS,
    };
  }

  /**
   * Notes when the database was last in use: once, before this process writes records with times of the clock in
   * question.
   */
  async begin(): Promise<{ readonly lastUsedMs: number | undefined; readonly atMs: number }> {
    const atMs = this.#clocks.monotonic();
    this.#begun ??= readLastUsed(this.#store).then((lastUsedMs) => ({ lastUsedMs, atMs }));
    try {
      return await this.#begun;
    } catch (error) {
      this.#begun = undefined;
      throw error;
    }
  }

  async #readNow(): Promise<number> {
    if (this.#store.engine === "sqlite") return Math.min(this.#clocks.now(), this.#steady());
    const sql = "select (extract(epoch from clock_timestamp()) * 1000)::float8 as now";
    const [row] = await readRows<{ now: number }>(this.#store, sql, []);
    if (row === undefined) throw new Error("PostgreSQL didn't return its time");
    return row.now;
  }
}

async function readLastUsed(store: Store): Promise<number | undefined> {
  const times: number[] = [];
  for (const table of ["inference", "feedback_entry"]) {
    const [row] = await readRows<{ id: string }>(store, `select id from ${table} order by id desc limit 1`, []);
    const timeMs = row === undefined ? undefined : idTimeMs(row.id);
    if (timeMs !== undefined) times.push(timeMs);
  }
  const marks = await store.query().selectFrom("RetentionMark").select("ranAt").execute();
  times.push(...marks.map(({ ranAt }) => ranAt.getTime()));
  return times.length === 0 ? undefined : Math.max(...times);
}
