import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readRows } from "./read-rows.ts";
import { type ReplayOptions, replay } from "./replay.ts";
import { syntheticRows, toLines } from "./synthetic-rows.ts";

const folder = mkdtempSync(join(tmpdir(), "attune-backfill-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function play(options: Partial<ReplayOptions>) {
  const file = join(folder, "rows.jsonl");
  writeFileSync(file, toLines(syntheticRows(4000)));
  return await replay(await readRows(file), {
    base: "median",
    seeds: 8,
    firstSeed: 0,
    steps: 2000,
    holdout: 500,
    observed: 0.05,
    feedback: "voluntary",
    shadow: { share: 0.1, accuracy: 0.85 },
    ...options,
  });
}

describe("a backfill", () => {
  it("has the better model serve from the first requests on", async () => {
    const history = { history: 2000, most: 0, review: 0 };
    const without = await play({ backfill: history });
    const backfilled = await play({ backfill: { ...history, most: 300 } });
    expect(backfilled.deltaAt1000 ?? 0).toBeGreaterThan((without.deltaAt1000 ?? 0) + 0.1);
    expect(backfilled.worstDelta).toBeGreaterThan(0);
  });

  it("asks nobody while the judge has not proved itself", async () => {
    const options = { shadow: { share: 0, accuracy: 0.5 }, seeds: 4 };
    const backfilled = await play({ ...options, backfill: { history: 2000, most: 300, review: 20 } });
    expect(backfilled.shadowCalls).toBeLessThan(0.25 * (300 / 2000));
  });

  it("is refused without known families", async () => {
    const options = { hideFamily: true, backfill: { history: 10, most: 1, review: 0 } };
    await expect(play(options)).rejects.toThrow("leave out --hide-family");
  });
});
