import {
  estimateImprovement,
  type ImprovementEstimate,
  type TokenPrice,
} from "../../learning/improve/estimate-improvement.ts";
import { limitCalls } from "../../learning/improve/limit-calls.ts";
import type { WorkloadControls, WorkloadKey } from "../../learning/workload.ts";
import { USUAL_CALLS } from "../../vocabulary/improvement.ts";
import type { Store } from "../types/store.ts";
import { readRecordedFacts } from "./improve-store.ts";

/** The models of improvements, which are not in the database. */
export interface ImprovementPorts {
  /** Returns the models that may answer for a base, base among them. */
  readonly alternativesOf: (model: string) => readonly string[];
  /** Returns the price of tokens at a model, in nano-USD; undefined where it has none. */
  readonly priceOf: TokenPrice;
}

/** The options of a plan. */
export interface PlanOptions extends ImprovementPorts {
  readonly controls: WorkloadControls;
  /** The models that may be asked; all that may answer in base's place if empty. */
  readonly models?: readonly string[];
  readonly mostCalls?: number | undefined;
}

/** The facts of a workload before an improvement, and the cost of that. */
export interface ImprovementPlan extends ImprovementEstimate {
  readonly recorded: number;
  readonly rated: number;
  /** Requests that others may be asked for, which may be fewer than somebody wants: see `limitCalls`. */
  readonly mostCalls: number;
  readonly judge: string | undefined;
  readonly secondJudge: string | undefined;
  /** The models that would be asked. */
  readonly models: readonly string[];
}

/** Returns the models that an improvement of a workload may ask. */
export function improvementModels(
  { model }: WorkloadKey,
  { controls, alternativesOf }: Pick<PlanOptions, "controls" | "alternativesOf">,
): readonly string[] {
  const { excluded, shadow } = controls;
  const others = [model, shadow.judge, shadow.secondJudge, ...excluded];
  return alternativesOf(model).filter((name) => !others.includes(name));
}

/** Reads what is known of a workload before an improvement. */
export async function planImprovement(
  store: Store,
  key: WorkloadKey,
  { models = [], mostCalls: wanted = USUAL_CALLS, ...options }: PlanOptions,
): Promise<ImprovementPlan> {
  const { recorded, rated, reviewed, tokens } = await readRecordedFacts(store, key);
  const { judge, secondJudge } = options.controls.shadow;
  const candidates = models.length === 0 ? improvementModels(key, options) : models;
  const judges = [...new Set([judge, secondJudge].filter((name) => name !== undefined))];
  const mostCalls = limitCalls(wanted, { judges: judges.length, reviewed });
  const facts = { recorded, rated, mostCalls, judge, secondJudge, models: candidates };
  if (judge === undefined || tokens === undefined) return { ...facts, nanos: undefined, unpriced: [] };
  const calls = Math.min(mostCalls, recorded);
  const { priceOf } = options;
  const expected = { models: candidates, judges, calls, checks: rated, tokens };
  const estimate = estimateImprovement({ ...expected, priceOf });
  if (estimate.nanos === undefined || (await isFlexOff(store, key.projectId))) return { ...facts, ...estimate };
  const inFlex = estimateImprovement({ ...expected, priceOf: (name, counts) => priceOf(name, counts, "flex") });
  const flexNanos = inFlex.nanos?.mean ?? estimate.nanos.mean;
  return { ...facts, ...estimate, ...(flexNanos < estimate.nanos.mean && { flexNanos }) };
}

async function isFlexOff(store: Store, project: string): Promise<boolean> {
  const settings = store
    .query()
    .selectFrom("ProjectSettings")
    .select("optimizationsOff")
    .where("project", "=", project);
  return (await settings.executeTakeFirst())?.optimizationsOff?.includes("flexTier") === true;
}
