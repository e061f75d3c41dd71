import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { readRows } from "./read-rows.ts";
import { type ReplayOptions, replay } from "./replay.ts";
import type { ReplaySet } from "./replay-set.ts";
import { syntheticRows, toLines } from "./synthetic-rows.ts";

/** The short form of `npm run bench:policy -- --candidates`. */
const priors = { weak: 0.23, plain: 0.5, narrow: 0.55, wide: 0.83, poor: 0.1 };
const OPTIONS: ReplayOptions = { base: "wide", seeds: 4, firstSeed: 0, steps: 2000, holdout: 300, priors };
let set: ReplaySet;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "attune-candidates-"));
  const file = join(folder, "rows.jsonl");
  writeFileSync(file, toLines(syntheticRows(2500)));
  set = await readRows(file);
  rmSync(folder, { recursive: true });
});

/** What was earned, without the time that it took. */
async function earned(options: Partial<ReplayOptions>) {
  const { decisionMicrosP50: _, decisionMicrosP99: __, ...report } = await replay(set, { ...OPTIONS, ...options });
  return report;
}

describe("replay() with several answers", () => {
  it("asks for none where the better one is not chosen in three of four cases, and is what it was without", async () => {
    const plain = await earned({});
    expect(plain.severalShare).toBe(0);
    for (const accuracy of [0.6, 0.7, 0.74]) {
      expect(await earned({ candidates: { most: 4, accuracy } })).toEqual(plain);
    }
  });

  it("gains by them where it is, at their price", async () => {
    const plain = await earned({});
    const several = await earned({ candidates: { most: 2, accuracy: 0.95 } });
    expect(several.severalShare).toBeGreaterThan(0.2);
    expect(several.meanDelta).toBeGreaterThan(plain.meanDelta + 0.02);
    expect(several.costRatio).toBeGreaterThan(plain.costRatio ?? 0);
  });

  it("pays for all of them: what is asked twice costs as much as both", async () => {
    const prices = { ...set, costs: set.scores.map(() => 1) };
    const report = await replay(prices, { ...OPTIONS, candidates: { most: 2, accuracy: 0.95 } });
    expect(report.costRatio).toBeCloseTo(1 + report.severalShare, 12);
  });

  it("asks one model twice only where it is said how far its answers are alike, and gains nothing where they are the same", async () => {
    const candidates = { most: 2, accuracy: 0.95 };
    const without = await earned({ candidates });
    const apart = await earned({ candidates: { ...candidates, twice: 0 } });
    const same = await earned({ candidates: { ...candidates, twice: 1 } });
    expect(apart.meanDelta).toBeGreaterThan(without.meanDelta);
    expect(apart.severalShare).toBeGreaterThan(without.severalShare);
    expect(same.meanDelta).toBeLessThan(apart.meanDelta);
  });

  it("loses no more than it may where the policy is told that they are chosen better than they are", async () => {
    for (const accuracy of [0, 0.5]) {
      const fooled = await earned({ candidates: { most: 4, accuracy, believed: 0.95 } });
      expect(fooled.severalShare).toBeLessThan(0.2);
      expect(fooled.worstDelta).toBeGreaterThan(-0.01);
    }
  });
});
