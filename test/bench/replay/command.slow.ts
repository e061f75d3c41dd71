import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POLICY_VERSION } from "../../../src/learning/bandit/settings.ts";
import { syntheticRows, toLines } from "./synthetic-rows.ts";

const PROGRAM = join(import.meta.dirname, "../replay.ts");

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "attune-replay-"));
  writeFileSync(join(folder, "rows.jsonl.gz"), gzipSync(toLines(syntheticRows(1500))));
  writeFileSync(join(folder, "priors.json"), JSON.stringify({ plain: 0, wide: 0.3, strange: 1 }));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(args: readonly string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, ...args], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ status: typeof error?.code === "number" ? error.code : 0, stdout, stderr }),
    );
  });
}

const ARGS = ["--data", "rows.jsonl.gz", "--base", "median", "--seeds", "2", "--steps", "1200", "--holdout", "300"];

describe("npm run bench:replay", () => {
  it("prints every figure as JSON", async () => {
    const { status, stdout, stderr } = await run([...ARGS, "--json"]);
    expect([status, stderr]).toEqual([0, ""]);
    const report = JSON.parse(stdout);
    const figures = ["meanDelta", "deltaAt1000", "sdDelta", "worstDelta", "maxDeficit", "costRatio", "taskGapShare"];
    const others = [
      "shadowCalls",
      "judgeCalls",
      "trialCostRatio",
      "deviatingShare",
      "severalShare",
      "decisionMicrosP50",
      "decisionMicrosP99",
    ];
    for (const key of [...figures, ...others]) expect([key, typeof report[key]]).toEqual([key, "number"]);
    expect(Object.keys(report.regret)).toEqual(["100", "500", "1000", "5000"]);
    expect(report.run).toMatchObject({ base: "plain", rows: 1500, steps: 1200 });
  });

  it("prints a table for people, and says where the rows are too few", async () => {
    const { status, stdout, stderr } = await run([...ARGS.slice(0, -4), "--steps", "5000", "--holdout", "300"]);
    expect([status, stderr]).toEqual([0, "the file has rows for streams of 1200 steps, and not 5000\n"]);
    expect(stdout).toContain(`policy ${POLICY_VERSION}, base plain, 2 streams of 1200 requests from 1500 rows\n`);
    expect(stdout).toMatch(/^reward above base's +-?0\.\d{4} \+- 0\.\d{4}$/m);
  });

  it("lets the policy ask for several answers", async () => {
    const { stdout } = await run([...ARGS, "--candidates", "2", "--selector", "0.95"]);
    expect(stdout).toMatch(/^share with best-of-n +0\.[1-9]\d\d$/m);
  });

  it.each([
    [
      "a model that is not there",
      ["--base", "gpt"],
      "there is no model gpt; the rows have weak, plain, narrow, wide, poor",
    ],
    ["priors of a stranger", ["--priors", "priors.json"], "priors.json: there is no model strange"],
    ["chances that are none", ["--complaints", "0.1"], "must be two numbers, such as 0.1:0"],
    ["trials without a judge", ["--shadow", "0.1"], "error: --shadow and --judge go together"],
    ["a bias of no judge", ["--judge-bias", "0.1"], "error: --judge-bias needs --judge"],
    ["two kinds of chances", ["--complaints", "0.1:0", "--observed", "0.1"], "cannot be used with option"],
    ["a file that is not there", ["--data", "nowhere"], "nowhere: ENOENT"],
  ])("says what is wrong with %s, with status 1", async (_, args, message) => {
    const { status, stdout, stderr } = await run([...ARGS, ...args]);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
