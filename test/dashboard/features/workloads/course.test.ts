import { describe, expect, it } from "vitest";
import { readCourse, type Span } from "../../../../src/dashboard/features/workloads/course.ts";
import { usedShare } from "../../../../src/dashboard/features/workloads/view-figures.ts";
import type { WorkloadFigures } from "../../../../src/learning/learner/figures.ts";
import type { PointStep, WorkloadPoint } from "../../../../src/store/learning/workload-points.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.parse("2026-11-20T12:00:00Z");

const figures = (rewards: number): WorkloadFigures => ({
  base: "base",
  rewards,
  hasRoom: true,
  routedShare: 0,
  chosen: { worth: 0.6, doubt: 0.1 },
  arms: [{ model: "base", rewards, price: 1, hasToEarn: 0, worth: 0.9, doubt: 0.1 }],
  accounts: [
    { name: "rewards", loss: 1, budget: 4 },
    { name: "complaints", loss: -2, budget: 4 },
  ],
});

/** Reads from points that are kept, and takes down what was asked. */
function reader(first: number, keptMs: Record<PointStep, number>) {
  const asked: PointStep[] = [];
  const read = async (step: PointStep, { fromMs, toMs }: Span): Promise<WorkloadPoint[]> => {
    asked.push(step);
    const points: WorkloadPoint[] = [];
    const stepMs = step * MINUTE_MS;
    const begin = Math.max(first, fromMs, NOW - keptMs[step]);
    for (let at = Math.floor(begin / stepMs) * stepMs; at < toMs; at += stepMs)
      points.push({ startMs: at, figures: figures(points.length + 1) });
    return points;
  };
  return { asked, read };
}
const KEPT = { 5: 2 * DAY_MS, 60: 31 * DAY_MS, 1440: 731 * DAY_MS };

describe("readCourse()", () => {
  it.each([
    { title: "an hour", spanMs: HOUR_MS, firstMs: 400 * DAY_MS, asked: [5], stepMs: 5 * MINUTE_MS },
    { title: "a week", spanMs: 7 * DAY_MS, firstMs: 400 * DAY_MS, asked: [60], stepMs: 2 * HOUR_MS },
    { title: "90 days", spanMs: 90 * DAY_MS, firstMs: 400 * DAY_MS, asked: [1440], stepMs: DAY_MS },
    { title: "two years", spanMs: 730 * DAY_MS, firstMs: 700 * DAY_MS, asked: [1440], stepMs: 7 * DAY_MS },
    {
      title: "30 days of a workload of today",
      spanMs: 30 * DAY_MS,
      firstMs: 3 * HOUR_MS,
      asked: [60, 5],
      stepMs: 5 * MINUTE_MS,
    },
    {
      title: "a year of one of last week",
      spanMs: 365 * DAY_MS,
      firstMs: 7 * DAY_MS,
      asked: [1440, 60],
      stepMs: 2 * HOUR_MS,
    },
    {
      title: "a year of one of today",
      spanMs: 365 * DAY_MS,
      firstMs: 3 * HOUR_MS,
      asked: [1440, 60, 5],
      stepMs: 5 * MINUTE_MS,
    },
  ])("has the finest steps that are kept of $title", async ({ spanMs, firstMs, asked, stepMs }) => {
    const points = reader(NOW - firstMs, KEPT);
    const course = await readCourse(
      { read: points.read, current: undefined, nowMs: NOW },
      { fromMs: NOW - spanMs, toMs: NOW },
    );
    expect(points.asked).toEqual(asked);
    expect(course.stepMs).toBe(stepMs);
    expect(course.buckets.length).toBeLessThanOrEqual(106);
    expect(course.steps).toHaveLength(course.buckets.length);
  });

  it("takes what is known as known while nothing is learned, and each estimate with its interval within 0 and 1", async () => {
    const at = (hours: number) => NOW - hours * HOUR_MS;
    const points = [
      { startMs: at(5), figures: figures(1) },
      { startMs: at(2), figures: figures(9) },
    ];
    const { steps } = await readCourse(
      { read: async () => points, current: figures(99), nowMs: NOW + 400 * DAY_MS },
      { fromMs: at(96), toMs: at(0) },
    );
    const rewards = [...new Set(steps.map((step) => step.rewards))];
    expect(rewards).toEqual([1, 9]);
    expect(steps[0]).toEqual({
      rewards: 1,
      arms: { base: { rewards: 1, worth: 0.9, low: expect.closeTo(0.704), high: 1 } },
      chosen: { worth: 0.6, low: expect.closeTo(0.404), high: expect.closeTo(0.796) },
      used: { rewards: 0.25, complaints: 0 },
    });
  });

  it("ends a span until now with how it stands now", async () => {
    const points = [{ startMs: NOW - HOUR_MS, figures: figures(1) }];
    const source = { read: async () => points, current: figures(7), nowMs: NOW };
    const { steps } = await readCourse(source, { fromMs: NOW - DAY_MS, toMs: NOW });
    expect(steps.map(({ rewards }) => rewards)).toEqual([...Array.from({ length: 11 }, () => 1), 7]);
  });

  it("has nothing where nothing was learned", async () => {
    expect(
      await readCourse({ read: async () => [], current: undefined, nowMs: NOW }, { fromMs: NOW - HOUR_MS, toMs: NOW }),
    ).toMatchObject({ steps: [] });
  });
});

describe("usedShare()", () => {
  it("is none of a gain, and all of what has no budget", () => {
    expect([usedShare(-3, 5), usedShare(10, 5), usedShare(1, 0)]).toEqual([0, 2, 1]);
  });
});
