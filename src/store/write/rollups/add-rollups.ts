import type { SqlEntityManager } from "@mikro-orm/sql";
import { columnsOf } from "../../database/columns.ts";
import type { Executor } from "../../database/executor.ts";
import { weeksEnd } from "../../database/weeks-end.ts";
import { FeedbackDay, FeedbackHour } from "../../entities/feedback-rollup.ts";
import { NAMES_PER_PROJECT } from "../../entities/rollup-name.ts";
import { UsageDay, UsageHour, UsageWeek } from "../../entities/usage.ts";
import { periodOf } from "../../types/period.ts";
import type { Engine } from "../../types/store.ts";
import { createAdder, createUsageAdder } from "./adder.ts";
import { holdWeeks } from "./build-weeks.ts";
import { type CountedFeedback, countFeedback } from "./count-feedback.ts";
import { type CountedInference, countUsage } from "./count-usage.ts";
import { RollupNames } from "./rollup-names.ts";

/** Adds rows to the rollups, within the transaction that writes the rows. */
export interface Rollups {
  addInferences(execute: Executor, inferences: readonly CountedInference[]): Promise<void>;
  addFeedback(execute: Executor, entries: readonly CountedFeedback[]): Promise<void>;
}

/** Creates the rollups of a database. */
export function createRollups(
  engine: Engine,
  em: SqlEntityManager,
  namesPerProject: number = NAMES_PER_PROJECT,
): Rollups {
  const names = new RollupNames(engine, namesPerProject);
  const usage = {
    hour: createUsageAdder(engine, "usage_hour", columnsOf(em, UsageHour)),
    day: createUsageAdder(engine, "usage_day", columnsOf(em, UsageDay)),
    week: createUsageAdder(engine, "usage_week", columnsOf(em, UsageWeek)),
  };
  const feedback = {
    hour: createAdder(engine, "feedback_hour", columnsOf(em, FeedbackHour), ""),
    day: createAdder(engine, "feedback_day", columnsOf(em, FeedbackDay), ""),
  };
  return {
    async addInferences(execute, given) {
      if (given.length === 0) return;
      await holdWeeks(execute, engine);
      const inferences = await withCountedWorkloads(execute, names, given);
      await usage.hour(execute, countUsage("hour", inferences));
      await usage.day(execute, countUsage("day", inferences));
      const late = await inWeeksMade(execute, engine, inferences);
      if (late.length > 0) await usage.week(execute, countUsage("week", late));
    },
    async addFeedback(execute, given) {
      if (given.length === 0) return;
      const metricOf = await names.tellApart(execute, "metric", given);
      const workloads = await withCountedWorkloads(execute, names, given);
      const entries = workloads.map((entry) => withName(entry, "name", metricOf(entry.projectId, entry.name)));
      await feedback.hour(execute, countFeedback("hour", entries));
      await feedback.day(execute, countFeedback("day", entries));
    },
  };
}

async function withCountedWorkloads<Row extends { readonly projectId: string; readonly workload: string }>(
  execute: Executor,
  names: RollupNames,
  rows: readonly Row[],
): Promise<Row[]> {
  const named = rows.map(({ projectId, workload }) => ({ projectId, name: workload }));
  const nameOf = await names.tellApart(execute, "workload", named);
  return rows.map((row) => withName(row, "workload", nameOf(row.projectId, row.workload)));
}

/** Most rows have their own name, and stay as they are. */
function withName<Row extends object, Key extends keyof Row>(row: Row, key: Key, name: Row[Key]): Row {
  return row[key] === name ? row : { ...row, [key]: name };
}

/** Returns the inferences of weeks that are summed up already. */
async function inWeeksMade(
  execute: Executor,
  engine: Engine,
  inferences: readonly CountedInference[],
): Promise<CountedInference[]> {
  const ends = new Map<string, number>();
  for (const { projectId } of inferences) {
    if (!ends.has(projectId)) ends.set(projectId, await weeksEnd(execute, engine, projectId));
  }
  return inferences.filter(
    ({ id, projectId, startedAt }) => periodOf("week", id, startedAt) < (ends.get(projectId) ?? 0),
  );
}
