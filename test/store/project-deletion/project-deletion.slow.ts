import type { EntityName } from "@mikro-orm/core";
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { createDataset } from "../../../src/operations/datasets.ts";
import { findProject } from "../../../src/store/administration/find-project.ts";
import { listProjectPage } from "../../../src/store/administration/list-pages.ts";
import { newAccount } from "../../../src/store/dashboard/accounts.ts";
import { createDashboardStore } from "../../../src/store/dashboard/dashboard-store.ts";
import { createInvitations } from "../../../src/store/dashboard/invitations.ts";
import { createMemberships } from "../../../src/store/dashboard/memberships.ts";
import { createProjects } from "../../../src/store/dashboard/projects.ts";
import { readRows } from "../../../src/store/database/executor.ts";
import { ENTITIES } from "../../../src/store/entities/index.ts";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { createKey, findKey, rotateKey } from "../../../src/store/keys/key-repository.ts";
import { StoreAuthenticator } from "../../../src/store/keys/store-authenticator.ts";
import { createDatasetRunStore } from "../../../src/store/learning/dataset-run-store.ts";
import { deleteProject, restoreProject } from "../../../src/store/project-deletion/delete-project.ts";
import { findWaitingDeletions, listProjectDeletions } from "../../../src/store/project-deletion/list-deletions.ts";
import { deleteLateRecords, runProjectDeletions } from "../../../src/store/project-deletion/run-deletions.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { fillDatabase, readDatabase } from "../../support/fill-database.ts";
import { feedbackRow, inferenceRow } from "../../support/rows.ts";
import { type RunningModule, runModule } from "../../support/run-module.ts";
import { waitUntil } from "../../support/wait.ts";

const HOUR_MS = 3_600_000;
const ALL: readonly EntityName[] = ENTITIES;

/** A time of tests at which what waits is due. */
const later = () => new Date(Date.now() + 25 * HOUR_MS);
const awaitRecords = async () => {};

async function newProject(store: Store, name: string = newId(), ownerId?: string): Promise<string> {
  const project = await createProjects(store).create(name, ownerId);
  if (project === undefined) throw new Error("no project");
  return project.id;
}

async function newOwner(store: Store): Promise<string> {
  const account = newAccount(`${newId()}@example.com`, null);
  await store.query().insertInto("UserAccount").values(account).execute();
  return account.id;
}

