import type { WorkloadFigures } from "../../../learning/learner/figures.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, stepStart, WEEK_MS } from "../../../store/dashboard/figures/steps.ts";
import type { PointStep, WorkloadPoint } from "../../../store/learning/workload-points.ts";
import { type Bucket, listBuckets } from "../../figures/window.ts";
import { type EstimateView, usedShare, viewEstimate } from "./view-figures.ts";

/** The retention of points of each step, and the step with finer points of the same time. */
const KEPT: Readonly<Record<PointStep, { readonly ms: number; readonly finer: PointStep | undefined }>> = {
  5: { ms: 2 * DAY_MS, finer: undefined },
  60: { ms: 31 * DAY_MS, finer: 5 },
  1440: { ms: 731 * DAY_MS, finer: 60 },
};

const MOST_STEPS = 100;
const STEPS_MS = [
  ...[5, 10, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 6].map((hours) => hours * HOUR_MS),
  DAY_MS,
  WEEK_MS,
];

/** A part of time. */
export interface Span {
  readonly fromMs: number;
  /** Not part of it. */
  readonly toMs: number;
}

/** The course of a workload, from when something was first known of it. */
interface Course extends Span {
  readonly stepMs: number;
  readonly buckets: readonly Bucket[];
  /** One for each bucket. */
  readonly steps: readonly CourseStep[];
}

/** The figures of a workload at the end of a step. */
interface CourseStep {
  readonly rewards: number;
  readonly arms: Readonly<Record<string, EstimateView & { readonly rewards: number }>>;
  readonly chosen: EstimateView;
  /** Used part of each account by its name: 1 is all of it. */
  readonly used: Readonly<Record<string, number>>;
}

/** The source of a course. */
export interface CourseSource {
  readonly read: (step: PointStep, span: Span) => Promise<readonly WorkloadPoint[]>;
  /**
   * The figures now; undefined where nothing is known. Points are some seconds behind, and stay so while nothing is
   * learned.
   */
  readonly current: WorkloadFigures | undefined;
  readonly nowMs: number;
}

/**
 * Reads points in the finest steps that are kept for as long as they tell of; a span until now ends with how it stands.
 */
export async function readCourse({ read, current, nowMs }: CourseSource, span: Span): Promise<Course> {
  const lengthMs = span.toMs - span.fromMs;
  const reaches = (step: PointStep, fromMs: number) => fromMs >= nowMs - KEPT[step].ms;
  const steps = [5, 60, 1440] as const;
  let step: PointStep = steps.find((one) => lengthMs <= KEPT[one].ms && reaches(one, span.fromMs)) ?? 1440;
  let points = await read(step, span);
  for (;;) {
    const [first] = points;
    const { finer } = KEPT[step];
    if (first === undefined || finer === undefined || !reaches(finer, first.startMs)) break;
    step = finer;
    points = await read(step, { ...span, fromMs: first.startMs });
  }
  const isUntilNow = current !== undefined && span.toMs >= nowMs;
  return toCourse(isUntilNow ? [...points, { startMs: nowMs - 1, figures: current }] : points, span);
}

function toCourse(points: readonly WorkloadPoint[], { fromMs: askedMs, toMs }: Span): Course {
  const [first] = points;
  if (first === undefined) return { fromMs: askedMs, toMs, stepMs: HOUR_MS, buckets: [], steps: [] };
  const lengthMs = toMs - first.startMs;
  const stepMs = STEPS_MS.find((ms) => lengthMs / ms <= MOST_STEPS) ?? WEEK_MS;
  const fromMs = stepStart(first.startMs, stepMs);
  const buckets = listBuckets({ fromMs, toMs, stepMs });
  const byBucket = new Map(points.map(({ startMs, figures }) => [stepStart(startMs, stepMs), figures]));
  let known = first.figures;
  // What is known stays so while nothing is learned.
  const steps = buckets.map(({ startMs }) => {
    known = byBucket.get(startMs) ?? known;
    return toStep(known);
  });
  return { fromMs, toMs, stepMs, buckets, steps };
}

function toStep({ rewards, arms, chosen, accounts }: WorkloadFigures): CourseStep {
  return {
    rewards,
    arms: Object.fromEntries(arms.map(({ model, ...arm }) => [model, { rewards: arm.rewards, ...viewEstimate(arm) }])),
    chosen: viewEstimate(chosen),
    used: Object.fromEntries(accounts.map(({ name, loss, budget }) => [name, usedShare(loss, budget)])),
  };
}
