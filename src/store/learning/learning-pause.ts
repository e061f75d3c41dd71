import { LearningConflict } from "../../learning/ports.ts";
import { readClock } from "../database/clock.ts";
import { type Executor, transact } from "../database/executor.ts";
import type { Store } from "../types/store.ts";
import { sql, timeIn } from "./engine-sql.ts";

/** A pause of learning in all processes of a database, which one process holds. */
export interface LearningPause {
  /** Counts as whoever learns does. Throws a LearningConflict if somebody learned during the pause all the same. */
  takeTurn(execute: Executor): Promise<void>;
}

/** A process that dies holds up the learner for so long at most. */
const PAUSE_MS = 60_000;
const RENEW_MS = 15_000;

/** Has nobody learn while work runs. Rejects with a LearningConflict where another process holds such a pause. */
export async function withLearningPause<T>(store: Store, work: (pause: LearningPause) => Promise<T>): Promise<T> {
  const { engine } = store;
  const update = (text: string, values: readonly unknown[]) =>
    transact(store, (execute) => execute<{ generation: number }>(sql(engine, text), values));
  const now = await readClock(store);
  let until = timeIn(engine, now + PAUSE_MS);
  const [mark] = await update(BEGIN, [until, timeIn(engine, now)]);
  if (mark === undefined) throw new LearningConflict("another rebuild runs");
  const moveEnd = async (end: string | number | null) => {
    // A process that was held up for long leaves the pause of the next one alone.
    await update('update "learning_mark" set "paused_until" = ? where "id" = 1 and "paused_until" = ?', [end, until]);
    if (end !== null) until = end;
  };
  const renew = async () => await moveEnd(timeIn(engine, (await readClock(store)) + PAUSE_MS));
  let renewing = Promise.resolve();
  const timer = setInterval(() => {
    renewing = renewing.then(renew).catch(() => {});
  }, RENEW_MS);
  try {
    return await work({ takeTurn: (execute) => takeTurn(store, execute, mark.generation) });
  } finally {
    clearInterval(timer);
    await renewing;
    // Where the database is away, the pause ends by itself.
    await moveEnd(null).catch(() => {});
  }
}

const BEGIN = `insert into "learning_mark" ("id", "generation", "paused_until") values (1, 1, ?)
  on conflict ("id") do update set "paused_until" = excluded."paused_until"
    where "learning_mark"."paused_until" is null or "learning_mark"."paused_until" <= ? returning "generation"`;

/** Waits for whoever learns: of two who began with the same states one is too late. */
async function takeTurn({ engine }: Store, execute: Executor, generation: number): Promise<void> {
  const taken = await execute(
    sql(
      engine,
      `update "learning_mark" set "generation" = "generation" + 1 where "id" = 1 and "generation" = ? ` +
        `returning "generation"`,
    ),
    [generation],
  );
  if (taken.length === 0) throw new LearningConflict("something was learned during the rebuild");
}