describe.each(ENGINES)("deleteProject() on %s", (engine) => {
  const databases = useDatabases(engine);
  let store: Store;
  beforeAll(() => {
    store = databases.store.as({ actor: { kind: "admin-key", id: "abc", label: "terraform" }, via: "rpc" });
  });

  it("hides a project, frees its name, and leaves an audit entry; undone, all is as before", async () => {
    const ownerId = await newOwner(store);
    const id = await newProject(store, "search", ownerId);
    const deletion = await deleteProject(store, id);
    expect(deletion).toMatchObject({ projectId: id, name: "search", state: "waiting", actorLabel: "terraform" });
    expect((deletion?.dueAt.getTime() ?? 0) - (deletion?.requestedAt.getTime() ?? 0)).toBe(24 * HOUR_MS);
    expect(await deleteProject(store, id)).toMatchObject({ requestedAt: deletion?.requestedAt });
    expect([await findProject(store, id), await findProject(store, "search")]).toEqual([undefined, undefined]);
    const pages = await listProjectPage(store, { after: "", most: 100, name: "", projectId: undefined });
    expect(pages.map((each) => each.id)).not.toContain(id);
    const memberships = createMemberships(store);
    expect([await memberships.findRole(ownerId, id), await memberships.listProjects(ownerId)]).toEqual([undefined, []]);

    const other = await newProject(store, "search");
    expect(await restoreProject(store, id)).toBe("name-taken");
    await createProjects(store).rename(other, "search 2");
    expect(await restoreProject(store, id)).toBe("restored");
    expect(await restoreProject(store, id)).toBeUndefined();
    expect(await findProject(store, "search")).toMatchObject({ id });
    expect(await memberships.findRole(ownerId, id)).toBe("owner");
    await runProjectDeletions(store, later(), { awaitRecords });
    expect(await findProject(store, "search")).toMatchObject({ id });
    const entries = await store.query().selectFrom("AuditEntry").selectAll().where("projectId", "=", id).execute();
    expect(entries.map(({ action, actorLabel }) => [action, actorLabel]).slice(1)).toEqual([
      ["projects.delete", "terraform"],
      ["projects.restore", "terraform"],
    ]);
  });

  it("refuses its keys at once, former secrets too, until it is undone", async () => {
    const projectId = await newProject(store);
    const { key: former, info } = await createKey(store, { name: "ci", projectId });
    const { key = "" } = (await rotateKey(store, info.publicId, later())) ?? {};
    // Nothing tells this one of changes: each time it is read what the database has.
    const authenticator = new StoreAuthenticator(store, { freshMs: 0, toldMs: 0 });
    const judge = async () => await Promise.all([key, former].map((secret) => authenticator.authenticate(secret)));
    const principal = { keyId: info.publicId, projectId };
    expect(await judge()).toEqual([principal, principal]);
    await deleteProject(store, projectId);
    const rejected = { rejected: "revoked_key", owner: principal };
    expect(await judge()).toEqual([rejected, rejected]);
    expect(await authenticator.findKey(info.publicId)).toEqual(rejected);
    await restoreProject(store, projectId);
    expect(await judge()).toEqual([principal, principal]);
    await authenticator.close();
  });

  it("lets nobody in by an invitation, and refuses the default project", async () => {
    const projectId = await newProject(store);
    const invitations = createInvitations(store);
    const { secret } = await invitations.create({ projectId, email: "grace@example.com", role: "viewer" });
    await deleteProject(store, projectId);
    expect([await invitations.open(secret), await invitations.accept(secret, "hash")]).toEqual([undefined, undefined]);
    expect(await deleteProject(store, DEFAULT_PROJECT.id)).toBeUndefined();
    expect(await deleteProject(store, newId())).toBeUndefined();
  });

  it("is hindered by nobody who calls a project by its id", async () => {
    const id = await newProject(store);
    await newProject(store, id);
    expect(await deleteProject(store, id)).toMatchObject({ projectId: id, state: "waiting" });
  });

  it("is not undone where an owner has as many other projects as they may", async () => {
    const ownerId = await newOwner(store);
    const id = await newProject(store, newId(), ownerId);
    await deleteProject(store, id);
    const other = await newProject(store, newId(), ownerId);
    const { quotas } = store;
    store.setQuotas({ ...quotas, projectsPerPerson: 1 });
    await expect(restoreProject(store, id)).rejects.toThrow("the projects that one person owns are 1");
    await deleteProject(store, other);
    expect(await restoreProject(store, id)).toBe("restored");
    store.setQuotas(quotas);
  });

  it("ends a run of a dataset that is under way", async () => {
    const projectId = await newProject(store);
    const { datasets, datasetRuns } = createDashboardStore(store);
    const { id } = await createDataset(datasets, projectId, "a");
    const run = { models: ["a", "b"] as const, requests: 1, estimatedNanos: null };
    const runId = String(await datasetRuns.create({ projectId, id }, run));
    const { beat } = createDatasetRunStore(store);
    expect(await beat(runId)).toBe(true);
    await deleteProject(store, projectId);
    expect(await beat(runId)).toBe(false);
  });

  it("deletes the data when a day is over, goes on where a process has died, and with what comes late", async () => {
    const projectId = await newProject(store, "short-lived");
    const write = async (count: number) => {
      const inferences = Array.from({ length: count }, () => inferenceRow({ projectId }));
      const feedback = inferences.map(({ id }) => feedbackRow({ projectId, inferenceId: id }));
      const writes = inferences.map((row) => ({ row, attempts: [], request: undefined, response: undefined }));
      await writeBatch(store, { inferences: writes, feedback });
    };
    await write(3);
    // Those of other tests are done with.
    await runProjectDeletions(store, later(), { awaitRecords });
    await deleteProject(store, projectId);
    await runProjectDeletions(store, new Date(Date.now() + 23 * HOUR_MS), { awaitRecords });
    const [waiting] = await findWaitingDeletions(store, "short-lived");
    expect(waiting).toMatchObject({ projectId, state: "waiting", inferences: 0 });

    const signal = AbortSignal.abort();
    const due = later();
    await expect(runProjectDeletions(store, due, { awaitRecords, signal })).rejects.toThrow();
    const list = async () => (await listProjectDeletions(store, { projectIds: [projectId], limit: 5 }))[0];
    expect(await list()).toMatchObject({ state: "running" });
    expect(await restoreProject(store, projectId)).toBeUndefined();
    // It was heard of just now: nobody else takes it.
    await runProjectDeletions(store, due, { awaitRecords });
    expect(await list()).toMatchObject({ state: "running" });
    await runProjectDeletions(store, new Date(due.getTime() + 120_000), { awaitRecords: () => write(2) });
    expect(await list()).toMatchObject({ state: "done", inferences: 5, feedback: 5, endedAt: expect.any(Date) });
    expect(await store.query().selectFrom("Project").select("id").where("id", "=", projectId).execute()).toEqual([]);

    await write(1);
    await deleteLateRecords(store, new Date());
    expect(await list()).toMatchObject({ inferences: 6, feedback: 6 });
    const left = store.query().selectFrom("UsageDay").select("calls").where("projectId", "=", projectId);
    expect(await left.execute()).toEqual([]);
    await deleteLateRecords(store, new Date(Date.now() + 91 * 24 * HOUR_MS));
    expect(await list()).toBeUndefined();
    const entries = await store
      .query()
      .selectFrom("AuditEntry")
      .selectAll()
      .where("projectId", "=", projectId)
      .execute();
    expect(entries.map(({ action, actorLabel, before }) => [action, actorLabel, before]).at(-1)).toEqual([
      ...["projects.deleteData", "terraform", '{"inferences":5,"feedback":5,"conversations":0}'],
    ]);
  });
});

