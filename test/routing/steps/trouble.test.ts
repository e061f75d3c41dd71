import { describe, expect, it } from "vitest";
import { ErrorReason } from "../../../src/hub/error.ts";
import { createRandom } from "../../../src/lib/hash.ts";
import { type CallOutcome, simulateTraffic, type TrafficReport } from "../../support/simulated-traffic.ts";

/** What a place does with a call; `random` draws numbers from 0 to below 1. */
type Play = (random: () => number, nowMs: number) => CallOutcome;

/** Half of the answers begin within 40 ms, one of a hundred only after three times as long. */
function firstTokenMs(random: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return 40 * Math.exp(0.5 * normal);
}

const healthy: Play = (random) => ({ firstTokenMs: firstTokenMs(random) });
const failing = (failsAfterMs: number, reason: ErrorReason): CallOutcome => ({ failsAfterMs, reason });

const TROUBLES: readonly (readonly [what: string, play: Play])[] = [
  ["is ten times as slow", (random) => ({ firstTokenMs: 10 * firstTokenMs(random) })],
  ["fails half its calls", (random) => (random() < 0.5 ? failing(5, ErrorReason.UPSTREAM_ERROR) : healthy(random, 0))],
  ["asks to be left alone for a second", () => ({ ...failing(5, ErrorReason.RATE_LIMITED), retryAfterMs: 1000 })],
  ["dies before its first token", (random) => failing(firstTokenMs(random), ErrorReason.STREAM_INTERRUPTED)],
  [
    "dies after its first token",
    (random) => {
      const ms = firstTokenMs(random);
      return { ...failing(ms + 20, ErrorReason.STREAM_INTERRUPTED), firstTokenMs: ms };
    },
  ],
  ["refuses its key", () => failing(5, ErrorReason.UPSTREAM_UNAUTHENTICATED)],
  ["refuses connections", () => failing(1, ErrorReason.UPSTREAM_UNREACHABLE)],
];

const WARM_UP_SECONDS = 4;

/** Half a minute of traffic to three places, of which the first one comes into trouble when they are known. */
function simulate(play: Play, seed: string, rate: number): TrafficReport {
  const places = [play, healthy, healthy].map((afterwards, index) => {
    const random = createRandom(`${seed}-${index}`);
    return (nowMs: number) => (nowMs < WARM_UP_SECONDS * 1000 ? healthy(random, nowMs) : afterwards(random, nowMs));
  });
  const optimizations = {
    choice: true,
    failover: true,
    hedging: true,
    coalescing: true,
    cacheMarks: false,
    cacheKeys: false,
    flexTier: false,
    checkedRetry: "off" as const,
  };
  return simulateTraffic({ rate, seconds: 30, warmUpSeconds: WARM_UP_SECONDS, seed, optimizations, places });
}

const RATES = [50, 200];
const SEEDS = ["1", "2", "3"];
const RUNS = RATES.flatMap((rate) => SEEDS.map((seed) => ({ rate, seed, base: simulate(healthy, seed, rate) })));

describe("routing, where one of three places", () => {
  it.each(TROUBLES)("%s: keeps success, the slowest first tokens and further calls within bounds", (_what, play) => {
    for (const { rate, seed, base } of RUNS) {
      const report = simulate(play, seed, rate);
      // What breaks late cannot be saved, and is rare.
      expect(report.failed).toBe(report.brokenLate);
      expect(report.brokenLate).toBeLessThanOrEqual(0.02 * report.inferences);
      expect(report.p99Ms).toBeLessThanOrEqual(1.5 * base.p99Ms);
      expect(report.calls).toBeLessThanOrEqual(1.03 * report.inferences);
    }
  });

  it("is as the others are, spreads calls evenly and hedges its share", () => {
    for (const { base } of RUNS) {
      expect(base.failed).toBe(0);
      expect(base.hedges).toBeGreaterThan(0.015 * base.inferences);
      expect(base.hedges).toBeLessThanOrEqual(0.022 * base.inferences);
      for (const calls of base.callsOf) expect(Math.abs(calls / base.calls - 1 / 3)).toBeLessThan(0.05);
    }
  });
});
