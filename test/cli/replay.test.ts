import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { syntheticRows, toLines } from "../replay/synthetic-rows.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";

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
    const others = ["deviatingShare", "decisionMicrosP50", "decisionMicrosP99"];
    for (const key of [...figures, ...others]) expect([key, typeof report[key]]).toEqual([key, "number"]);
    expect(Object.keys(report.regret)).toEqual(["100", "500", "1000", "5000"]);
    expect(report.run).toMatchObject({ base: "plain", rows: 1500, steps: 1200 });
  });

  it("prints a table for people, and says where the rows are too few", async () => {
    const { status, stdout, stderr } = await folder.run([...ARGS.slice(0, -4), "--steps", "5000", "--holdout", "300"]);
    expect([status, stderr]).toEqual([0, "the file has rows for streams of 1200 steps, and not 5000\n"]);
    expect(stdout).toMatch(/^policy baht-g\/1, base plain, 2 streams of 1200 requests from 1500 rows$/m);
    expect(stdout).toMatch(/^reward above base's +-?0\.\d{4} \+- 0\.\d{4}$/m);
  });

  it.each([
    [
      "a model that is not there",
      ["--base", "gpt"],
      "there is no model gpt; the rows have weak, plain, narrow, wide, poor",
    ],
    ["priors of a stranger", ["--priors", "priors.json"], "priors.json: the rows have no model strange"],
    ["a file that is not there", ["--data", "nowhere"], "nowhere: ENOENT"],
  ])("says what is wrong with %s, with status 1", async (_, args, message) => {
    const { status, stdout, stderr } = await folder.run([...ARGS, ...args]);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
