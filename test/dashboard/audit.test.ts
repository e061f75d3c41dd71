import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GenerateResponseSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { dashboardRouter } from "../../src/dashboard/router.ts";
import type { WorkloadKey } from "../../src/learning/workload.ts";
import { createDataset } from "../../src/operations/datasets.ts";
import { verifyAuditLog } from "../../src/store/audit/verify-audit-log.ts";
import { createKey, revokeKey } from "../../src/store/keys/key-repository.ts";
import { requestImprovement } from "../../src/store/learning/improvements.ts";
import { requestRebuild } from "../../src/store/learning/rebuild-requests.ts";
import { createShadowStore } from "../../src/store/learning/shadow-store.ts";
import { writeSettings } from "../../src/store/settings/write-settings.ts";
import { writeBatch } from "../../src/store/write/recorder/write-batch.ts";
import { useDatabases } from "../support/database.ts";
import { pauseLearning } from "../support/pause-learning.ts";
import { feedbackRow, inferenceRow } from "../support/rows.ts";
import { shadowRecord } from "../support/shadow-record.ts";
import { type Caller, PASSWORD } from "./caller.ts";
import { type DashboardService, startDashboardService } from "./harness.ts";
import { createPeople, type People, signedIn } from "./people.ts";

const IMPROVED = { models: [], mostNanos: 1, mostCalls: 1 };
const NEW_PASSWORD = "some other plain words";

/** One project with its people, for one mutation. */
interface Scene {
  readonly service: DashboardService;
  readonly people: People;
  readonly projectId: string;
  readonly owner: Caller;
  /** A member of the project who may sign in. */
  member(): Promise<{ userId: string; email: string; caller: Caller }>;
}

/** What leads to a mutation; the mutation itself is called by whom it returns, with the input beside the project. */
type Prepare = (scene: Scene) => Promise<readonly [Caller, Readonly<Record<string, unknown>>]>;

interface Row {
  readonly action: string;
  readonly prepare: Prepare;
}

const byOwner =
  (input: Readonly<Record<string, unknown>> = {}): Prepare =>
  async ({ owner }) => [owner, input];

async function invite({ owner, projectId }: Scene, email: string): Promise<string> {
  const { data } = await owner.mutate("members.invite", { projectId, email, role: "viewer" });
  return (data as { token: string }).token;
}

const RULE = { name: "mine", kind: "drift", threshold: 1, windowMinutes: 60, minCalls: 0, isEnabled: true };

/** A destination that is refused before anything is asked: no test leaves this machine. */
const onDestination: Prepare = async ({ service, owner, projectId }) => {
  const target = "http://127.0.0.1:9/hook";
  const settings = { projectId, name: randomUUID(), kind: "webhook", target } as const;
  const added = await service.dashboard.alerts.addDestination(settings);
  return [owner, { id: added?.destination.id }];
};

async function makeDataset({ service, projectId }: Scene): Promise<string> {
  return (await createDataset(service.dashboard.datasets, projectId, randomUUID())).id;
}

/** A run of a process that is busy: it is in the store, and nobody makes it. */
async function makeRun(scene: Scene): Promise<string> {
  const place = { projectId: scene.projectId, id: await makeDataset(scene) };
  const run = { models: ["gpt-6-astra", "claude-sonnet-5-5"], requests: 1, estimatedNanos: 1 } as const;
  return (await scene.service.dashboard.datasetRuns.create(place, run)) ?? "";
}

async function writeInference({ service, projectId }: Scene, body?: Uint8Array): Promise<string> {
  const row = inferenceRow({ projectId });
  const inference = { row, attempts: [], request: body, response: body };
  await writeBatch(service.store, { inferences: [inference], feedback: [] });
  return row.id;
}

