import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DecisionRecord } from "../../src/hub/decision-record.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { writeBatch } from "../../src/store/write/recorder/write-batch.ts";
import { said, served, write } from "../store/learning/fill.ts";
import { DECISION } from "../support/inference-record.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";

const BASE = "claude-fable-5-2";
const OTHER = "gpt-6-astra";
const MODELS = [BASE, OTHER];
/** Two models of equal worth and doubt: each is explored in half of the requests. */
const EXPLORED: DecisionRecord = {
  ...DECISION,
  arms: MODELS,
  worths: [0.5, 0.5],
  doubts: [0.1, 0.1],
  best: 0,
  arm: 0,
  choice: "explored",
  controlChance: 0,
  exploreChance: 1,
};

let folder: CliFolder;

beforeAll(() => {
  folder = createCliFolder();
  writeFileSync(join(folder.path, "priors.json"), JSON.stringify({ strange: 1 }));
});

afterAll(() => folder.remove());

describe("attune replay", () => {
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
      const row = served({ model: BASE, servedModel: MODELS[arm] ?? "", decision: { ...EXPLORED, arm, seed: index } });
      inferences.push(write(row));
      feedback.push(said(row, arm === 1 || index % 4 === 0));
    }
    await writeBatch(store, { inferences, feedback });
    await store.close();
    const { status, stdout, stderr } = await folder.run(["replay", "--base", `attune/${BASE}`]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`${BASE} in default: 120 requests, 120 rewards, policy baht-g/19 for quality`);
    expect(stdout).toMatch(new RegExp(`^${BASE} \\(base\\) +0\\.\\d{3} `, "m"));
    expect(stdout).toMatch(new RegExp(`^${OTHER} +(0\\.9|1\\.0)\\d+ +\\+0\\.\\d{3} \\[\\+0`, "m"));
    const json = JSON.parse((await folder.run(["replay", "--base", BASE, "--json", "--since", "2026-01-01"])).stdout);
    expect(json).toMatchObject({ project: "default", run: { requests: 120, rewards: 120, objective: "quality" } });
    const { stdout: later } = await folder.run(["replay", "--base", BASE, "--since", "2100-01-01"]);
    expect(later).toContain("no decisions recorded");
  });

  it.each([
    ["priors of a stranger", ["--base", BASE, "--priors", "priors.json"], "priors.json: there is no model strange"],
    ["a model that is not there", ["--base", "best"], "there is no model 'best'"],
    ["a time that is none", ["--base", BASE, "--since", "yesterday"], "must be a time such as 2027-01-31"],
  ])("says what is wrong with %s, with status 1", async (_, args, message) => {
    const { status, stderr } = await folder.run(["replay", ...args]);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });
});
