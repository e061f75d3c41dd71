import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ApplyProjectsRequestSchema, ExportProjectsRequestSchema } from "../../gen/attune/admin/v1/admin_pb.ts";
import { ChangeAction, type Document, type DocumentSchema } from "../../gen/attune/admin/v1/document_pb.ts";
import { createProgram } from "../../src/cli/program.ts";
import { createOperations } from "../../src/operations/create-operations.ts";
import { createAdminKey } from "../../src/store/admin-keys/admin-key-repository.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { hashKey } from "../../src/store/keys/key-format.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import type { Store } from "../../src/store/types/store.ts";
import { ADMIN_SCOPES } from "../../src/vocabulary/administrator.ts";
import { ADMIN_PORTS } from "../support/admin-ports.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { startTestService, type TestService } from "../support/service.ts";

const TEAMS = 30;
const KEYS = 100;

/** Teams with their keys, limits, members and controls, as both ways of administration have them. */
const teams = Array.from({ length: TEAMS }, (_, at) => ({
  name: `team-${at}`,
  limits: { usd_per_month: 100 + at },
  settings: { bodies: "none", aliases: { fast: "claude-haiku-5-5" } },
  keys: Array.from({ length: Math.ceil((KEYS - at) / TEAMS) }, (__, key) => ({
    name: `key-${key}`,
    limits: { requests_per_minute: 60 + key },
    tags: { team: `t${at}` },
  })),
  email: `owner-${at}@example.com`,
  tag: { tag: `team=t${at}`, limits: { usd_per_day: 5 } },
}));

const yaml = JSON.stringify({
  projects: teams.map(({ name, limits, settings, keys, email, tag }) => ({
    name,
    settings,
    limits: { usdPerMonth: limits.usd_per_month },
    keys: keys.map((key) => ({ ...key, limits: { requestsPerMinute: key.limits.requests_per_minute } })),
    members: [{ email, role: "owner" }],
    tags: [{ tag: tag.tag, limits: { usdPerDay: tag.limits.usd_per_day } }],
    learning: { objective: "cost" },
  })),
});

describe.each(ENGINES)(`${TEAMS} teams with ${KEYS} keys on %s`, (engine) => {
  const databases = useDatabases(engine);
  let folder: string;
  let printed = "";

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "attune-teams-"));
    writeFileSync(join(folder, "projects.yaml"), yaml);
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      printed += String(text);
      return true;
    });
  });
  afterAll(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  const say = (what: string, begin: number) =>
    process.stderr.write(`${engine}: ${what} took ${Math.round(performance.now() - begin)} ms\n`);

  async function withService(work: (service: TestService, adminKey: string) => Promise<void>): Promise<void> {
    const service = await startTestService({ databaseUrl: await databases.newMigratedUrl() });
    try {
      const settings = { name: "code", scopes: ADMIN_SCOPES, projectId: undefined, expiresAt: null };
      await work(service, (await createAdminKey(service.store, settings)).key);
    } finally {
      await service.close();
    }
  }

  const countAudited = async ({ store }: TestService) =>
    (await store.query().selectFrom("AuditEntry").selectAll().execute()).length;

  it("come of a file, and a second apply changes nothing", async () => {
    await withService(async (service, adminKey) => {
      vi.stubEnv("ATTUNE_ADMIN_KEY", adminKey);
      const run = async (...args: string[]) => {
        printed = "";
        const all = ["apply", "-f", join(folder, "projects.yaml"), "--json", "--yes", "--url", service.url, ...args];
        await createProgram().parseAsync(all, { from: "user" });
        return JSON.parse(printed);
      };
      const secretsOut = join(folder, `${engine}.json`);
      let begin = performance.now();
      const first = await run("--secrets-out", secretsOut);
      say("attune apply", begin);
      expect([first.applied, first.changes.length]).toEqual([true, TEAMS * 6 + KEYS]);
      const { keys } = JSON.parse(readFileSync(secretsOut, "utf8"));
      expect(keys).toHaveLength(KEYS);
      const headers = { authorization: `Bearer ${keys.at(-1).secret}` };
      expect((await fetch(`${service.url}/v1/models`, { headers })).status).toBe(200);
      const audited = await countAudited(service);
      begin = performance.now();
      expect(await run()).toEqual({ applied: false, changes: [], kept: [], absent: [] });
      say("the second attune apply", begin);
      expect(await countAudited(service)).toBe(audited);
    });
  });

  it("come of a script that creates one after the other, and running it again changes nothing", async () => {
    await withService(async (service, adminKey) => {
      const headers = { authorization: `Bearer ${adminKey}`, "content-type": "application/json" };
      const post = async (path: string, body: object) => {
        const response = await fetch(`${service.url}/v1/admin${path}`, {
          method: "POST",
          headers,
          body: JSON.stringify(body),
        });
        expect([path, response.status]).toEqual([path, 200]);
        return (await response.json()) as { readonly created?: boolean };
      };
      const run = async () => {
        const created: (boolean | undefined)[] = [];
        for (const { name: project, limits, settings, keys, email, tag } of teams) {
          created.push((await post("/projects", { name: project, limits, settings })).created);
          for (const key of keys) created.push((await post("/keys", { project, ...key })).created);
          created.push((await post(`/projects/${project}/invitations`, { email, role: "owner" })).created);
          await post("/quotas/tag", { project, name: tag.tag, limits: tag.limits });
        }
        return created;
      };
      let begin = performance.now();
      expect(new Set(await run())).toEqual(new Set([true]));
      say("the script", begin);
      const audited = await countAudited(service);
      begin = performance.now();
      expect(new Set(await run())).toEqual(new Set([false]));
      say("the second run of the script", begin);
      expect(await countAudited(service)).toBe(audited);
    });
  });

  it("are the same on an empty database, of an export, which changes nothing where it came from", async () => {
    const [store, other] = [databases.store, await openStore(await databases.newMigratedUrl())];
    try {
      await fill(store);
      const exported = await exportAll(store);
      const { changes = [] } = await apply(store, exported);
      expect(changes.filter(({ action }) => action !== ChangeAction.ADOPT)).toEqual([]);
      expect(await apply(store, exported, { prune: true })).toMatchObject({ changes: [], absent: [] });
      await apply(other, exported);
      expect(withoutHashes(await exportAll(other))).toEqual(withoutHashes(exported));
    } finally {
      await other.close();
    }
  });
});

