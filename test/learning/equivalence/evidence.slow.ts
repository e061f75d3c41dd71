import { describe, expect, it } from "vitest";
import { audit } from "./simulated-answers.ts";

describe("findDifference()", () => {
  it("takes an equal deployment for a different one in under 1% of a thousand runs over 2,000 samples, looked at after each", () => {
    const seeds = Array.from({ length: 1000 }, (_, at) => 10_000 + at);
    const found = seeds.map((seed) => audit(() => ({}), { seed, samples: 2000 }).foundAfter);
    expect(found.filter((after) => after !== undefined).length).toBeLessThan(10);
  }, 280_000);
});
