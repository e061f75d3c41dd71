import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { MersenneTwister } from "./mersenne-twister.ts";
import { readRows } from "./read-rows.ts";
import { replay } from "./replay.ts";
import { toLines } from "./synthetic-rows.ts";

const SKILLS = { base: 0.6, poor: 0.4, good: 0.95 };

/** Rows of one family in which each model is right as often as its skill says. */
function rows(count: number) {
  const random = new MersenneTwister(1);
  const scoresOf = () =>
    Object.fromEntries(Object.entries(SKILLS).map(([name, skill]) => [name, random.uniform() < skill ? 1 : 0]));
  return Array.from({ length: count }, (_, at) => {
    return { dataset: "a", prompt_id: String(at), prompt: `Question ${at}`, scores: scoresOf() };
  });
}

describe("shadow trials where people only complain", () => {
  it("end with the better model in nearly all streams, whatever the judge says of its few complaints", async () => {
    const folder = mkdtempSync(join(tmpdir(), "attune-replay-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "rows.jsonl"), toLines(rows(6000)));
    const set = await readRows(join(folder, "rows.jsonl"));
    const ends: number[] = [];
    await replay(set, {
      base: "base",
      seeds: 60,
      firstSeed: 0,
      steps: 6000,
      holdout: 0,
      feedback: "voluntary",
      complaints: { bad: 0.1, good: 0 },
      shadow: { share: 0.1, accuracy: 0.8 },
      onStream: (_, { scores }) => ends.push(scores.slice(-500).reduce((sum, score) => sum + score, 0) / 500),
    });
    expect(ends.filter((score) => score < 0.8).length).toBeLessThanOrEqual(1);
  });
});