/** Every mutation that changes something, with the action of its entry. */
const AUDITED: Readonly<Record<string, Row>> = {
  "alerts.addDestination": {
    action: "alerts.addDestination",
    prepare: byOwner({ destination: { name: "ops", kind: "webhook", target: "https://1.1.1.1/hook" } }),
  },
  "alerts.removeDestination": { action: "alerts.removeDestination", prepare: onDestination },
  "alerts.removeRule": {
    action: "alerts.removeRule",
    prepare: async ({ owner, projectId }) => {
      await owner.mutate("alerts.setRule", { projectId, rule: RULE });
      return [owner, { name: RULE.name }];
    },
  },
  "alerts.setRule": { action: "alerts.setRule", prepare: byOwner({ rule: RULE }) },
  "alerts.testDestination": { action: "alerts.testDestination", prepare: onDestination },
  "datasetRuns.cancel": {
    action: "datasetRuns.cancel",
    prepare: async (scene) => [scene.owner, { id: await makeRun(scene) }],
  },
  "datasetRuns.start": {
    action: "datasetRuns.start",
    prepare: async (scene) => {
      const [id, inferenceId] = [await makeDataset(scene), await writeInference(scene, Buffer.from("texts"))];
      await scene.service.dashboard.datasets.add({ projectId: scene.projectId, id }, [inferenceId]);
      // A project has one run under way at most.
      await scene.service.store.query().updateTable("DatasetRun").set({ state: "completed" }).execute();
      return [scene.owner, { id, models: ["gpt-6-astra", "claude-sonnet-5-5"], confirmedNanos: 1e9 }];
    },
  },
  "datasets.add": {
    action: "datasets.add",
    prepare: async (scene) => {
      const [id, inferenceIds] = [await makeDataset(scene), [await writeInference(scene)]];
      return [scene.owner, { id, inferenceIds }];
    },
  },
  "datasets.addFiltered": {
    action: "datasets.add",
    prepare: async (scene) => {
      await writeInference(scene);
      return [scene.owner, { id: await makeDataset(scene), filter: {} }];
    },
  },
  "datasets.create": { action: "datasets.create", prepare: byOwner({ name: "good answers" }) },
  "datasets.drop": {
    action: "datasets.drop",
    prepare: async (scene) => {
      const [id, inferenceId] = [await makeDataset(scene), await writeInference(scene)];
      await scene.service.dashboard.datasets.add({ projectId: scene.projectId, id }, [inferenceId]);
      return [scene.owner, { id, inferenceId }];
    },
  },
  "datasets.remove": {
    action: "datasets.remove",
    prepare: async (scene) => [scene.owner, { id: await makeDataset(scene) }],
  },
  "endUsers.delete": { action: "endUsers.requestDeletion", prepare: byOwner({ endUserId: "ada" }) },
  "feedback.remove": {
    action: "feedback.remove",
    prepare: async ({ service, projectId, owner }) => {
      const entry = feedbackRow({ id: randomUUID(), projectId });
      await writeBatch(service.store, { inferences: [], feedback: [entry] });
      return [owner, { id: entry.id }];
    },
  },
  "invitations.accept": {
    action: "invitations.accept",
    prepare: async (scene) => {
      const token = await invite(scene, `${randomUUID()}@example.com`);
      return [scene.people.nobody, { token, password: NEW_PASSWORD }];
    },
  },
  "keys.create": { action: "keys.create", prepare: byOwner({ name: "ci", limits: { requestsPerMinute: 6 } }) },
  "keys.revoke": {
    action: "keys.revoke",
    prepare: async ({ service, projectId, owner }) => {
      const { info } = await createKey(service.store, { projectId, name: "ci" });
      return [owner, { publicId: info.publicId }];
    },
  },
  "keys.rotate": {
    action: "keys.rotate",
    prepare: async ({ service, projectId, owner }) => {
      const { info } = await createKey(service.store, { projectId, name: "ci" });
      return [owner, { publicId: info.publicId, overlapHours: 24 }];
    },
  },
  "keys.update": {
    action: "keys.update",
    prepare: async ({ service, projectId, owner }) => {
      const { info } = await createKey(service.store, { projectId, name: "ci" });
      return [owner, { publicId: info.publicId, tags: [{ name: "team", value: "search" }] }];
    },
  },
  "improvements.cancel": {
    action: "learning.cancelImprovement",
    prepare: async ({ service, owner, projectId }) => {
      await requestImprovement(service.store, { ...IMPROVED, key: { projectId, model: "gpt-6-astra" } });
      return [owner, { model: "gpt-6-astra" }];
    },
  },
  "improvements.request": {
    action: "learning.requestImprovement",
    prepare: async ({ owner, projectId }) => {
      await owner.mutate("learning.setControls", { projectId, model: "", shadowJudge: "gpt-6-astra" });
      return [owner, { model: "claude-haiku-5-5", mostUsd: 1 }];
    },
  },
  "learning.judgePair": {
    action: "learning.judgePair",
    prepare: async ({ service, projectId, owner }) => {
      const trial = shadowRecord({ projectId });
      const answer = create(GenerateResponseSchema);
      await createShadowStore(service.store).write(trial, { day: 0, budget: "", nanos: 0 }, answer);
      return [owner, { pairId: trial.id, first: true, second: true }];
    },
  },
  "learning.reset": {
    action: "learning.reset",
    prepare: async ({ service, projectId, owner }) => {
      await fill(service, { projectId, model: "gpt-6-astra" });
      return [owner, { model: "gpt-6-astra" }];
    },
  },
  "learning.setControls": { action: "learning.setControls", prepare: byOwner({ model: "", mode: "observe" }) },
  "members.invite": {
    action: "invitations.create",
    prepare: byOwner({ email: "someone@example.com", role: "viewer" }),
  },
  "members.leave": { action: "members.remove", prepare: async ({ member }) => [(await member()).caller, {}] },
  "members.remove": {
    action: "members.remove",
    prepare: async ({ owner, member }) => [owner, { userId: (await member()).userId }],
  },
  "members.resetPassword": {
    action: "resets.create",
    prepare: async ({ owner, member }) => [owner, { userId: (await member()).userId }],
  },
  "members.revokeInvitation": {
    action: "invitations.revoke",
    prepare: async (scene) => {
      await invite(scene, "late@example.com");
      const [invitation] = await scene.service.dashboard.invitations.list(scene.projectId);
      return [scene.owner, { invitationId: invitation?.id }];
    },
  },
  "members.setRole": {
    action: "members.setRole",
    prepare: async ({ owner, member }) => [owner, { userId: (await member()).userId, role: "developer" }],
  },
  "playground.allow": {
    action: "playground.allow",
    prepare: async ({ service, owner, member, projectId }) => {
      const { userId, email } = await member();
      const { keyId } = await service.dashboard.playground.findOrCreateKey({ projectId, userId, email });
      const key = (await service.dashboard.keys.list({ projectId, limit: 100 })).keys.find(
        ({ publicId }) => publicId === keyId,
      );
      await revokeKey(service.store, key?.publicId ?? "");
      return [owner, { userId }];
    },
  },
  "projectSettings.removeAlias": {
    action: "projectSettings.set",
    prepare: async ({ service, projectId, owner }) => {
      await writeSettings(service.store, projectId, { aliases: { fast: "gpt-6-astra" } });
      return [owner, { name: "fast" }];
    },
  },
  "projectSettings.setAlias": {
    action: "projectSettings.set",
    prepare: byOwner({ name: "small", model: "gpt-6-astra" }),
  },
  "projects.create": {
    action: "projects.create",
    prepare: async ({ owner }) => [owner, { name: `project ${randomUUID()}` }],
  },
  "projects.delete": {
    action: "projects.delete",
    prepare: async ({ owner }) => {
      const name = `project ${randomUUID()}`;
      const { id } = (await owner.mutate("projects.create", { name })).data as { id: string };
      return [owner, { projectId: id, name }];
    },
  },
  "projects.restore": {
    action: "projects.restore",
    prepare: async ({ owner }) => {
      const name = `project ${randomUUID()}`;
      const { id } = (await owner.mutate("projects.create", { name })).data as { id: string };
      await owner.mutate("projects.delete", { projectId: id, name });
      return [owner, { deletedId: id }];
    },
  },
  "projects.rename": {
    action: "projects.rename",
    prepare: async ({ owner }) => [owner, { name: `project ${randomUUID()}` }],
  },
  "projectSettings.setBodies": { action: "projectSettings.set", prepare: byOwner({ bodies: "none" }) },
  "projectSettings.setOptimizations": { action: "projectSettings.set", prepare: byOwner({ off: ["hedging"] }) },
  "quotas.set": {
    action: "quotas.set",
    prepare: byOwner({ owner: { kind: "endUser", name: "ada" }, settings: { requestsPerMinute: 60 } }),
  },
  "rebuilds.cancel": {
    action: "learning.cancelRebuild",
    prepare: async ({ service, owner, projectId }) => {
      await requestRebuild(service.store, projectId, { isBounded: false });
      return [owner, {}];
    },
  },
  "rebuilds.request": { action: "learning.requestRebuild", prepare: byOwner() },
  "resets.redeem": {
    action: "resets.redeem",
    prepare: async ({ service, member, people }) => {
      const { secret } = await service.dashboard.resets.createForAccount((await member()).userId);
      return [people.nobody, { token: secret, password: NEW_PASSWORD }];
    },
  },
  "session.changePassword": {
    action: "accounts.setPassword",
    prepare: async ({ member }) => [(await member()).caller, { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }],
  },
  "session.end": {
    action: "session.end",
    prepare: async ({ member }) => {
      const { caller } = await member();
      const [session] = (await caller.query("session.list")).data as readonly { id: string }[];
      return [caller, { sessionId: session?.id }];
    },
  },
  "session.signIn": {
    action: "session.begin",
    prepare: async ({ member, people }) => [people.nobody, { email: (await member()).email, password: PASSWORD }],
  },
  "session.signOut": { action: "session.end", prepare: async ({ member }) => [(await member()).caller, {}] },
  "session.signOutEverywhere": {
    action: "session.end",
    prepare: async ({ member }) => [(await member()).caller, {}],
  },
  "views.remove": {
    action: "views.remove",
    prepare: async ({ service, projectId, owner }) => {
      await service.dashboard.savedViews.save(projectId, { name: "late", search: "" });
      const [view] = await service.dashboard.savedViews.list(projectId);
      return [owner, { id: view?.id }];
    },
  },
  "views.save": { action: "views.save", prepare: byOwner({ name: "failed", search: "status=failed" }) },
  "setup.createOwner": {
    action: "setup.createOwner",
    prepare: async ({ service, people }) => {
      await service.store.query().deleteFrom("Membership").execute();
      await service.store.query().deleteFrom("UserAccount").execute();
      const token = await service.dashboard.setup.newLink();
      return [people.nobody, { token, email: "first@example.com", password: NEW_PASSWORD }];
    },
  },
};

