import type { SqlEntityManager } from "@mikro-orm/sql";
import { columnsOf } from "../../database/columns.ts";
import type { Executor } from "../../database/executor.ts";
import { weeksEnd } from "../../database/weeks-end.ts";
import { FeedbackDay, FeedbackFactDay, FeedbackHour } from "../../entities/feedback-rollup.ts";
import { NAMES_PER_PROJECT } from "../../entities/rollup-name.ts";
import { UsageDay, UsageHour, UsageWeek } from "../../entities/usage.ts";
import { UsageFactDay } from "../../entities/usage-fact.ts";
import { periodOf } from "../../types/period.ts";
import type { Engine } from "../../types/store.ts";
import type { RatedCalls } from "../recorder/rated-calls.ts";
import { createAdder, createUsageAdder } from "./adder.ts";
import { holdWeeks } from "./build-weeks.ts";
import { countFacts, type InferenceWithFacts, namesOfFacts } from "./count-facts.ts";
import { type CountedFeedback, countFeedback } from "./count-feedback.ts";
import { countFeedbackFacts, namesOfRated } from "./count-feedback-facts.ts";
import { type CountedInference, countUsage } from "./count-usage.ts";
import { type CountedName, RollupNames } from "./rollup-names.ts";

/** The rows that are counted together. */
export interface Counted {
  readonly inferences: readonly InferenceWithFacts[];
  readonly feedback: readonly CountedFeedback[];
  /** The calls that the feedback is on, as far as they are known. */
  readonly calls: RatedCalls;
}

/**
 * Adds rows to the rollups, within the transaction that writes the rows. A transaction calls it once: it goes through
 * the tables in one order, so that no two transactions can wait for each other.
 */
type AddRollups = (execute: Executor, rows: Counted) => Promise<void>;

/** Creates what adds to the rollups of a database. */
export function createRollups(
  engine: Engine,
  em: SqlEntityManager,
  namesPerProject: number = NAMES_PER_PROJECT,
): AddRollups {
  const names = new RollupNames(engine, namesPerProject);
  const addInferences = createInferenceRollups(engine, em);
  const addFacts = createUsageAdder(engine, "usage_fact_day", columnsOf(em, UsageFactDay));
  const addFeedback = createFeedbackRollups(engine, em);
  const addFeedbackFacts = createAdder(engine, "feedback_fact_day", columnsOf(em, FeedbackFactDay), "");
  return async (execute, { inferences, feedback, calls }) => {
    if (inferences.length > 0) await holdWeeks(execute, engine);
    // Of all rows before any is counted: who waits for another's name must hold no row of the rollups that the other
    // waits for.
    const nameOf = await names.tellApart(execute, {
      metric: feedback,
      end_user: [...namesOfFacts("end_user", inferences), ...namesOfRated("end_user", feedback, calls)],
      tag: [...namesOfFacts("tag", inferences), ...namesOfRated("tag", feedback, calls)],
      workload: [...inferences, ...feedback].map(({ projectId, workload }) => ({ projectId, name: workload })),
    });
    if (inferences.length > 0) await addInferences(execute, withCountedWorkloads(inferences, nameOf));
    const facts = countFacts(inferences, nameOf);
    if (facts.length > 0) await addFacts(execute, facts);
    if (feedback.length === 0) return;
    await addFeedback(execute, withCountedMetrics(withCountedWorkloads(feedback, nameOf), nameOf), calls);
    await addFeedbackFacts(execute, countFeedbackFacts(feedback, { calls, nameOf }));
  };
}

type Add<Row> = (execute: Executor, rows: readonly Row[]) => Promise<void>;

function createInferenceRollups(engine: Engine, em: SqlEntityManager): Add<CountedInference> {
  const addHours = createUsageAdder(engine, "usage_hour", columnsOf(em, UsageHour));
  const addDays = createUsageAdder(engine, "usage_day", columnsOf(em, UsageDay));
  const addWeeks = createUsageAdder(engine, "usage_week", columnsOf(em, UsageWeek));
  return async (execute, inferences) => {
    await addHours(execute, countUsage("hour", inferences));
    await addDays(execute, countUsage("day", inferences));
    const late = await inWeeksMade(execute, engine, inferences);
    if (late.length > 0) await addWeeks(execute, countUsage("week", late));
  };
}

function createFeedbackRollups(engine: Engine, em: SqlEntityManager) {
  const addHours = createAdder(engine, "feedback_hour", columnsOf(em, FeedbackHour), "");
  const addDays = createAdder(engine, "feedback_day", columnsOf(em, FeedbackDay), "");
  return async (execute: Executor, entries: readonly CountedFeedback[], calls: RatedCalls) => {
    await addHours(execute, countFeedback("hour", entries, calls));
    await addDays(execute, countFeedback("day", entries, calls));
  };
}

function withCountedWorkloads<Row extends { readonly projectId: string; readonly workload: string }>(
  rows: readonly Row[],
  nameOf: CountedName,
): Row[] {
  return rows.map((row) => withName(row, "workload", nameOf("workload", row.projectId, row.workload)));
}

function withCountedMetrics(entries: readonly CountedFeedback[], nameOf: CountedName): CountedFeedback[] {
  return entries.map((entry) => withName(entry, "name", nameOf("metric", entry.projectId, entry.name)));
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
