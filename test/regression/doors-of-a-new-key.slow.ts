import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createProgram } from "../../src/cli/program.ts";
import { newId } from "../../src/lib/ids.ts";
import { splitIntoChunks } from "../../src/lib/split-into-chunks.ts";
import type { QuotaSettings } from "../../src/quotas/quota.ts";
import { createAdminKey } from "../../src/store/admin-keys/admin-key-repository.ts";
import { ADMIN_SCOPES } from "../../src/vocabulary/administrator.ts";
import type { Caller } from "../dashboard/caller.ts";
import { type DashboardService, startDashboardService } from "../dashboard/harness.ts";
import { signedIn } from "../dashboard/people.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { type MeteredUpstream, scriptedPrompt, startMeteredUpstream } from "../support/metered-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** Keys that each door creates, and how many of them at a time: 500 on each engine. A command takes half a second. */
const DOORS = {
  command: { keys: 10, together: 1 },
  api: { keys: 180, together: 60 },
  dashboard: { keys: 180, together: 60 },
  apply: { keys: 130, together: 65 },
} as const;

const yaml = (url: string): string => `
quotas: { keysPerProject: 10000 }
upstreams: { patient: { kind: openai-chat, baseUrl: "${url}/patient", apiKey: a-key } }
models:${["allowed", "another"]
  .map(
    (name) => `
  - name: ${name}
    family: chat
    contextWindow: 200000
    maxOutputTokens: 8192
    price: { input: 10, output: 20 }
    optimizations: { choice: false }
    deployments: [{ upstream: patient, model: m }]`,
  )
  .join("")}
`;

/** A limit, and what two calls at once with a key that has it are answered. */
interface Limited {
  readonly limits: QuotaSettings;
  readonly model: string;
  readonly answers: readonly number[];
}

const LIMITED: readonly Limited[] = [
  { limits: { requestsPerMinute: 1 }, model: "allowed", answers: [200, 429] },
  { limits: { models: ["allowed"] }, model: "another", answers: [403, 403] },
  // Less than a call of 400 tokens costs.
  { limits: { costNanosTotal: 500_000 }, model: "allowed", answers: [429, 429] },
  { limits: { concurrentCalls: 1 }, model: "allowed", answers: [200, 429] },
];

/** The names of limits by what each door calls them. */
const NAMES = {
  requestsPerMinute: { option: "--rpm", json: "requests_per_minute", file: "requestsPerMinute", unit: 1 },
  costNanosTotal: { option: "--usd-total", json: "usd_total", file: "usdTotal", unit: 1e9 },
  concurrentCalls: { option: "--concurrent", json: "concurrent_calls", file: "concurrentCalls", unit: 1 },
  models: { option: "--models", json: "models", file: "models", unit: 1 },
} as const;

function named(limits: QuotaSettings, by: "option" | "json" | "file"): [string, unknown][] {
  return Object.entries(limits).map(([name, value]) => {
    const { [by]: own, unit } = NAMES[name as keyof typeof NAMES];
    return [own, typeof value === "number" ? value / unit : value];
  });
}

type Door = keyof typeof DOORS;
const NAMES_OF_DOORS = Object.keys(DOORS) as Door[];

/** A key that is to be created. */
interface NewKey {
  readonly name: string;
  readonly limits: QuotaSettings;
}

