import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createProgram } from "../../src/cli/program.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import type { Store } from "../../src/store/types/store.ts";
import { writeBatch } from "../../src/store/write/recorder/write-batch.ts";
import { idAt, inferenceRow } from "../support/rows.ts";

/** More than are held at a time. */
const IN_NOVEMBER = 230;

let folder: string;
let store: Store;
let errors: string;

const rowAt = (time: string, index: number) =>
  inferenceRow({ id: idAt(time, index), projectId: DEFAULT_PROJECT.id, model: "m", costNanos: 1 });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "attune-export-"));
  const url = `sqlite:${join(folder, "attune.db")}`;
  vi.stubEnv("ATTUNE_DATABASE_URL", url);
  vi.stubEnv("ATTUNE_CONFIG", undefined);
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    errors += String(text);
    return true;
  });
  store = await openStore(url);
  const rows = [
    rowAt("2026-10-31T23:59:59Z", 1),
    ...Array.from({ length: IN_NOVEMBER }, (_, index) => rowAt("2026-11-01T00:00:00Z", index + 1)),
    rowAt("2026-12-01T00:00:00Z", 1),
  ];
  const inferences = rows.map((row) => ({ row, attempts: [], request: undefined, response: undefined }));
  await writeBatch(store, { inferences, feedback: [] });
});

afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await store.close();
  rmSync(folder, { recursive: true });
});

let count = 0;

/** Exports to a new file, and returns its lines. */
async function run(...options: readonly string[]): Promise<readonly string[]> {
  errors = "";
  count += 1;
  const file = join(folder, `out-${count}`);
  await createProgram().parseAsync(["export", "requests", ...options, "--out", file], { from: "user" });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  return readFileSync(file, "utf8")
    .split(/\r?\n/)
    .filter((line) => line !== "");
}

describe("attune export requests", () => {
  it("writes a month, whole and nothing else, the newest first", async () => {
    const [heading, ...lines] = await run("--month", "2026-11");
    expect(heading).toMatch(/^id,started_at,status,/);
    const expected = Array.from({ length: IN_NOVEMBER }, (_, index) => idAt("2026-11-01T00:00:00Z", index + 1));
    expect(lines.map((line) => line.split(",")[0])).toEqual(expected.toReversed());
    expect(errors).toBe(`${IN_NOVEMBER} requests\n`);
  });

  it("has the same columns as JSON lines, each of one type", async () => {
    const [heading = ""] = await run("--from", "2026-11-01", "--to", "2026-11-02");
    const lines = await run("--from", "2026-11-01", "--to", "2026-11-02", "--format", "jsonl");
    const rows = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(rows).toHaveLength(IN_NOVEMBER);
    expect(Object.keys(rows[0] ?? {})).toEqual(heading.split(","));
    expect(rows[0]).toMatchObject({ model: "m", cost_usd: 1e-9, session_id: null, feedback_good: 0 });
    for (const name of Object.keys(rows[0] ?? {})) {
      const types = new Set(rows.map((row) => row[name]).flatMap((value) => (value === null ? [] : [typeof value])));
      expect(types.size).toBeLessThanOrEqual(1);
    }
  });

  it("goes on behind the last request of an export that broke off", async () => {
    const all = await run("--month", "2026-11", "--format", "records");
    const { id } = JSON.parse(all[99] ?? "") as { id: string };
    expect(await run("--month", "2026-11", "--format", "records", "--before", id)).toEqual(all.slice(100));
  });

  it("is in the audit log with its time and form", async () => {
    await run("--month", "2026-11");
    const noted = store.query().selectFrom("AuditEntry").select("after").where("action", "=", "history.export");
    const after = { format: "csv", from: "2026-11-01T00:00:00.000Z", to: "2026-12-01T00:00:00.000Z" };
    const entries = await noted.execute();
    expect(entries.map((entry) => JSON.parse(String(entry.after)))).toContainEqual(after);
  });
});
