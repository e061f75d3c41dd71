import type { EntityName } from "@mikro-orm/core";
import type { SqlEntityManager } from "@mikro-orm/sql";
import { listColumns } from "../../database/columns.ts";
import type { Executor } from "../../database/executor.ts";
import { type PeriodsEnds, periodsEnds } from "../../database/periods-end.ts";
import { FeedbackDay, FeedbackFactDay, FeedbackHour } from "../../entities/feedback-rollup.ts";
import { NAMES_PER_PROJECT } from "../../entities/rollup-name.ts";
import { UsageDay, UsageHour } from "../../entities/usage.ts";
import { UsageFactDay } from "../../entities/usage-fact.ts";
import { getPeriod } from "../../types/period.ts";
import type { Engine } from "../../types/store.ts";
import type { RatedCalls } from "../recorder/rated-calls.ts";
import { createAdder, createUsageAdder } from "./adder.ts";
import { holdPeriods } from "./build-periods.ts";
import { countFacts, type InferenceWithFacts, namesOfFacts } from "./count-facts.ts";
import { type CountedFeedback, countFeedback } from "./count-feedback.ts";
import { countFeedbackFacts, namesOfRated } from "./count-feedback-facts.ts";
import { type CountedInference, countUsage } from "./count-usage.ts";
import { FEEDBACK_FACTS, LARGER_ROLLUPS, type LargerRollup, USAGE_FACTS, USAGE_WEEKS } from "./larger-rollups.ts";
import { mergeStatuses, withAllKeys } from "./merge-facts.ts";
import { type CountedName, RollupNames } from "./rollup-names.ts";

const TABLES = LARGER_ROLLUPS.map(({ table }) => table);

/** The ends of the rollups that are made of shorter periods, by project. */
type Ends = ReadonlyMap<string, PeriodsEnds>;

/** A row of a project. */
interface ProjectRow {
  readonly id: string;
  readonly projectId: string;
}

/** Reads up to where the projects of rows have longer periods. */
async function readEnds(execute: Executor, engine: Engine, rows: Iterable<ProjectRow>): Promise<Ends> {
  const ends = new Map<string, PeriodsEnds>();
  for (const { projectId } of rows) {
    if (!ends.has(projectId)) ends.set(projectId, await periodsEnds(execute, engine, { tables: TABLES, projectId }));
  }
  return ends;
}

/** Returns the rows of periods that a rollup has already: they belong into it too. */
function lateRows<Row extends ProjectRow>(
  rows: readonly Row[],
  { table, period }: Pick<LargerRollup, "table" | "period">,
  { ends, timeOf }: { readonly ends: Ends; readonly timeOf: (row: Row) => Date },
): Row[] {
  return rows.filter((row) => getPeriod(period, row.id, timeOf(row)) < (ends.get(row.projectId)?.[table] ?? 0));
}

/** The rows that are counted together. */
export interface Counted {
  readonly inferences: readonly InferenceWithFacts[];
  readonly feedback: readonly CountedFeedback[];
  /** The calls that the feedback is on, as far as they are known. */
  readonly calls: RatedCalls;
  /** -1 takes the feedback off where it was added. */
  readonly times?: 1 | -1;
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
  const addFacts = createFactRollups(engine, em);
  const addFeedback = createFeedbackRollups(engine, em);
  return async (execute, { inferences, feedback, calls, times = 1 }) => {
    await holdPeriods(execute, engine);
    const ends = await readEnds(execute, engine, [...inferences, ...feedback]);
    // Of all rows before any is counted: who waits for another's name must hold no row of the rollups that the other
    // waits for.
    const nameOf = await names.tellApart(execute, {
      metric: feedback,
      end_user: [...namesOfFacts("end_user", inferences), ...namesOfRated("end_user", feedback, calls)],
      tag: [...namesOfFacts("tag", inferences), ...namesOfRated("tag", feedback, calls)],
      workload: [...inferences, ...feedback].map(({ projectId, workload }) => ({ projectId, name: workload })),
    });
    if (inferences.length > 0) {
      await addInferences(execute, withCountedWorkloads(inferences, nameOf), ends);
      await addFacts(execute, inferences, { ends, nameOf });
    }
    if (feedback.length === 0) return;
    const counted = withCountedMetrics(withCountedWorkloads(feedback, nameOf), nameOf);
    await addFeedback(execute, { entries: counted, calls, times, ends, nameOf });
  };
}

function createInferenceRollups(engine: Engine, em: SqlEntityManager) {
  const addHours = createUsageAdder(engine, "usage_hour", listColumns(em, UsageHour));
  const addDays = createUsageAdder(engine, "usage_day", listColumns(em, UsageDay));
  const addWeeks = createUsageAdder(engine, USAGE_WEEKS.table, listColumns(em, USAGE_WEEKS.entity));
  return async (execute: Executor, inferences: readonly CountedInference[], ends: Ends) => {
    await addHours(execute, countUsage("hour", inferences));
    await addDays(execute, countUsage("day", inferences));
    const late = lateRows(inferences, USAGE_WEEKS, { ends, timeOf: getStart });
    if (late.length > 0) await addWeeks(execute, countUsage("week", late));
  };
}

function createFactRollups(engine: Engine, em: SqlEntityManager) {
  const addDays = createUsageAdder(engine, "usage_fact_day", listColumns(em, UsageFactDay));
  const larger = USAGE_FACTS.map((rollup) => ({
    rollup,
    add: createUsageAdder(engine, rollup.table, listColumns(em, rollup.entity)),
  }));
  return async (
    execute: Executor,
    inferences: readonly InferenceWithFacts[],
    { ends, nameOf }: { readonly ends: Ends; readonly nameOf: CountedName },
  ) => {
    const facts = countFacts("day", inferences, nameOf);
    if (facts.length > 0) await addDays(execute, facts);
    for (const { rollup, add } of larger) {
      const late = lateRows(inferences, rollup, { ends, timeOf: getStart });
      const rows = mergeStatuses(countFacts(rollup.period, late, nameOf));
      if (rows.length > 0) await add(execute, rows);
    }
  };
}

function getStart({ startedAt }: Pick<CountedInference, "startedAt">): Date {
  return startedAt;
}

interface RatedFeedback {
  readonly entries: readonly CountedFeedback[];
  readonly calls: RatedCalls;
  readonly times: 1 | -1;
  readonly ends: Ends;
  readonly nameOf: CountedName;
}

function createFeedbackRollups(engine: Engine, em: SqlEntityManager) {
  const adderOf = (table: string, entity: EntityName) => createAdder(engine, table, listColumns(em, entity), "");
  const addHours = adderOf("feedback_hour", FeedbackHour);
  const addDays = adderOf("feedback_day", FeedbackDay);
  const addFactDays = adderOf("feedback_fact_day", FeedbackFactDay);
  const larger = FEEDBACK_FACTS.map((rollup) => ({ rollup, add: adderOf(rollup.table, rollup.entity) }));
  return async (execute: Executor, { entries, calls, times, ends, nameOf }: RatedFeedback) => {
    await addHours(execute, countFeedback("hour", entries, calls, times));
    await addDays(execute, countFeedback("day", entries, calls, times));
    await addFactDays(execute, countFeedbackFacts("day", entries, { calls, times, nameOf }));
    for (const { rollup, add } of larger) {
      const late = lateRows(entries, rollup, { ends, timeOf: ({ createdAt }) => createdAt });
      const rows = withAllKeys(countFeedbackFacts(rollup.period, late, { calls, times, nameOf }));
      if (rows.length > 0) await add(execute, rows);
    }
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
