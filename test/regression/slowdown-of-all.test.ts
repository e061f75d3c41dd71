import { describe, expect, it } from "vitest";
import { playGuarded, type Weather } from "../support/play-guarded.ts";

const PART = 500;
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

const play = (weather: Weather, parts: number, seed: number, before?: { alone?: number; aloneFailing?: number }) =>
  playGuarded(weather, { calls: parts * PART, part: PART, seed, ...before });
const leastOf = (weather: Weather, parts = 12) => SEEDS.map((seed) => Math.min(...play(weather, parts, seed).slice(4)));

describe("guards while all models are in trouble", () => {
  it("let the better model answer while all are three times as slow, and afterwards", () => {
    const slow = (call: number) => (call >= 2000 ? { times: 3 } : {});
    const forAWhile = (call: number) => (call >= 2000 && call < 3500 ? { times: 3 } : {});
    for (const trouble of [slow, forAWhile]) {
      const shares = leastOf((call) => ({ base: trouble(call), good: trouble(call) }));
      expect(Math.min(...shares)).toBeGreaterThan(0.8);
    }
  });

  it("let it answer while a third of all answers fail, every now and then", () => {
    const shares = leastOf((call) => {
      const part = Math.floor(call / PART);
      const trouble = part % 4 === 0 && part > 0 ? { failing: 0.33 } : {};
      return { base: trouble, good: trouble };
    }, 24);
    expect(Math.min(...shares)).toBeGreaterThan(0.7);
  });

  it("let it answer while a tenth of all answers fail for good", () => {
    const shares = SEEDS.flatMap((seed) => {
      const trouble = (call: number) => (call >= 2000 ? { failing: 0.1 } : {});
      return play((call) => ({ base: trouble(call), good: trouble(call) }), 12, seed).slice(8);
    });
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThan(0.9);
  });

  it("let it answer where twenty calls now and then are slow, whoever answers", () => {
    const gusts: Weather = (call) => {
      const trouble = { times: (call % PART) % 250 < 20 ? 5 : 1 };
      return { base: trouble, good: trouble };
    };
    const shares = SEEDS.flatMap((seed) => play(gusts, 6, seed, { alone: 0 }).slice(2));
    expect(shares.filter((share) => share < 0.5)).toEqual([]);
  });

  it("stop it once it alone is three times as slow, or fails more often", () => {
    for (const trouble of [{ times: 3 }, { failing: 0.2 }]) {
      for (const seed of SEEDS) {
        const shares = play((call) => (call >= 2000 ? { good: trouble } : {}), 12, seed);
        expect(shares[4]).toBeLessThan(0.6);
        expect(Math.max(...shares.slice(5))).toBeLessThan(0.25);
      }
    }
  });

  it("stop it if it becomes slower than base while all are slow", () => {
    for (const seed of SEEDS) {
      const weather: Weather = (call) => {
        const times = call >= 2000 ? 3 : 1;
        return { base: { times }, good: { times: call >= 4000 ? 3 * times : times } };
      };
      expect(Math.max(...play(weather, 16, seed).slice(10))).toBeLessThan(0.3);
    }
  });

  it("stop it if it fails more often than base while all fail more often", () => {
    for (const seed of SEEDS) {
      const weather: Weather = (call) => ({
        base: { failing: 0.2 },
        good: { failing: call >= 2000 ? 0.4 : 0.2 },
      });
      expect(Math.max(...play(weather, 12, seed).slice(6))).toBeLessThan(0.3);
    }
  });

  it("stop it if it goes on failing once base has recovered", () => {
    for (const seed of SEEDS) {
      const weather: Weather = (call) => ({
        base: { failing: call < 2000 ? 0.2 : 0 },
        good: { failing: 0.2 },
      });
      expect(Math.max(...play(weather, 12, seed).slice(6))).toBeLessThan(0.3);
    }
  });
});
