import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DecisionRecord } from "../../src/hub/decision-record.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { writeBatch } from "../../src/store/write/recorder/write-batch.ts";
import { syntheticRows, toLines } from "../replay/synthetic-rows.ts";
import { said, served, write } from "../store/learning/fill.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";

const BASE = "claude-fable-5-2";
const OTHER = "gpt-6-astra";
const MODELS = [BASE, OTHER];
/** Two models of equal worth and doubt: each is explored in half of the requests. */
const DECISION: DecisionRecord = {
  ...{ mode: "on", family: "tag:a", policy: "baht-g/10", version: 1, arms: MODELS, eligible: [1, 1] },
  ...{ worths: [0.5, 0.5], doubts: [0.1, 0.1], base: 0, best: 0, arm: 0, choice: "explored" },
  ...{ controlChance: 0, exploreChance: 1, exploreWidth: 1, switchCost: 0, hasRoom: true, seed: 0 },
};

let folder: CliFolder;

beforeAll(() => {
  folder = createCliFolder();
  writeFileSync(join(folder.path, "rows.jsonl.gz"), gzipSync(toLines(syntheticRows(1500))));
  writeFileSync(join(folder.path, "priors.json"), JSON.stringify({ plain: 0, wide: 0.3, strange: 1 }));
});

afterAll(() => folder.remove());

const ARGS = [
  "replay",
  "--data",
  "rows.jsonl.gz",
  "--base",
  "median",
  "--seeds",
  "2",
  "--steps",
  "1200",
  "--holdout",
  "300",
];

describe("attune replay", () => {
  it("prints every figure as JSON", async () => {
    const { status, stdout, stderr } = await folder.run([...ARGS, "--json"]);
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
    const { status, stdout, stderr } = await folder.run([...ARGS.slice(0, -4), "--steps", "5000", "--holdout", "300"]);
    expect([status, stderr]).toEqual([0, "the file has rows for streams of 1200 steps, and not 5000\n"]);
    expect(stdout).toMatch(/^policy baht-g\/10, base plain, 2 streams of 1200 requests from 1500 rows$/m);
    expect(stdout).toMatch(/^reward above base's +-?0\.\d{4} \+- 0\.\d{4}$/m);
  });

  it("lets the policy ask for several answers", async () => {
    const { stdout } = await folder.run([...ARGS, "--candidates", "2", "--selector", "0.95"]);
    expect(stdout).toMatch(/^share with best-of-n +0\.[1-9]\d\d$/m);
  });

  it.each([
    [
      "a model that is not there",
      ["--base", "gpt"],
      "there is no model gpt; the rows have weak, plain, narrow, wide, poor",
    ],
    ["priors of a stranger", ["--priors", "priors.json"], "priors.json: there is no model strange"],
    ["what only records have", ["--since", "2026-11-01"], "error: --since is for records: leave --data out"],
    ["chances that are none", ["--complaints", "0.1"], "It must be two numbers, such as 0.1:0."],
    ["trials without a judge", ["--shadow", "0.1"], "error: --shadow and --judge go together"],
    ["a bias of no judge", ["--judge-bias", "0.1"], "error: --judge-bias needs --judge"],
    ["two kinds of chances", ["--complaints", "0.1:0", "--observed", "0.1"], "cannot be used with option"],
    ["a file that is not there", ["--data", "nowhere"], "nowhere: ENOENT"],
  ])("says what is wrong with %s, with status 1", async (_, args, message) => {
    const { status, stdout, stderr } = await folder.run([...ARGS, ...args]);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe("attune replay on records", () => {
  it("says so where no decision is on record", async () => {
    const { status, stdout } = await folder.run(["replay", "--base", BASE]);
    expect([status, stdout]).toEqual([0, `no decisions recorded for calls of ${BASE} in default\n`]);
  });

  it("tells what base and others would have brought", async () => {
    const store = await openStore(`sqlite:${join(folder.path, "data", "attune.db")}`);
    const inferences = [];
    const feedback = [];
    for (let index = 0; index < 120; index++) {
      // Base and the other model each answer half of them, by chances that are on record.
      const arm = index % 2;
      const row = served({ model: BASE, servedModel: MODELS[arm] ?? "", decision: { ...DECISION, arm, seed: index } });
      inferences.push(write(row));
      feedback.push(said(row, arm === 1 || index % 4 === 0));
    }
    await writeBatch(store, { inferences, feedback });
    await store.close();
    const { status, stdout, stderr } = await folder.run(["replay", "--base", `attune/${BASE}`]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`${BASE} in default: 120 requests, 120 rewards, policy baht-g/10 for quality`);
    expect(stdout).toMatch(new RegExp(`^${BASE} \\(base\\) +0\\.\\d{3} `, "m"));
    expect(stdout).toMatch(new RegExp(`^${OTHER} +(0\\.9|1\\.0)\\d+ +\\+0\\.\\d{3} \\[\\+0`, "m"));
    const json = JSON.parse((await folder.run(["replay", "--base", BASE, "--json", "--since", "2026-01-01"])).stdout);
    expect(json).toMatchObject({ project: "default", run: { requests: 120, rewards: 120, objective: "quality" } });
    const { stdout: later } = await folder.run(["replay", "--base", BASE, "--since", "2100-01-01"]);
    expect(later).toContain("no decisions recorded");
  });

  it.each([
    ["what only rows have", ["--base", BASE, "--seeds", "3"], "error: --seeds is for rows: give --data"],
    ["a model that is not there", ["--base", "best"], "there is no model 'best'"],
    ["a time that is none", ["--base", BASE, "--since", "yesterday"], "must be a time such as 2027-01-31"],
  ])("says what is wrong with %s, with status 1", async (_, args, message) => {
    const { status, stderr } = await folder.run(["replay", ...args]);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });
});