/** Mutations without an entry, and why. */
const EXEMPT: Readonly<Record<string, string>> = {
  "invitations.open": "reads: it is a mutation so that the secret is in no address",
  "resets.open": "reads: it is a mutation so that the secret is in no address",
};

async function fill({ store }: DashboardService, { projectId, model }: WorkloadKey): Promise<void> {
  const state = { version: 1, updatedAt: new Date(), rewards: 1, snapshot: null };
  await store
    .query()
    .insertInto("LearnedState")
    .values({ projectId, model, ...state })
    .execute();
}

describe("the table of audited mutations", () => {
  it("has every mutation of the dashboard, or says why it leaves no entry", () => {
    const procedures = dashboardRouter._def.procedures as unknown as Readonly<
      Record<string, { readonly _def: { readonly type: string } }>
    >;
    const mutations = Object.entries(procedures).filter(([, { _def }]) => _def.type === "mutation");
    expect([...Object.keys(AUDITED), ...Object.keys(EXEMPT)].sort()).toEqual(mutations.map(([path]) => path).sort());
  });
});

// The entries themselves are tested on both engines, and so is what the mutations do.
describe("the audit log of the dashboard", () => {
  const databases = useDatabases("sqlite");
  let service: DashboardService;
  let people: People;
  /** A rebuild that is asked for stays waiting until then. */
  let resumeLearning: () => Promise<void>;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url });
    people = await createPeople(service);
    resumeLearning = await pauseLearning(service.store);
  });

  afterAll(async () => {
    await resumeLearning();
    await service.close();
  });

  function openScene(): Scene {
    const { projectId } = people;
    return {
      service,
      people,
      projectId,
      owner: people.byRole.owner,
      async member() {
        const person = await signedIn(service);
        const row = { user: person.userId, project: projectId, role: "viewer", createdAt: new Date() };
        await service.store.query().insertInto("Membership").values(row).execute();
        return person;
      },
    };
  }

  const entriesAfter = (sequence: number) =>
    service.store.query().selectFrom("AuditEntry").selectAll().where("sequence", ">", sequence).execute();
  const latest = async () => (await verifyAuditLog(service.store)).sequence;

  it("has a wrong password for an account, and none of an address without one", async () => {
    const { member } = openScene();
    const { email } = await member();
    const before = await latest();
    await people.nobody.mutate("session.signIn", { email, password: "a wrong password" });
    await people.nobody.mutate("session.signIn", { email: "nobody@example.com", password: "a wrong password" });
    expect((await entriesAfter(before)).map(({ action, targetName }) => [action, targetName])).toEqual([
      ["session.refuse", email],
    ]);
  });

  it("has no entry of a change that changes nothing", async () => {
    const { owner, projectId } = openScene();
    const before = await latest();
    await owner.mutate("projectSettings.setOptimizations", { projectId, off: [] });
    expect(await entriesAfter(before)).toEqual([]);
  });

  // The last one removes all accounts.
  it.each(Object.entries(AUDITED))("%s leaves an entry", async (path, { action, prepare }) => {
    const scene = openScene();
    const [caller, input] = await prepare(scene);
    const before = await latest();
    const answer = await caller.mutate(path, { projectId: scene.projectId, ...input });
    expect(answer.error).toBeUndefined();
    const entries = await entriesAfter(before);
    expect(entries.map((entry) => entry.action)).toContain(action);
    for (const entry of entries) {
      expect(entry).toMatchObject({ actorKind: "person", via: "dashboard", address: "127.0.0.1" });
      expect([entry.actorId, entry.actorLabel, entry.requestId]).toEqual([
        expect.stringMatching(/^[0-9a-f-]{36}$/),
        expect.stringMatching(/@example\.com$/),
        expect.stringMatching(/./),
      ]);
    }
    for (const secret of secretsOf(input, answer.data)) expect(JSON.stringify(entries)).not.toContain(secret);
    expect((await verifyAuditLog(service.store)).problem).toBeUndefined();
  });
});

/** Passwords, tokens and keys of an input and an answer. */
function secretsOf(...parts: readonly unknown[]): string[] {
  const secrets = /^(?:token|password|currentPassword|newPassword|key|secret)$/;
  return parts.flatMap((part) =>
    Object.entries(part ?? {}).flatMap(([name, value]) =>
      secrets.test(name) && typeof value === "string" ? [value] : [],
    ),
  );
}
