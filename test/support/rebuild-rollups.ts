import type { EntityName } from "@mikro-orm/core";
import type { SqlEntityManager } from "@mikro-orm/sql";
import { listColumns } from "../../src/store/database/columns.ts";
import type { Executor } from "../../src/store/database/executor.ts";
import { FeedbackEntry, type FeedbackEntryRow } from "../../src/store/entities/feedback-entry.ts";
import { Inference, type InferenceRow } from "../../src/store/entities/inference.ts";
import type { Engine } from "../../src/store/types/store.ts";
import { createCallReader } from "../../src/store/write/recorder/rated-calls.ts";
import { createRollups } from "../../src/store/write/rollups/add-rollups.ts";

/** Rows that are held at a time. */
const ROWS_PER_READ = 5000;

/**
 * Counts all rows anew, within one transaction. What was counted of rows that are no longer there is lost, so this is
 * for a database that has no rollups yet.
 */
export async function rebuildRollups(execute: Executor, engine: Engine, em: SqlEntityManager): Promise<void> {
  for (const table of [
    "usage_hour",
    "usage_day",
    "usage_week",
    "usage_fact_day",
    "usage_fact_week",
    "usage_fact_four_weeks",
    "feedback_hour",
    "feedback_day",
    "feedback_fact_day",
    "feedback_fact_week",
    "feedback_fact_four_weeks",
  ]) {
    await execute(`delete from "${table}"`, []);
  }
  const add = createRollups(engine, em);
  const readCalls = createCallReader(engine);
  const inferences = readInOrder<InferenceRow>(execute, { engine, em, table: "inference", entity: Inference });
  for await (const rows of inferences) await add(execute, { inferences: rows, feedback: [], calls: new Map() });
  const feedback = readInOrder<FeedbackEntryRow>(execute, {
    engine,
    em,
    table: "feedback_entry",
    entity: FeedbackEntry,
  });
  for await (const rows of feedback) {
    await add(execute, {
      inferences: [],
      feedback: rows,
      calls: await readCalls(execute, { inferences: [], feedback: rows }),
    });
  }
}

interface Source {
  readonly engine: Engine;
  readonly em: SqlEntityManager;
  readonly table: string;
  readonly entity: EntityName;
}

async function* readInOrder<Row extends { readonly id: string }>(execute: Executor, source: Source) {
  const columns = listColumns(source.em, source.entity);
  const names = columns.map(({ name, property }) => `"${name}" as "${property}"`).join(", ");
  const after = source.engine === "postgres" ? "$1" : "?1";
  const sql = `select ${names} from "${source.table}" where "id" > ${after} order by "id" limit ${ROWS_PER_READ}`;
  let last = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const raw = await execute<Record<string, unknown>>(sql, [last]);
    const rows = raw.map(
      (row) =>
        Object.fromEntries(columns.map(({ property, fromDatabase }) => [property, fromDatabase(row[property])])) as Row,
    );
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1)?.id ?? last;
  }
}
