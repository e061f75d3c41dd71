import type { SqlEntityManager } from "@mikro-orm/sql";
import { type Column, columnsOf } from "../bulk/columns.ts";
import type { Executor } from "../bulk/executor.ts";
import { createInserter, type RowInserter } from "../bulk/insert-rows.ts";
import type { Engine } from "../database-url.ts";
import { FeedbackDay, FeedbackHour } from "../entities/feedback-rollup.ts";
import { UsageDay, UsageHour, type UsageRow } from "../entities/usage.ts";
import { type CountedFeedback, countFeedback } from "./count-feedback.ts";
import { type CountedInference, countUsage, USAGE_KEY } from "./count-usage.ts";
import { addHistogram, encodeHistogram, type Histogram } from "./histogram.ts";

/** Adds rows to the rollups of hours and days, within the transaction that writes the rows. */
export interface Rollups {
  addInferences(execute: Executor, inferences: readonly CountedInference[]): Promise<void>;
  addFeedback(execute: Executor, entries: readonly CountedFeedback[]): Promise<void>;
}

/** Histograms are text: they are not summed up by the database. */
const HISTOGRAMS: readonly string[] = ["latencies", "firstTokens"];

/** Creates the rollups of a database. */
export function createRollups(engine: Engine, em: SqlEntityManager): Rollups {
  const usage = {
    hour: usageAdder(engine, "usage_hour", columnsOf(em, UsageHour)),
    day: usageAdder(engine, "usage_day", columnsOf(em, UsageDay)),
  };
  const feedback = {
    hour: additive(engine, "feedback_hour", columnsOf(em, FeedbackHour), ""),
    day: additive(engine, "feedback_day", columnsOf(em, FeedbackDay), ""),
  };
  return {
    async addInferences(execute, inferences) {
      await usage.hour(execute, countUsage("hour", inferences));
      await usage.day(execute, countUsage("day", inferences));
    },
    async addFeedback(execute, entries) {
      await feedback.hour(execute, countFeedback("hour", entries));
      await feedback.day(execute, countFeedback("day", entries));
    },
  };
}

/**
 * Inserts rows, or adds them to those of the same key. They come in the order of their keys, so that no two transactions
 * can wait for each other.
 */
function additive(engine: Engine, table: string, columns: readonly Column[], ending: string): RowInserter {
  const keys = columns.filter(({ isKey }) => isKey).map(({ name }) => `"${name}"`);
  const sums = columns
    .filter(({ isKey, property }) => !isKey && !HISTOGRAMS.includes(property))
    .map(({ name }) => `"${name}" = "${table}"."${name}" + excluded."${name}"`);
  const conflict = `on conflict (${keys.join(", ")}) do update set ${sums.join(", ")} ${ending}`;
  return createInserter(engine, { table, columns, ending: conflict });
}

type UsageAdder = (execute: Executor, rows: readonly UsageRow[]) => Promise<void>;

/** A row as the database has it after its counts were added, its histograms being those from before. */
interface Before {
  readonly calls: number | string;
  readonly latencies: string;
  readonly first_tokens: string;
}

/**
 * Adds the counts, which locks the rows, and then writes the sums of the histograms to those that were there before: they
 * have more calls than were added.
 */
function usageAdder(engine: Engine, table: string, columns: readonly Column[]): UsageAdder {
  const returning = 'returning "calls", "latencies", "first_tokens"';
  const insert = additive(engine, table, columns, returning);
  const update = histogramUpdater(engine, table, columns);
  return async (execute, rows) => {
    const before = await insert<Before>(execute, rows);
    const merged = rows.flatMap((row, index) => {
      const found = before[index];
      if (found === undefined) throw new Error(`${table} returned fewer rows than it was given`);
      if (Number(found.calls) === row.calls) return [];
      return [
        {
          ...row,
          latencies: merge(found.latencies, row.latencies),
          firstTokens: merge(found.first_tokens, row.firstTokens),
        },
      ];
    });
    await update(execute, merged);
  };
}

function histogramUpdater(engine: Engine, table: string, columns: readonly Column[]): UsageAdder {
  const keys = columns.filter(({ isKey }) => isKey);
  if (engine === "postgres") {
    const fields = [
      ...keys.map(({ property, type }) => `"${property}" ${type}`),
      "latencies text",
      '"firstTokens" text',
    ];
    const same = keys.map(({ name, property }) => `"${table}"."${name}" = given."${property}"`).join(" and ");
    const set = 'set "latencies" = given."latencies", "first_tokens" = given."firstTokens"';
    const sql = `update "${table}" ${set} from json_to_recordset($1::json) as given (${fields.join(", ")}) where ${same}`;
    return async (execute, rows) => {
      if (rows.length > 0) await execute(sql, [JSON.stringify(rows)]);
    };
  }
  const same = keys.map(({ name }) => `"${name}" = ?`).join(" and ");
  const sql = `update "${table}" set "latencies" = ?, "first_tokens" = ? where ${same}`;
  return async (execute, rows) => {
    for (const row of rows) {
      await execute(sql, [row.latencies, row.firstTokens, ...USAGE_KEY.map((property) => row[property])]);
    }
  };
}

function merge(stored: string, added: string): string {
  const histogram: Histogram = [];
  addHistogram(histogram, stored);
  addHistogram(histogram, added);
  return encodeHistogram(histogram);
}
