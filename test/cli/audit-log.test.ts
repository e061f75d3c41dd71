import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createProgram } from "../../src/cli/program.ts";
import { createProjects } from "../../src/store/dashboard/projects.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import type { Store } from "../../src/store/types/store.ts";

describe("attune audit-log", () => {
  let folder: string;
  let store: Store;
  let printed: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "attune-audit-log-"));
    const url = `sqlite:${join(folder, "attune.db")}`;
    vi.stubEnv("ATTUNE_DATABASE_URL", url);
    vi.stubEnv("ATTUNE_CONFIG", undefined);
    const keep = (text: unknown) => {
      printed += String(text);
      return true;
    };
    for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, "write").mockImplementation(keep);
    vi.spyOn(process, "exit").mockImplementation((code) => {
      throw new Error(`exit ${code}`);
    });
    store = await openStore(url, {
      origin: { actor: { kind: "command", id: "ops", label: "ops@host" }, via: "command" },
    });
    const projects = createProjects(store);
    const project = await projects.create("search");
    await projects.rename(project?.id ?? "", "finder");
  });

  afterAll(async () => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  async function run(...args: string[]): Promise<string> {
    printed = "";
    await createProgram().parseAsync(["audit-log", ...args], { from: "user" });
    return printed;
  }

  it("prints a table, the latest first", async () => {
    const lines = (await run("--project", "finder")).trimEnd().split("\n");
    const cells = lines.map((line) => line.split(/ {2,}/).slice(1));
    expect(cells).toEqual([
      ["ACTOR", "FROM", "ACTION", "PROJECT", "TARGET", "CHANGE"],
      ["ops@host", "command", "projects.rename", "finder", "project finder", 'name: "search" -> "finder"'],
      ["ops@host", "command", "projects.create", "finder", "project search", 'name: "search"'],
    ]);
  });

  it("prints JSON lines, the oldest first", async () => {
    const lines = (await run("--json", "--actor", "ops")).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { sequence: 1, action: "projects.create", actor: { kind: "command", id: "ops" }, before: null },
      { sequence: 2, action: "projects.rename", before: { name: "search" }, after: { name: "finder" } },
    ]);
  });

  it("checks the log, and fails where it was changed", async () => {
    expect(await run("--verify")).toMatch(/^2 entries are as they were written; the latest is 2, [0-9a-f]{64}\n$/);
    await store.query().updateTable("AuditEntry").set({ actorLabel: "eve" }).where("sequence", "=", 1).execute();
    await expect(run("--verify")).rejects.toThrow("exit 1");
    expect(printed).toContain("the audit log is not as it was written: entry 1 was changed");
  });
});
