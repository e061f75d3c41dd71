import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../src/store/database/open-store.ts";
import { writeBatch } from "../../src/store/write/recorder/write-batch.ts";
import { idAt, inferenceRow } from "../support/rows.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";

const TIME = "2026-11-20T12:30:00.000Z";
const DAY = ["--from", "2026-11-20", "--to", "2026-11-21"];
let folder: CliFolder;

beforeAll(async () => {
  folder = createCliFolder();
  const store = await openStore(`sqlite:${join(folder.path, "data", "attune.db")}`);
  const calls = [
    { keyId: "a", model: "m", status: "completed" },
    { keyId: "a", model: "m", status: "failed" },
    { keyId: "b", model: "m", status: "completed" },
  ] as const;
  await writeBatch(store, {
    inferences: calls.map((call, index) => ({
      row: inferenceRow({ ...call, costNanos: 1_500_000, id: idAt(TIME, index), startedAt: new Date(TIME) }),
      attempts: [],
      request: undefined,
      response: undefined,
    })),
    feedback: [],
  });
  await store.close();
});

afterAll(() => folder.remove());

describe("attune usage", () => {
  it("prints a table with a total", async () => {
    const { status, stdout, stderr } = await folder.run(["usage", ...DAY, "--group-by", "key,model"]);
    expect([status, stderr]).toEqual([0, ""]);
    const cells = stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/ {2,}/));
    expect(cells.map((row) => row.slice(0, 3))).toEqual([
      ["key", "model", "calls"],
      ["a", "attune/m", "2"],
      ["b", "attune/m", "1"],
      // The empty cell of the model is no cell here.
      ["total", "3", "1"],
    ]);
    expect(stdout).toContain("0.004500");
    // Figures that are nothing in every row are left out.
    const figures = ["calls", "failed_calls", "input_tokens", "output_tokens", "priced_calls", "cost_usd"];
    expect(cells[0]).toEqual(["key", "model", ...figures, "latency_p50_ms", "latency_p95_ms"]);
  });

  it("counts a month", async () => {
    const counted = async (month: string) => {
      const { stdout } = await folder.run(["usage", "--month", month, "--csv"]);
      return stdout.split("\r\n").map((line) => line.split(",").slice(0, 2).join());
    };
    expect(await counted("2026-11")).toEqual(["calls,failed_calls", "3,1", ""]);
    expect(await counted("2026-10")).toEqual(["calls,failed_calls", ""]);
    const { status, stderr } = await folder.run(["usage", "--month", "2026-11", "--to", "2026-11-20"]);
    expect(status).toBe(1);
    expect(stderr).toContain("error: --month goes without --from and --to\n");
  });

  it("prints CSV, and JSON", async () => {
    const csv = await folder.run(["usage", ...DAY, "--group-by", "key", "--csv"]);
    expect(csv.stdout.split("\r\n").map((line) => line.split(",").slice(0, 3).join())).toEqual([
      "key,calls,failed_calls",
      "a,2,1",
      "b,1,0",
      "",
    ]);
    const json = await folder.run(["usage", ...DAY, "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ data: [{ calls: 3 }], total: { calls: 3, cost_usd: 0.0045 } });
  });

  it("has all projects by their names", async () => {
    const { stdout } = await folder.run(["usage", ...DAY, "--all-projects", "--group-by", "key", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      data: [
        { project: "default", key: "a", calls: 2 },
        { project: "default", key: "b", calls: 1 },
      ],
      total: { calls: 3, cost_usd: 0.0045, latency_p50_ms: null },
    });
  });

  it.each([
    [["--all-projects", "--project", "default"], "option '--all-projects' cannot be used with option '--project"],
    [["--group-by", "colour"], "must have some of key, model, project, workload, session, end_user, tag, each once"],
    [["--group-by", "tag,model"], "--group-by cannot have tag together with model: tag goes with key and project"],
    [["--from", "soon"], "must be a time such as 2027-01-31"],
    [["--from", "2026-11-21", "--to", "2026-11-20"], "--from must be before --to"],
  ])("refuses %j", async (args, message) => {
    const { status, stderr } = await folder.run(["usage", ...args]);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });
});