describe.each(ENGINES)("the data of a deleted project on %s", (engine) => {
  const databases = useDatabases(engine);

  /** Gives the project a row of each table; returns texts that stand in its rows and in nobody else's. */
  async function giveRows(store: Store): Promise<{ readonly projectId: string; readonly marks: readonly string[] }> {
    const own =
      "select id, project_id from dataset where project_id in (select id from project where deleted_at is null)";
    const [dataset] = await readRows<{ id: string; project_id: string }>(store, `${own} limit 1`, []);
    if (dataset === undefined) throw new Error("no dataset");
    const { id: datasetId, project_id: projectId } = dataset;
    const em = store.fork();
    const set = async (table: string, column: string, key: string, value: string) => {
      const chosen = `(select ${key} from "${table}" limit 1)`;
      await readRows(store, `update "${table}" set ${column} = ? where ${key} = ${chosen}`, [value]);
    };
    for (const entity of ALL) {
      const { tableName, primaryKeys, props } = em.getMetadata().get(entity);
      const column = props.find(({ fieldNames }) => fieldNames[0] === "project_id");
      const key = props.find(({ name }) => name === primaryKeys[0])?.fieldNames[0];
      if (column === undefined || column.targetMeta !== undefined || key === undefined) continue;
      if (tableName !== "project_deletion") await set(tableName, "project_id", key, projectId);
    }
    const idOf = async (table: string) =>
      (await readRows<{ id: string }>(store, `select id from ${table} where project_id = ?`, [projectId]))[0]?.id ?? "";
    const [inferenceId, conversationId] = [await idOf("inference"), await idOf("conversation")];
    await set("inference_attempt", "id", "id", inferenceId);
    await set("conversation_item", "conversation_id", "conversation_id", conversationId);
    const [key] = await store
      .query()
      .selectFrom("ApiKey")
      .select("publicId")
      .where("project", "=", projectId)
      .execute();
    const subjects = [
      `project:${projectId}`,
      `key:${key?.publicId}`,
      `tag:${projectId}/a=b`,
      `end-user:${projectId}/x`,
    ];
    for (const name of [...subjects, "key:of-others"].map((subject) => `usdTotal 0 ${subject}`)) {
      await store.query().insertInto("QuotaWindow").values({ name, endsAt: null, leased: 1 }).execute();
      const lease = { process: newId(), name, endsAt: null, free: 0, lost: 0 };
      await store.query().insertInto("QuotaLease").values(lease).execute();
    }
    await store
      .query()
      .insertInto("ShadowDay")
      .values({ day: 1, budget: `p:${projectId}`, spentNanos: 1 })
      .execute();
    return { projectId, marks: [projectId, datasetId, conversationId, inferenceId, `key:${key?.publicId}`] };
  }

  it("goes from every table but the audit log, and nobody else's does", async () => {
    const { store } = databases;
    await fillDatabase(store, 4);
    const { projectId, marks } = await giveRows(store);
    await deleteProject(store, projectId);
    const before = await readDatabase(store);
    await runProjectDeletions(store, later(), { awaitRecords });
    const after = await readDatabase(store);
    const touched = (table: string) => before[table]?.some((row) => marks.some((mark) => row.includes(mark)));
    const untouched = Object.keys(before).filter((table) => !touched(table));
    expect(untouched.sort()).toEqual(WITHOUT_PROJECT);
    for (const [table, rows] of Object.entries(before)) {
      if (table === "audit_chain" || table === "audit_entry" || table === "project_deletion") continue;
      const left = rows.filter((row) => !marks.some((mark) => row.includes(mark)));
      expect([table, after[table]]).toEqual([table, left]);
    }
    const kept = (table: string) => after[table]?.filter((row) => row.includes(projectId)).length;
    expect([kept("audit_entry"), kept("project_deletion")]).toEqual([3, 1]);
  });
});