const caller = { actor: { kind: "command", id: "", label: "test", scopes: ADMIN_SCOPES } as const };

function administer(store: Store) {
  const modelOf = (name: string) => name.replace(/^attune\//, "");
  return createOperations({
    ...ADMIN_PORTS,
    store,
    modelOf,
    prefix: "attune",
    learning: () => ({ mode: "observe" }),
  });
}

/** Makes a bit of everything, by the document and by hand. */
async function fill(store: Store): Promise<void> {
  const { info } = await createKey(store, { name: "by hand", permissions: ["control-workloads"] });
  await createKey(store, { name: info.name, quota: { concurrentCalls: 2 } });
  const document: MessageInitShape<typeof DocumentSchema> = {
    projects: [
      {
        name: "team",
        limits: { usdPerMonth: 0.5, models: ["a", "b"] },
        eachKey: { usdTotal: 0.000000001 },
        members: [{ email: "ada@example.com", role: 3, invitationHash: hashKey("ada") }],
        keys: [
          { name: "ci", id: "abcdefghijkl", hash: hashKey("ci"), expiresAt: { seconds: 4_000_000_000n, nanos: 0 } },
        ],
        endUsers: [{ id: "grace", limits: { requestsPerMinute: 5n } }],
        learning: { mode: 3, shadow: { share: 0.1, rubric: "to the point" }, excludedModels: ["attune/c"] },
        workloads: [{ model: "a", learning: { metrics: [{ name: "helpful", weight: 0.5, direction: 1 }] } }],
      },
    ],
    quotas: { installation: { usdPerDay: 900 }, eachEndUser: { concurrentCalls: 3n } },
  };
  await administer(store).applyProjects(caller, create(ApplyProjectsRequestSchema, { document }));
}

async function exportAll(store: Store): Promise<Document> {
  const request = create(ExportProjectsRequestSchema, { hashes: true });
  const { document = {} } = await administer(store).exportProjects(caller, request);
  return create(ApplyProjectsRequestSchema, { document }).document as Document;
}

async function apply(store: Store, document: Document, options: { prune?: true } = {}) {
  for (const project of document.projects) {
    for (const member of project.members) member.invitationHash = hashKey(`${project.name} ${member.email}`);
  }
  return await administer(store).applyProjects(caller, create(ApplyProjectsRequestSchema, { ...options, document }));
}

function withoutHashes({ projects, quotas }: Document) {
  const all = projects.map(({ members, ...project }) => ({
    ...project,
    members: members.map(({ email, role }) => ({ email, role })),
  }));
  return { projects: all, quotas };
}
