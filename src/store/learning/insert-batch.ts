import type { LearningEvent } from "../../learning/events.ts";
import { newId } from "../../lib/ids.ts";
import type { Executor } from "../database/executor.ts";
import type { Engine } from "../types/store.ts";
import { sql, timeIn } from "./engine-sql.ts";

/** Writes events that are to be learned together, within a transaction. */
export async function insertBatch(
  engine: Engine,
  execute: Executor,
  { events, dueAtMs }: { readonly events: readonly LearningEvent[]; readonly dueAtMs: number },
): Promise<void> {
  await execute(sql(engine, 'insert into "learning_batch" ("id", "due_at", "size", "events") values (?, ?, ?, ?)'), [
    newId(),
    timeIn(engine, dueAtMs),
    events.length,
    JSON.stringify(events),
  ]);
}