describe.each(ENGINES)("a key that is used at once on another replica, on %s", (engine) => {
  const databases = useDatabases(engine);
  let upstream: MeteredUpstream;
  let first: DashboardService;
  let other: TestService;
  let owner: Caller;
  let project: { readonly id: string; readonly name: string };
  let adminKey = "";
  let folder = "";
  let databaseUrl = "";
  let printed = "";

  beforeAll(async () => {
    upstream = await startMeteredUpstream();
    folder = mkdtempSync(join(tmpdir(), "attune-doors-"));
    writeFileSync(join(folder, "attune.yaml"), yaml(upstream.url));
    databaseUrl = engine === "sqlite" ? `sqlite:${join(folder, "attune.db")}` : databases.newUrl();
    first = await startDashboardService({ databaseUrl, configText: yaml(upstream.url) });
    other = await startTestService({ databaseUrl, yaml: yaml(upstream.url) });
    const person = await signedIn(first);
    owner = person.caller;
    project = { id: (await first.dashboard.projects.create("doors", person.userId))?.id ?? "", name: "doors" };
    const settings = { name: "doors", scopes: ADMIN_SCOPES, projectId: undefined, expiresAt: null };
    adminKey = (await createAdminKey(first.store, settings)).key;
    vi.stubEnv("ATTUNE_ADMIN_KEY", adminKey);
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      printed += String(text);
      return true;
    });
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    await other.close();
    await first.close();
    upstream.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function run(...args: string[]): Promise<string> {
    printed = "";
    await createProgram().parseAsync(args, { from: "user" });
    return printed;
  }

  const api = async (method: string, path: string, body: object) => {
    const response = await fetch(`${first.url}/v1/admin${path}`, {
      method,
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
    });
    return (await response.json()) as { readonly secret: string };
  };

  /** Creates a key with limits by a door that creates one at a time; returns the whole key. */
  const createOne: Readonly<Record<Exclude<Door, "apply">, (key: NewKey) => Promise<string>>> = {
    async command({ name, limits }) {
      vi.stubEnv("ATTUNE_DATABASE_URL", databaseUrl);
      vi.stubEnv("ATTUNE_CONFIG", join(folder, "attune.yaml"));
      const options = named(limits, "option").flatMap(([option, value]) => [option, String(value)]);
      const text = await run("keys", "create", "--project", project.id, "--name", name, ...options);
      return /att_\S+/.exec(text)?.[0] ?? expect.fail(text);
    },
    async api({ name, limits }) {
      const created = await api("POST", "/keys", {
        project: project.id,
        name,
        limits: Object.fromEntries(named(limits, "json")),
      });
      return created.secret;
    },
    async dashboard({ name, limits }) {
      const { data, error } = await owner.mutate("keys.create", { projectId: project.id, name, limits });
      expect(error).toBeUndefined();
      return (data as { key: string }).key;
    },
  };

  /** Creates keys by one file; returns the whole keys. */
  async function apply(made: readonly NewKey[]): Promise<string[]> {
    const [file, secrets] = ["keys", "secrets"].map((name) => join(folder, `${made[0]?.name}.${name}.json`));
    if (file === undefined || secrets === undefined) return [];
    const keys = made.map(({ name, limits }) => ({ name, limits: Object.fromEntries(named(limits, "file")) }));
    writeFileSync(file, JSON.stringify({ projects: [{ name: project.name, keys }] }));
    await run("apply", "-f", file, "--yes", "--secrets-out", secrets, "--url", first.url);
    const created = (JSON.parse(readFileSync(secrets, "utf8")) as { keys: { name: string; secret: string }[] }).keys;
    return made.map(({ name }) => created.find((key) => key.name === name)?.secret ?? expect.fail(name));
  }

  /** Creates keys by a door, and hands on each as soon as it is there. */
  async function createAll<T>(door: Door, made: readonly NewKey[], use: (key: string, at: number) => Promise<T>) {
    if (door === "apply") return await Promise.all((await apply(made)).map(use));
    return await Promise.all(made.map(async (key, at) => await use(await createOne[door](key), at)));
  }

  async function call(url: string, key: string, model: string): Promise<number> {
    const content = await scriptedPrompt(newId(), { patient: { hiddenMs: 150 } });
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model, max_tokens: 100, messages: [{ role: "user", content }] }),
    });
    await response.arrayBuffer();
    return response.status;
  }

  /** Returns what two calls at once are answered. */
  async function callTwice(url: string, key: string, model: string): Promise<number[]> {
    return (await Promise.all([call(url, key, model), call(url, key, model)])).sort();
  }

  it.each(NAMES_OF_DOORS)("has its limits, created by %s", { timeout: 600_000 }, async (door) => {
    const { keys, together } = DOORS[door];
    const numbers = Array.from({ length: keys }, (_, number) => number);
    const limitedBy = (number: number) => LIMITED[number % LIMITED.length] ?? expect.fail();
    for (const some of splitIntoChunks(numbers, together)) {
      const made = some.map((number) => ({ name: `${door}-${number}`, limits: limitedBy(number).limits }));
      const answers = await createAll(door, made, (key, at) =>
        callTwice(other.url, key, limitedBy(some[at] ?? 0).model),
      );
      expect(answers).toEqual(some.map((number) => limitedBy(number).answers));
    }
  });

  it("has its limits after a restart, by each door", { timeout: 300_000 }, async () => {
    const made: { readonly door: Door; readonly key: string; readonly limited: Limited }[] = [];
    for (const [at, limited] of LIMITED.entries()) {
      const door = NAMES_OF_DOORS[at] ?? "api";
      const settings = [{ name: `restart-${door}`, limits: limited.limits }];
      await createAll(door, settings, async (key) => made.push({ door, limited, key }));
    }
    const started = await startTestService({ databaseUrl, yaml: yaml(upstream.url) });
    for (const { door, key, limited } of made) {
      expect([door, await callTwice(started.url, key, limited.model)]).toEqual([door, limited.answers]);
    }
    await started.close();
  });

  it("has tighter limits at once where they are set, and soon on the other", { timeout: 120_000 }, async () => {
    for (let number = 0; number < 20; number += 1) {
      const key = await createOne.api({ name: `tightened-${number}`, limits: { requestsPerMinute: 1000 } });
      for (const url of [first.url, other.url]) expect(await call(url, key, "allowed")).toBe(200);
      await api("PATCH", `/keys/${key.split("_")[1]}`, { limits: { usd_total: 0.0005 } });
      expect([number, await call(first.url, key, "allowed")]).toEqual([number, 429]);
      await expect.poll(() => call(other.url, key, "allowed"), { timeout: 10_000 }).toBe(429);
    }
  });
});