/** Tables of which no project has rows. */
const WITHOUT_PROJECT = [
  ...["alert_lease", "audit_chain", "dashboard_session", "deployment_audit", "installation_key", "learning_batch"],
  ...["learning_mark", "password_reset", "quota_process", "retention_mark", "setup_link", "sign_in_attempt"],
  ...["user_account", "user_identity"],
];

const SOURCE = new URL("../../../src/store/", import.meta.url);

/** Deletes what is due in a process of its own, which comes to no end: nobody tells it that all records are written. */
function deleteInProcess(databaseUrl: string): RunningModule {
  return runModule(`
    import { openStore } from ${JSON.stringify(new URL("database/open-store.ts", SOURCE).href)};
    import { runProjectDeletions } from ${JSON.stringify(new URL("project-deletion/run-deletions.ts", SOURCE).href)};
    const store = await openStore(${JSON.stringify(databaseUrl)});
    setInterval(() => {}, 1000);
    await runProjectDeletions(store, new Date(${later().getTime()}), { awaitRecords: () => new Promise(() => {}) });
  `);
}

describe.each(ENGINES)("a process that is killed while it deletes a project on %s", (engine) => {
  const databases = useDatabases(engine);
  const COUNT = 1000;

  it("is replaced by another one after a minute, which deletes the rest", async () => {
    const { store } = databases;
    const projectId = await newProject(store);
    const inferences = Array.from({ length: COUNT }, () => inferenceRow({ projectId }));
    const writes = inferences.map((row) => ({ row, attempts: [], request: undefined, response: undefined }));
    await writeBatch(store, { inferences: writes, feedback: [] });
    const { info } = await createKey(store, { name: "ci", projectId });
    await deleteProject(store, projectId);
    const read = async () => (await listProjectDeletions(store, { projectIds: [projectId], limit: 1 }))[0];
    const running = deleteInProcess(databases.url);
    await waitUntil(async () => ((await read())?.inferences ?? 0) > 0);
    running.child.kill("SIGKILL");
    expect(await running.ended).toBe("SIGKILL");
    expect(await read()).toMatchObject({ state: "running", endedAt: null });
    expect(await findKey(store, info.publicId)).toBeDefined();

    await runProjectDeletions(store, new Date(), { awaitRecords });
    expect(await read()).toMatchObject({ state: "running" });
    await runProjectDeletions(store, new Date(Date.now() + 61_000), { awaitRecords });
    const done = await read();
    expect(done).toMatchObject({ state: "done", endedAt: expect.any(Date) });
    // What the process deleted just before its end, it told nobody.
    expect(done?.inferences).toBeGreaterThanOrEqual(COUNT - 100);
    const left = await store.query().selectFrom("Inference").select("id").where("projectId", "=", projectId).execute();
    expect([left, await findKey(store, info.publicId)]).toEqual([[], undefined]);
    const ends = store.query().selectFrom("AuditEntry").select("action").where("projectId", "=", projectId);
    expect(await ends.where("action", "=", "projects.deleteData").execute()).toHaveLength(1);
  });
});
