import { type ChangedState, type HistoryEvent, type Learned, LearningConflict } from "../../learning/ports.ts";
import { newId } from "../../lib/ids.ts";
import { CHANNELS } from "../changes/change-feed.ts";
import { notifyChange } from "../changes/notify-change.ts";
import type { Executor } from "../database/executor.ts";
import type { Engine } from "../types/store.ts";
import { sql, timeIn } from "./engine-sql.ts";
import { insertBatch } from "./insert-batch.ts";
import { writePoint } from "./workload-points.ts";

/** Events that are kept of a workload: the latest. */
const KEPT_EVENTS = 200;

/**
 * Writes what a step learned, within a transaction. Throws a LearningConflict, which has to undo it, where another step
 * came between.
 */
export async function writeLearned(engine: Engine, execute: Executor, learned: Learned): Promise<void> {
  const now = timeIn(engine, Date.now());
  await countGeneration(engine, execute);
  await consume(engine, execute, learned.consumed);
  for (const batch of learned.putBack) await insertBatch(engine, execute, batch);
  for (const state of learned.states) {
    await writeState(engine, execute, state, now);
    await writePoint(engine, execute, state);
  }
  await writeHistory(engine, execute, learned.history);
  if (learned.hasNews) await notifyChange(execute, engine, { channel: CHANNELS.workloads });
}

/**
 * Takes the turn of this step: two at once wait for each other here, and none is let through while states are rebuilt.
 */
async function countGeneration(engine: Engine, execute: Executor): Promise<void> {
  // By the clock of whoever holds the pause: processes of SQLite are on one machine.
  const [now, values] = engine === "postgres" ? ["now()", []] : ["?", [Date.now()]];
  const counted = await execute(
    sql(
      engine,
      `insert into "learning_mark" ("id", "generation", "paused_until") values (1, 1, null) on conflict ("id") do update
         set "generation" = "learning_mark"."generation" + 1
         where "learning_mark"."paused_until" is null or "learning_mark"."paused_until" <= ${now} returning "generation"`,
    ),
    values,
  );
  if (counted.length === 0) throw new LearningConflict("the states are being rebuilt");
}

/** Deletes batches; throws a LearningConflict if one of them is gone. */
async function consume(engine: Engine, execute: Executor, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const list =
    engine === "postgres"
      ? "select value::uuid from json_array_elements_text($1::json)"
      : "select value from json_each(?)";
  const deleted = await execute(`delete from "learning_batch" where "id" in (${list}) returning "id"`, [
    JSON.stringify(ids),
  ]);
  if (deleted.length !== ids.length) throw new LearningConflict("another process has learned from it");
}

async function writeState(engine: Engine, execute: Executor, state: ChangedState, now: string | number): Promise<void> {
  const { key, from, snapshot, rewards } = state;
  const written =
    from === 0
      ? await execute(
          sql(
            engine,
            `insert into "workload_state" ("project_id", "model", "version", "updated_at", "rewards", "snapshot")
               values (?, ?, 1, ?, ?, ?) on conflict do nothing returning "version"`,
          ),
          [key.projectId, key.model, now, rewards, snapshot],
        )
      : await execute(
          sql(
            engine,
            `update "workload_state" set "version" = "version" + 1, "updated_at" = ?, "rewards" = ?, "snapshot" = ?
               where "project_id" = ? and "model" = ? and "version" = ? returning "version"`,
          ),
          [now, rewards, snapshot, key.projectId, key.model, from],
        );
  if (written.length === 0) throw new LearningConflict(`another process has changed what is known of ${key.model}`);
}

/** Appends events, and deletes those beyond what is kept of each workload. */
export async function writeHistory(engine: Engine, execute: Executor, history: readonly HistoryEvent[]): Promise<void> {
  const touched = new Map(history.map(({ key }) => [`${key.projectId}/${key.model}`, key]));
  for (const { key, kind, detail } of history) {
    await execute(
      sql(
        engine,
        'insert into "workload_event" ("id", "project_id", "model", "at", "kind", "detail") values (?, ?, ?, ?, ?, ?)',
      ),
      [newId(), key.projectId, key.model, timeIn(engine, Date.now()), kind, JSON.stringify(detail)],
    );
  }
  for (const { projectId, model } of touched.values()) {
    await execute(
      sql(
        engine,
        `delete from "workload_event" where "project_id" = ? and "model" = ? and "id" in (
           select "id" from "workload_event" where "project_id" = ? and "model" = ? order by "id" desc
           limit 1000 offset ${KEPT_EVENTS})`,
      ),
      [projectId, model, projectId, model],
    );
  }
}
