import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readScores, replayRow } from "../../../../src/dashboard/features/datasets/dataset-export.ts";
import type { StoredScore } from "../../../../src/store/dashboard/dataset-runs.ts";
import { readRows } from "../../../bench/replay/read-rows.ts";
import { inferenceRow } from "../../../support/rows.ts";

const answer = (inferenceId: string, side: 0 | 1, changes: Partial<StoredScore> = {}): StoredScore => ({
  inferenceId,
  side,
  outcome: "answered",
  inputTokens: 1,
  outputTokens: 1,
  costNanos: 5e8,
  gradeNanos: null,
  latencyMs: 1,
  failedChecks: [],
  isGood: null,
  ...changes,
});
const run = { models: ["a", "b"] } as const;

describe("replayRow()", () => {
  it("writes rows that replays read", async () => {
    const answers = [
      ...[answer("i", 0, { isGood: false }), answer("i", 1)],
      ...[answer("j", 0), answer("j", 1, { outcome: "failed", costNanos: null })],
    ];
    const scores = readScores(run, answers);
    const lines = ["i", "j"].map((id, at) => {
      const values = scores.of(id);
      return values === undefined
        ? ""
        : replayRow(inferenceRow({ id, model: "m", family: at ? "tag:x" : "" }), id, values);
    });
    const folder = mkdtempSync(join(tmpdir(), "attune-replay-"));
    writeFileSync(join(folder, "rows.jsonl"), lines.join("\n"));
    const read = await readRows(join(folder, "rows.jsonl"));
    rmSync(folder, { recursive: true });
    expect([read.models, read.families, [...read.scores], [...(read.costs ?? [])]]).toEqual([
      ...[
        ["a", "b"],
        ["m", "tag:x"],
        [0, 1, 1, 0],
        [0.5, 0.5, 0.5, 0],
      ],
    ]);
  });

  it("has no row without both scores, and no costs where one answer has no price", () => {
    const skipped = [answer("s", 0, { outcome: "skipped" }), answer("s", 1, { outcome: "skipped" })];
    const scores = readScores(run, [...skipped, answer("h", 0), answer("i", 0, { costNanos: null }), answer("i", 1)]);
    expect(["s", "h", "none"].map((id) => scores.of(id))).toEqual([undefined, undefined, undefined]);
    expect(scores.of("i")).toEqual({ scores: { a: 1, b: 1 } });
  });
});
