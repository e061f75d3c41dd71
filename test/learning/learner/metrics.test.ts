import { describe, expect, it } from "vitest";
import { Metrics } from "../../../src/learning/learner/metrics.ts";

function tell(metrics: Metrics, name: string, { times = 1, weight = 1 } = {}): (number | undefined)[] {
  const vote = { weight, isBase: true };
  return Array.from({ length: times }, (_, at) => metrics.worthOf({ name, value: at % 5, direction: "max", ...vote }));
}

function filled(use: { times?: number; weight?: number } = {}): Metrics {
  const metrics = new Metrics();
  for (let at = 0; at < 100; at++) tell(metrics, `x${at}`, use);
  return metrics;
}

describe("Metrics", () => {
  it("has names that are used once give way to one that is used twice", () => {
    const metrics = filled();
    expect(tell(metrics, "stars", { times: 3 })).toEqual([undefined, 0.5, expect.any(Number)]);
    const { metrics: known } = metrics.toSnapshot();
    expect(Object.keys(known)).toHaveLength(100);
    expect(Object.hasOwn(known, "x0")).toBe(false);
  });

  it("keeps names that many use, whatever one rater sends", () => {
    const metrics = filled({ times: 3 });
    for (let at = 0; at < 5000; at++) tell(metrics, `y${at}`, { weight: 0.05 });
    expect(Object.keys(metrics.toSnapshot().metrics)).toEqual(Array.from({ length: 100 }, (_, at) => `x${at}`));
    expect(Object.keys(metrics.toSnapshot().facts)).toHaveLength(200);
  });

  it("gives a name a place once it is used more than another, though a flood of names goes on", () => {
    const metrics = filled({ times: 3 });
    for (let at = 0; at < 400; at++) {
      tell(metrics, `y${at}`, { times: 3, weight: 0.05 });
      if (at % 100 === 0) tell(metrics, "stars");
    }
    expect(tell(metrics, "stars")).toEqual([expect.any(Number)]);
  });

  it("has a value and the use of its name count for less, and for more again", () => {
    const [metrics, other] = [new Metrics(), new Metrics()];
    for (const each of [metrics, other]) tell(each, "stars", { times: 20 });
    tell(metrics, "stars", { times: 1 });
    metrics.reweigh({ name: "stars", value: 0, isBase: true }, -1);
    expect(metrics.getUse("stars")).toBe(20);
    expect(metrics.toSnapshot().metrics).toEqual(other.toSnapshot().metrics);
    metrics.reweigh({ name: "stars", value: 0, isBase: true }, 0.5);
    expect(metrics.getUse("stars")).toBe(20.5);
    expect(metrics.toSnapshot().metrics["stars"]?.counts).toEqual([4.5, 4, 4, 4, 4]);
  });

  it("says that it is full once a day", () => {
    const metrics = new Metrics();
    expect([0, 1, 86_399_999, 86_400_000].map((atMs) => metrics.notesFull(atMs))).toEqual([true, false, false, true]);
    expect(new Metrics(metrics.toSnapshot()).notesFull(86_400_001)).toBe(false);
  });

  it("counts what names are used in states of before that", () => {
    const facts = { stars: { kind: "number", direction: "max", values: 7, worth: 3 } } as const;
    expect(new Metrics({ metrics: {}, facts }).toSnapshot().facts["stars"]?.use).toBe(7);
  });
});
