import type { WorkloadFigures } from "../../learning/learner/figures.ts";
import type { ChangedState } from "../../learning/ports.ts";
import type { WorkloadKey } from "../../learning/workload.ts";
import type { Executor } from "../database/executor.ts";
import type { Engine, Store } from "../types/store.ts";
import { sql } from "./engine-sql.ts";

/**
 * Steps of a workload's course by their length in minutes, and how many of each are kept: two days, a month, two years.
 */
const STEPS = { 5: 576, 60: 744, 1440: 731 } as const;

/** Minutes of a step of a workload's course. */
export type PointStep = keyof typeof STEPS;

const MINUTE_MS = 60_000;

/** A point of a workload's course. */
export interface WorkloadPoint {
  readonly startMs: number;
  readonly figures: WorkloadFigures;
}

/** Puts a point into the steps that are running, and deletes those that are too old. */
export async function writePoint(engine: Engine, execute: Executor, { key, point }: ChangedState): Promise<void> {
  if (point === undefined) return;
  const { projectId, model } = key;
  const steps = Object.entries(STEPS).map(([minutes, kept]) => {
    const slot = Math.floor(Date.now() / (Number(minutes) * MINUTE_MS));
    return { minutes: Number(minutes), slot, oldest: slot - kept + 1 };
  });
  await execute(
    sql(
      engine,
      `insert into "workload_point" ("project_id", "model", "step_minutes", "slot", "figures")
         values ${steps.map(() => "(?, ?, ?, ?, ?)").join(", ")}
         on conflict ("project_id", "model", "step_minutes", "slot") do update set "figures" = excluded."figures"`,
    ),
    steps.flatMap(({ minutes, slot }) => [projectId, model, minutes, slot, point]),
  );
  await execute(
    sql(
      engine,
      `delete from "workload_point" where "project_id" = ? and "model" = ?
         and (${steps.map(() => '("step_minutes" = ? and "slot" < ?)').join(" or ")})`,
    ),
    [projectId, model, ...steps.flatMap(({ minutes, oldest }) => [minutes, oldest])],
  );
}

/** The query of a part of a workload's course; `toMs` is exclusive. */
interface PointsQuery {
  readonly key: WorkloadKey;
  readonly step: PointStep;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Reads a part of a workload's course, in the order of time. Steps in which nothing was learned have no point. */
export async function readWorkloadPoints(store: Store, query: PointsQuery): Promise<WorkloadPoint[]> {
  const { key, step, fromMs, toMs } = query;
  const stepMs = step * MINUTE_MS;
  const rows = await store
    .query()
    .selectFrom("WorkloadPoint")
    .select(["slot", "figures"])
    .where("projectId", "=", key.projectId)
    .where("model", "=", key.model)
    .where("stepMinutes", "=", step)
    .where("slot", ">=", Math.floor(fromMs / stepMs))
    .where("slot", "<", Math.ceil(toMs / stepMs))
    .orderBy("slot")
    .limit(STEPS[step])
    .execute();
  return rows.map(({ slot, figures }) => ({
    startMs: slot * stepMs,
    // Nothing but the learner writes the table.
    figures: JSON.parse(figures) as WorkloadFigures,
  }));
}
