import { describe, expect, it } from "vitest";
import { meanScores } from "../replay/replay-set.ts";
import { drawWorld } from "./draw-world.ts";
import { drawWorlds, playWorlds } from "./worlds.ts";

describe("drawWorld()", () => {
  it("draws the same world for the same number, and another for the next", () => {
    expect(drawWorld(3, 1000)).toEqual(drawWorld(3, 1000));
    expect(drawWorld(4, 1000).form).not.toEqual(drawWorld(3, 1000).form);
  });

  it("keeps to the ranges of real workloads", () => {
    for (const { form, life, set } of drawWorlds(0, 40, 1000)) {
      expect(set.familyOf.length).toBe(form.rows);
      expect(set.models.length).toBeGreaterThanOrEqual(2);
      expect(set.models.length).toBeLessThanOrEqual(12);
      expect(set.families.length).toBeLessThanOrEqual(31);
      expect(set.scores.every((score) => score >= 0 && score <= 1)).toBe(true);
      expect(Math.max(...meanScores(set))).toBeGreaterThan(form.best - 0.2);
      expect(life.judge).toBeGreaterThanOrEqual(0.5);
    }
  });
});

/** The least mean and the least of all streams, by scenario of the best base. */
const MOST_LOST: Readonly<Record<string, readonly [mean: number, worst: number]>> = {
  B3: [-0.004, -0.015],
  S2: [-0.002, -0.02],
  S5A: [-0.002, -0.01],
  S6: [-0.004, -0.07],
  S9A: [-0.002, -0.015],
};

/** The short form of `npm run bench:policy -- --worlds 40`. */
describe("twelve small worlds", () => {
  it("lose little from the best base, and gain from an ordinary one", async () => {
    const wanted = ["B3", "S1", "S2", "S5A", "S5B", "S6", "S9A"];
    const figures = await playWorlds(drawWorlds(0, 12, 2000), { firstSeed: 0, seeds: 3 }, wanted);
    const of = (id: string, figure: string) => figures.find((row) => row.id === id && row.figure === figure);
    const losses = Object.fromEntries(
      Object.keys(MOST_LOST).map((id) => [id, [of(id, "d")?.mean ?? -1, of(id, "worst")?.worst ?? -1]]),
    );
    const isTooMuch = Object.entries(MOST_LOST).filter(([id, [mean, worst]]) => {
      return (losses[id]?.[0] ?? -1) < mean || (losses[id]?.[1] ?? -1) < worst;
    });
    expect({ isTooMuch, losses }).toEqual({ isTooMuch: [], losses });
    expect(of("S5B", "d")?.mean).toBeGreaterThan(0.03);
    expect(of("S1", "d")?.mean).toBeGreaterThan(0);
  });
});
