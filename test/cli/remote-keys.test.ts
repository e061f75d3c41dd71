import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createProgram } from "../../src/cli/program.ts";
import { createAdminKey } from "../../src/store/admin-keys/admin-key-repository.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
let printed = "";
let complained = "";

beforeAll(async () => {
  service = await startTestService();
  const settings = { name: "cli", scopes: ["keys:write"] as const, projectId: undefined, expiresAt: null };
  vi.stubEnv("ATTUNE_ADMIN_KEY", (await createAdminKey(service.store, settings)).key);
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    complained += String(text);
    return true;
  });
  vi.spyOn(process, "exit").mockImplementation((status) => {
    throw new Error(`exit ${status}`);
  });
});
afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await service.close();
});

/** Runs a command in this process, and returns what it prints; ends as a command that fails does. */
async function run(...args: string[]): Promise<string> {
  printed = "";
  complained = "";
  await createProgram().parseAsync(["keys", ...args, "--url", service.url], { from: "user" });
  return printed.trimEnd();
}

const statusOf = async (key: string) =>
  (await fetch(`${service.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status;

describe("attune keys --url", () => {
  it("creates, changes, rotates, lists and revokes a key of a service that runs", async () => {
    const key = await run("create", "--name", "ci", "--rpm", "6", "--allow", "read:project");
    expect(complained).toBe("Keep it: it is not shown again.\n");
    const id = key.split("_")[1] ?? "";
    expect(await statusOf(key)).toBe(200);
    expect(await run("update", id, "--usd-day", "1.5", "--rpm", "none", "--expires", "1", "--allow", "none")).toBe(
      `key ${id}: usd-day=1.5`,
    );
    const rotated = await run("rotate", key, "--overlap", "1");
    expect(rotated).toMatch(new RegExp(`^att_${id}_`));
    expect([await statusOf(key), await statusOf(rotated)]).toEqual([200, 200]);
    const rows = (await run("list")).split("\n").map((row) => row.split(/ {2,}/));
    expect(rows.at(-1)?.slice(0, 5)).toEqual([id, "ci", "-", "usd-day=1.5", expect.stringMatching(/^active until/)]);
    expect(await run("revoke", id)).toBe(`revoked ${id} (ci)`);
  });

  it.each([
    [["rotate", "000000000000"], "there is no key '000000000000': 'attune keys list' lists them"],
    [["create", "--project", "none"], "there is no project 'none'"],
    [["create", "--name", "test"], "there is a key 'test' already: 'attune keys rotate "],
    [["update", "000000000000"], "there is nothing to change: give a limit, such as --rpm 60, or another option"],
    [["create", "--models", "none-such"], "key.limits.models[0]: names 'none-such', which is no model"],
  ])("ends %j with the reason", async (args, reason) => {
    await expect(run(...args)).rejects.toThrow("exit 1");
    expect(complained).toContain(`attune: ${reason}`);
  });

  it("asks for an admin key", async () => {
    vi.stubEnv("ATTUNE_ADMIN_KEY", "");
    await expect(run("list")).rejects.toThrow("exit 1");
    expect(complained).toContain("set ATTUNE_ADMIN_KEY to an admin key");
    vi.stubEnv("ATTUNE_ADMIN_KEY", service.key);
    await expect(run("list")).rejects.toThrow("exit 1");
    expect(complained).toContain("attune: this is no admin key: an API key calls models");
  });
});
