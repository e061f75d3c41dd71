import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, vi } from "vitest";
import { createProgram } from "../../src/cli/program.ts";
import { createAdminKey } from "../../src/store/admin-keys/admin-key-repository.ts";
import { ADMIN_SCOPES } from "../../src/vocabulary/administrator.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** The service that the commands of a file are sent to. */
export let service: TestService;
let databaseUrl = "";
/** Standard output and standard error of the command that ran last. */
export let printed = "";
export let complained = "";

/** Gives the tests of a file a service that runs, with an admin key in the environment. */
export function useRemoteService(): void {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "attune-remote-"));
    // A database in memory cannot be read as it is at one moment, as a rebuild does.
    databaseUrl = `sqlite:${join(folder, "attune.db")}`;
    service = await startTestService({ databaseUrl });
    const settings = { name: "cli", scopes: ADMIN_SCOPES, projectId: undefined, expiresAt: null };
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
  afterEach(() => {
    process.exitCode = undefined;
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
}

/** Runs a command in this process, and returns what it prints; ends as a command that fails does. */
export async function run(...args: string[]): Promise<string> {
  return await parse([...args, "--url", service.url]);
}

/** Runs a command on the database of the service, as `run` does. */
export async function runHere(...args: string[]): Promise<string> {
  vi.stubEnv("ATTUNE_DATABASE_URL", databaseUrl);
  return await parse(args);
}

async function parse(args: readonly string[]): Promise<string> {
  printed = "";
  complained = "";
  await createProgram().parseAsync(args, { from: "user" });
  return printed.trimEnd();
}

/** Returns the HTTP status of a call with an API key. */
export async function statusOf(key: string): Promise<number> {
  return (await fetch(`${service.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status;
}
