import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AdminService, PairVerdict } from "../../gen/attune/admin/v1/admin_pb.ts";
import { MemberRole } from "../../gen/attune/admin/v1/member_pb.ts";
import { GenerateResponseSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { QuotaKind } from "../../gen/attune/quota/v1/quota_pb.ts";
import { Objective } from "../../gen/attune/workload/v1/workload_pb.ts";
import { createOperations, type Operations } from "../../src/operations/create-operations.ts";
import { ADMIN_METHODS, type AdminMethod, isChange, OPERATIONS } from "../../src/operations/operations.ts";
import { createAdminKey } from "../../src/store/admin-keys/admin-key-repository.ts";
import { newAccount } from "../../src/store/dashboard/accounts.ts";
import { createProjectAlerts } from "../../src/store/dashboard/alerts.ts";
import { createInvitations } from "../../src/store/dashboard/invitations.ts";
import { createProjects } from "../../src/store/dashboard/projects.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { createShadowStore } from "../../src/store/learning/shadow-store.ts";
import type { Store } from "../../src/store/types/store.ts";
import { ADMIN_SCOPES, type Administrator } from "../../src/vocabulary/administrator.ts";
import { ADMIN_PORTS } from "../support/admin-ports.ts";
import { feedbackRow } from "../support/rows.ts";
import { shadowRecord } from "../support/shadow-record.ts";

type Changing = {
  [M in AdminMethod]: (typeof OPERATIONS)[M]["scope"] extends `${string}:write` ? M : never;
}[AdminMethod];

const MEMBER = newAccount("ada@example.com", "hash");
/** A trial whose answer waits for somebody to judge it. */
const TRIAL = shadowRecord();
const WEBHOOK = { kind: "webhook", target: "http://127.0.0.1:9/hook" } as const;
/** Destinations that are there: one to remove, and one to test. */
const DESTINATIONS: string[] = [];
/** The admin key that is revoked. */
const ADMIN_KEYS: string[] = [];
/** The base of a workload of which something was learned. */
const LEARNED = "claude-haiku-5-5";
/** The project that is deleted and restored. */
const DELETED = "short-lived";
const PROJECT_QUOTA = { kind: QuotaKind.PROJECT, project: DEFAULT_PROJECT.id };

/** Requests that change something, of every operation that can. */
const SAMPLES: Record<Changing, (key: string, invitation: string) => object> = {
  createProject: () => ({ project: { name: "search" } }),
  updateProject: () => ({ project: DEFAULT_PROJECT.id, update: { name: "main" }, updateMask: { paths: ["name"] } }),
  deleteProject: () => ({ project: DELETED }),
  restoreProject: () => ({ project: DELETED }),
  createKey: () => ({ project: DEFAULT_PROJECT.id, key: { name: "ci" } }),
  updateKey: (id) => ({ id, update: { name: "renamed" }, updateMask: { paths: ["name"] } }),
  rotateKey: (id) => ({ id }),
  revokeKey: (id) => ({ id }),
  createAdminKey: () => ({ adminKey: { name: "ci", scopes: ["keys:read"] } }),
  revokeAdminKey: () => ({ id: ADMIN_KEYS[0] }),
  setQuota: () => ({ ...PROJECT_QUOTA, limits: { concurrentCalls: 3n } }),
  removeQuota: () => PROJECT_QUOTA,
  setMemberRole: () => ({ project: DEFAULT_PROJECT.id, member: MEMBER.email, role: MemberRole.VIEWER }),
  removeMember: () => ({ project: DEFAULT_PROJECT.id, member: MEMBER.id }),
  createInvitation: () => ({ project: DEFAULT_PROJECT.id, email: "grace@example.com", role: MemberRole.OWNER }),
  revokeInvitation: (_, id) => ({ project: DEFAULT_PROJECT.id, id }),
  setAlertRule: () => ({ project: DEFAULT_PROJECT.id, rule: { name: "mine", kind: "drift", threshold: 2 } }),
  removeAlertRule: () => ({ project: DEFAULT_PROJECT.id, name: "mine" }),
  createAlertDestination: () => ({ project: DEFAULT_PROJECT.id, destination: { name: "ops", ...WEBHOOK } }),
  removeAlertDestination: () => ({ project: DEFAULT_PROJECT.id, id: DESTINATIONS[0] }),
  testAlertDestination: () => ({ project: DEFAULT_PROJECT.id, id: DESTINATIONS[1] }),
  applyProjects: () => ({ document: { projects: [{ name: "applied", limits: { concurrentCalls: 3n } }] } }),
  updateControls: () => ({
    project: DEFAULT_PROJECT.id,
    target: { case: "model", value: "gpt-6-astra" },
    controls: { objective: Objective.COST },
    updateMask: { paths: ["objective"] },
  }),
  exportEndUser: () => ({ project: DEFAULT_PROJECT.id, id: "ada" }),
  deleteEndUser: () => ({ project: DEFAULT_PROJECT.id, id: "ada" }),
  rebuildWorkloads: () => ({ project: DEFAULT_PROJECT.id }),
  cancelRebuild: () => ({ project: DEFAULT_PROJECT.id }),
  improveWorkload: () => ({ project: DEFAULT_PROJECT.id, model: LEARNED, maxUsd: 2 }),
  cancelImprovement: () => ({ project: DEFAULT_PROJECT.id, model: LEARNED }),
  resetWorkload: () => ({ project: DEFAULT_PROJECT.id, model: LEARNED }),
  removeFeedback: () => ({ project: DEFAULT_PROJECT.id, name: "rude" }),
  judgePair: () => ({ project: DEFAULT_PROJECT.id, pairId: TRIAL.id, verdict: PairVerdict.BOTH }),
};

const learning = () => ({ mode: "observe", shadow: { share: 0, judge: "gpt-6-astra", usdPerDay: 1 } }) as const;
const actor: Administrator = { kind: "admin-key", id: "abcdefghijkl", label: "terraform", scopes: ADMIN_SCOPES };
const origin = { actor: { kind: "admin-key", id: actor.id, label: actor.label }, via: "rpc" } as const;

describe("createOperations()", () => {
  let store: Store;
  let operations: Operations;
  let key: string;
  let invitation: string;
  const folder = mkdtempSync(join(tmpdir(), "attune-audit-"));

  beforeAll(async () => {
    // Learned state in a database in memory cannot be rebuilt.
    store = await openStore(`sqlite:${join(folder, "attune.db")}`);
    operations = createOperations({
      ...ADMIN_PORTS,
      store,
      modelOf: (name) => name,
      prefix: "attune",
      learning,
    });
    const invited = { projectId: DEFAULT_PROJECT.id, email: "joan@example.com", role: "developer" } as const;
    invitation = (await createInvitations(store).create(invited)).info.id;
    await store.query().insertInto("UserAccount").values(MEMBER).execute();
    const membership = { user: MEMBER.id, project: DEFAULT_PROJECT.id, role: "developer", createdAt: new Date() };
    await store.query().insertInto("Membership").values(membership).execute();
    await createProjects(store).create(DELETED);
    const state = { version: 1, updatedAt: new Date(), rewards: 1, snapshot: null };
    const learned = { projectId: DEFAULT_PROJECT.id, model: LEARNED, ...state };
    await store.query().insertInto("LearnedState").values(learned).execute();
    const bound = { name: "old", scopes: ["keys:read"], projectId: undefined, expiresAt: null } as const;
    ADMIN_KEYS.push((await createAdminKey(store, bound)).info.publicId);
    const own = createProjectAlerts(store);
    for (const name of ["old", "tested"]) {
      const added = await own.addDestination({ projectId: DEFAULT_PROJECT.id, name, ...WEBHOOK });
      DESTINATIONS.push(added?.destination.id ?? "");
    }
    const reservation = { day: 0, budget: "", nanos: 0 };
    await store
      .query()
      .insertInto("FeedbackEntry")
      .values(feedbackRow({ name: "rude" }))
      .execute();
    await createShadowStore(store).write(TRIAL, reservation, create(GenerateResponseSchema));
    key = (await createKey(store, { name: "changed" })).info.publicId;
  });
  afterAll(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const readEntries = () => store.query().selectFrom("AuditEntry").selectAll().orderBy("sequence").execute();

  async function run(method: AdminMethod, request: object): Promise<unknown> {
    const operation = operations[method] as (caller: object, request: unknown) => Promise<unknown>;
    return await operation({ actor, origin }, create(AdminService.method[method].input, request));
  }

  it("leaves an entry of each page of an export, since any id can be asked for as its beginning", async () => {
    const pageToken = "ffffffff-ffff-7fff-bfff-ffffffffffff";
    await run("exportEndUser", { project: DEFAULT_PROJECT.id, id: "ada", pageToken });
    expect((await readEntries()).at(-1)).toMatchObject({
      action: "endUsers.export",
      actorId: actor.id,
      targetId: "ada",
      after: JSON.stringify({ pageToken }),
    });
  });

  const changing = ADMIN_METHODS.filter((method): method is Changing => isChange(OPERATIONS[method]));

  it.each(changing)("leaves an entry of who has done %s, and none of a dry run", async (method) => {
    const request = SAMPLES[method](key, invitation);
    const before = await readEntries();
    await run(method, { ...request, dryRun: true });
    expect(await readEntries()).toEqual(before);
    await run(method, request);
    const added = (await readEntries()).slice(before.length);
    expect(added.length).toBeGreaterThan(0);
    for (const entry of added) expect(entry).toMatchObject({ actorKind: "admin-key", actorId: actor.id, via: "rpc" });
    for (const entry of added) expect(`${entry.before} ${entry.after}`).not.toContain("att_");
  });
});
