import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";

let folder: CliFolder;
let key: string;
let publicId: string;

beforeAll(async () => {
  folder = createCliFolder();
  const { status, stdout, stderr } = await folder.run(["keys", "create", "--name", "laptop"]);
  expect([status, stderr]).toEqual([0, "Save it: it isn't shown again.\n"]);
  key = stdout.trim();
  publicId = key.split("_")[1] ?? "";
});

afterAll(() => folder.remove());

/** The lines of the list, without the heading, as cells. */
async function list(): Promise<string[][]> {
  const { status, stdout, stderr } = await folder.run(["keys", "list"]);
  expect([status, stderr]).toEqual([0, ""]);
  const [heading = "", ...lines] = stdout.trimEnd().split("\n");
  expect(heading.split(/ {2,}/)).toEqual([
    ...["PUBLIC ID", "NAME", "PERMISSIONS", "TAGS", "LIMITS", "STATE", "CREATED", "LAST USED"],
  ]);
  return lines.map((line) => line.split(/ {2,}/));
}

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe("attune keys", () => {
  it("creates a key, which is the only thing on standard output", () => {
    expect(key).toMatch(/^att_[0-9a-z]{12}_[0-9A-Za-z]{43}$/);
  });

  it("keeps the key nowhere", () => {
    const data = join(folder.path, "data");
    const secret = key.split("_")[2] ?? "";
    for (const file of readdirSync(data)) expect(readFileSync(join(data, file)).includes(secret)).toBe(false);
  });

  it("lists keys by their public ids", async () => {
    await folder.run(["keys", "create", "-n", "for a week", "--expires", "7"]);
    const rows = await list();
    expect(rows[0]).toEqual([publicId, "laptop", "-", "-", "-", "active", ISO, "never"]);
    expect(rows[1]?.slice(1)).toEqual([
      "for a week",
      ...["-", "-", "-"],
      expect.stringMatching(/^active until 20/),
      ISO,
      "never",
    ]);
    const days = (Date.parse(rows[1]?.[5]?.slice("active until ".length) ?? "") - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(7, 1);
  });

  it("creates no more keys than the quota of a project allows", async () => {
    const { path, run, remove } = createCliFolder();
    writeFileSync(join(path, "attune.yaml"), "quotas: { keysPerProject: 1 }");
    expect((await run(["keys", "create", "--name", "first"])).status).toBe(0);
    expect(await run(["keys", "create", "--name", "second"])).toMatchObject({
      status: 1,
      stdout: "",
      stderr: "attune: this project's active keys are 1, the maximum of quotas.keysPerProject: revoke an unused one\n",
    });
    await remove();
  });

  it("says what a key may do, and nothing that there is not", async () => {
    const { status } = await folder.run(["keys", "create", "-n", "steers", "--allow", "control-workloads"]);
    expect(status).toBe(0);
    expect((await list()).at(-1)?.slice(1, 3)).toEqual(["steers", "control-workloads"]);
    const { stderr } = await folder.run(["keys", "create", "--allow", "everything"]);
    expect(stderr).toContain("Allowed choices are control-workloads");
    const nowhere = await folder.run(["keys", "create", "--project", "none"]);
    expect(nowhere).toMatchObject({ status: 1, stderr: "attune: there is no project 'none'\n" });
  });

  it("revokes a key, by its public id or as a whole", async () => {
    const revoked = await folder.run(["keys", "revoke", publicId]);
    expect(revoked).toEqual({ status: 0, stdout: `revoked ${publicId} (laptop)\n`, stderr: "" });
    expect((await folder.run(["keys", "revoke", key])).stdout).toBe(`revoked ${publicId} (laptop)\n`);
    const [row] = await list();
    expect(row).toEqual([publicId, "laptop", "-", "-", "-", expect.stringMatching(/^revoked 20/), ISO, "never"]);
  });

  it("tells of a key that is not there, and shows no secret", async () => {
    const unknown = `att_000000000000_${"A".repeat(43)}`;
    const { status, stderr } = await folder.run(["keys", "revoke", unknown]);
    expect(status).toBe(1);
    expect(stderr).toBe("attune: there is no key '000000000000': 'attune keys list' lists them\n");
  });
});
