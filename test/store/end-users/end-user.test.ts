import { readFileSync } from "node:fs";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { MessageSchema, Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { CallFactsSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { endUserSubjects } from "../../../src/alerts/budget-subject.ts";
import { endUserLines } from "../../../src/dashboard/features/end-users/end-user-lines.ts";
import { ContentReader } from "../../../src/dashboard/features/history/content-reader.ts";
import { CONVERSATION_SOURCE } from "../../../src/hub/sessions.ts";
import { newId } from "../../../src/lib/ids.ts";
import { createEndUserPages } from "../../../src/main/end-user-pages.ts";
import { changeAlerts } from "../../../src/store/alerts/write-alerts.ts";
import { createConversationStore } from "../../../src/store/conversations/conversation-store.ts";
import { createProjects } from "../../../src/store/dashboard/projects.ts";
import { countEndUser, deleteEndUser } from "../../../src/store/end-users/delete-end-user.ts";
import { readEndUser } from "../../../src/store/end-users/read-end-user.ts";
import {
  beginDeletion,
  continueDeletion,
  listDeletions,
  resumeDeletions,
} from "../../../src/store/end-users/run-deletions.ts";
import { writeQuota } from "../../../src/store/quotas/write-quota.ts";
import { createRecorder } from "../../../src/store/write/recorder/recorder.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { inferenceRecord } from "../../support/inference-record.ts";
import { feedbackRow } from "../../support/rows.ts";
import { waitUntil } from "../../support/wait.ts";

const TABLES = [
  ...(["Inference", "InferenceBody", "InferenceAttempt", "InferenceTag", "FeedbackEntry", "FeedbackTag"] as const),
  ...(["IdempotentCall", "Conversation", "ConversationItem", "RollupName", "UsageFactDay", "FeedbackFactDay"] as const),
];
const LIMITS = { conversations: 10, perProject: 10, items: 10, bytes: 10_000 };

describe.each(ENGINES)("the data of an end user on %s", (engine) => {
  const databases = useDatabases(engine);

  const countRows = async () => {
    const counts: Record<string, number> = {};
    for (const table of TABLES) {
      counts[table] = (await databases.store.query().selectFrom(table).selectAll().execute()).length;
    }
    return counts;
  };

  async function newProject(): Promise<string> {
    const project = await createProjects(databases.store).create(newId());
    if (project === undefined) throw new Error("no project");
    return project.id;
  }

  /** Two calls of an end user, one of them in a conversation, with all that they leave. */
  async function fill(projectId: string, endUserId: string): Promise<{ readonly ids: readonly string[] }> {
    const { store } = databases;
    const message = create(MessageSchema, {
      role: Role.USER,
      content: [{ kind: { case: "text", value: { text: `a secret of ${endUserId}` } } }],
    });
    const { id: conversationId } = await createConversationStore(store, LIMITS).create(projectId, {
      metadata: {},
      items: [message],
    });
    const facts = create(CallFactsSchema, { endUserId, tags: { team: "search" } });
    const session = { sessionId: "run-1", sessionSource: "attune-session" };
    const plain = inferenceRecord({ projectId, costNanos: 1000, baseCostNanos: 1000, facts: { ...facts, ...session } });
    const inConversation = inferenceRecord({
      projectId,
      costNanos: 1000,
      baseCostNanos: 1000,
      facts: { ...facts, ...session },
    });
    const input = { ...inConversation.input, conversationId };
    const recorder = createRecorder(store, { flushIntervalMs: 60_000 });
    for (const record of [plain, { ...inConversation, input }]) recorder.offer(record);
    await recorder.flush();
    await recorder.close();
    const ids = [plain.id, inConversation.id];
    const entry = feedbackRow({ projectId, inferenceId: plain.id, tags: { rater: endUserId } });
    await writeBatch(store, { inferences: [], feedback: [entry] });
    const call = { projectId, key: newId(), bodyHash: "", owner: newId(), beatAt: new Date(), state: "kept" };
    await store
      .query()
      .insertInto("IdempotentCall")
      .values({ id: plain.id, ...call, answer: Buffer.from("x"), errorMessage: null, errorDetail: null })
      .execute();
    return { ids };
  }

  it("is deleted, and nothing else", async () => {
    const { store } = databases;
    const [projectId, otherProject] = [await newProject(), await newProject()];
    await fill(projectId, "grace");
    await fill(otherProject, "ada");
    const before = await countRows();
    await fill(projectId, "ada");
    expect((await countRows())["Inference"]).toBe((before["Inference"] ?? 0) + 2);
    expect(await countEndUser(store, { projectId, endUserId: "ada" })).toEqual({ inferences: 2, feedback: 1 });
    const told: number[] = [];
    const onProgress = ({ inferences }: { readonly inferences: number }) => told.push(inferences);
    const deleted = await deleteEndUser(store, { projectId, endUserId: "ada" }, { onProgress });
    expect([deleted, told]).toEqual([{ inferences: 2, feedback: 1, conversations: 1 }, [2]]);
    expect(await countRows()).toEqual(before);
    expect(await countEndUser(store, { projectId, endUserId: "ada" })).toEqual({ inferences: 0, feedback: 0 });
    expect(await deleteEndUser(store, { projectId, endUserId: "ada" })).toEqual({
      inferences: 0,
      feedback: 0,
      conversations: 0,
    });
    const entries = await store.query().selectFrom("AuditEntry").selectAll().orderBy("sequence").execute();
    expect(entries.filter(({ action }) => action === "endUsers.delete")).toMatchObject([
      { projectId, targetId: "ada", before: '{"inferences":2,"feedback":1,"conversations":1}', after: null },
      { projectId, targetId: "ada" },
    ]);
  });

  it.runIf(engine === "sqlite")("leaves no word in the file and in its log", async () => {
    const { store } = databases;
    const projectId = await newProject();
    await fill(projectId, "xyzzyplugh");
    const file = databases.url.replace("sqlite:", "");
    // The audit log names the end user, so the words are looked for.
    const isThere = () => ["", "-wal"].map((end) => readFileSync(file + end).includes("secret of xyzzyplugh"));
    expect(isThere()).toContain(true);
    await deleteEndUser(store, { projectId, endUserId: "xyzzyplugh" });
    expect(isThere()).toEqual([false, false]);
  });

  it("is deleted with what is written while it is deleted", async () => {
    const projectId = await newProject();
    const awaitRecords = () => fill(projectId, "ada");
    const deleted = await deleteEndUser(databases.store, { projectId, endUserId: "ada" }, { awaitRecords });
    expect(deleted).toMatchObject({ inferences: 2, feedback: 1 });
  });

  it("is listed as deleted for 90 days", async () => {
    const { store } = databases;
    const projectId = await newProject();
    const [user, ports] = [
      { projectId, endUserId: "ada" },
      { onFailure: () => {}, awaitRecords: async () => {} },
    ];
    await (await beginDeletion(store, user, ports)).ended;
    const ago = { requestedAt: new Date(Date.now() - 91 * 86_400_000) };
    await store.query().updateTable("EndUserDeletion").set(ago).where("projectId", "=", projectId).execute();
    await (await beginDeletion(store, user, ports)).ended;
    expect(await listDeletions(store, { projectId, limit: 10 })).toHaveLength(1);
  });

  it("is deleted in the background, and goes on where a process has died", async () => {
    const actor = { kind: "person", id: newId(), label: "owner@example.com" } as const;
    const store = databases.store.as({ actor, via: "dashboard" });
    const projectId = await newProject();
    await fill(projectId, "ada");
    const failures: unknown[] = [];
    const onFailure = (error: unknown) => failures.push(error);
    const ports = { onFailure, awaitRecords: async () => {} };
    await (await beginDeletion(store, { projectId, endUserId: "ada" }, ports)).ended;
    const counts = { inferences: 2, feedback: 1, conversations: 1 };
    expect(await listDeletions(store, { projectId, limit: 10 })).toMatchObject([
      { endUserId: "ada", actorLabel: "owner@example.com", state: "done", ...counts },
    ]);
    await fill(projectId, "ada");
    const died = { state: "running", beatAt: new Date(Date.now() - 120_000) };
    await store.query().updateTable("EndUserDeletion").set(died).where("projectId", "=", projectId).execute();
    for (let round = 0; round < 2; round++) await resumeDeletions(databases.store, ports);
    await waitUntil(async () => (await listDeletions(store, { projectId, limit: 10 }))[0]?.state === "done");
    const twice = { inferences: 4, feedback: 2, conversations: 2 };
    expect(await listDeletions(store, { projectId, limit: 10 })).toMatchObject([twice]);
    const entries = await store
      .query()
      .selectFrom("AuditEntry")
      .selectAll()
      .where("projectId", "=", projectId)
      .execute();
    const ofUser = entries.filter(({ targetKind }) => targetKind === "end-user");
    expect(ofUser.map(({ action, actorLabel }) => [action, actorLabel])).toEqual([
      ["endUsers.requestDeletion", "owner@example.com"],
      ["endUsers.delete", "owner@example.com"],
      ["endUsers.delete", "owner@example.com"],
    ]);
    expect(failures).toEqual([]);
  });

  it("is deleted with feedback that was on its way", async () => {
    const { store } = databases;
    const projectId = await newProject();
    const { ids } = await fill(projectId, "ada");
    const entry = feedbackRow({ projectId, inferenceId: ids[1] ?? "", tags: { rater: "ada" } });
    const awaitRecords = () => writeBatch(store, { inferences: [], feedback: [entry] });
    const deleted = await deleteEndUser(store, { projectId, endUserId: "ada" }, { awaitRecords });
    expect(deleted).toMatchObject({ inferences: 2, feedback: 2 });
    const left = store.query().selectFrom("FeedbackEntry").select("id").where("projectId", "=", projectId);
    expect(await left.execute()).toEqual([]);
  });

  it.each([
    { what: "the database was away", code: "57P01" },
    { what: "others changed the same", code: "40P01" },
  ])("is deleted later where $what in the middle", async ({ what, code }) => {
    const { store } = databases;
    const projectId = await newProject();
    await fill(projectId, "ada");
    const failures: unknown[] = [];
    const onFailure = (error: unknown) => failures.push(error);
    const lost = Object.assign(new Error(what), { code, severity: "FATAL" });
    const cutOff = { onFailure, awaitRecords: () => Promise.reject(lost) };
    await (await beginDeletion(store, { projectId, endUserId: "ada" }, cutOff)).ended;
    const [left] = await listDeletions(store, { projectId, limit: 10 });
    expect([left?.state, failures]).toEqual(["running", [lost]]);
    const died = { beatAt: new Date(Date.now() - 120_000) };
    await store.query().updateTable("EndUserDeletion").set(died).where("projectId", "=", projectId).execute();
    await resumeDeletions(store, { onFailure, awaitRecords: async () => {} });
    await waitUntil(async () => (await listDeletions(store, { projectId, limit: 10 }))[0]?.state === "done");
    expect(await listDeletions(store, { projectId, limit: 10 })).toMatchObject([{ inferences: 2 }]);
  });

  it("goes on with a deletion whose process has died where it is asked for again", async () => {
    const { store } = databases;
    const projectId = await newProject();
    const user = { projectId, endUserId: "ada" };
    const ports = { onFailure: () => {}, awaitRecords: async () => {} };
    await (await beginDeletion(store, user, ports)).ended;
    await fill(projectId, "ada");
    const died = { state: "running", beatAt: new Date(Date.now() - 120_000) };
    await store.query().updateTable("EndUserDeletion").set(died).where("projectId", "=", projectId).execute();
    const again = await Promise.all([beginDeletion(store, user, ports), beginDeletion(store, user, ports)]);
    await Promise.all(again.map(({ ended }) => ended));
    const [listed, ...others] = await listDeletions(store, { projectId, limit: 10 });
    expect(others).toEqual([]);
    expect(listed).toMatchObject({ state: "done", inferences: 2 });
    expect(again.map(({ deletion }) => deletion.id)).toEqual([listed?.id, listed?.id]);
  });

  it("begins no other deletion where one is gone on with that has ended", async () => {
    const { store } = databases;
    const user = { projectId: await newProject(), endUserId: "ada" };
    const ports = { onFailure: () => {}, awaitRecords: async () => {} };
    const { deletion, ended } = await beginDeletion(store, user, ports);
    await ended;
    expect(await continueDeletion(store, { ...user, id: deletion.id }, ports)).toMatchObject({ state: "done" });
    expect(await continueDeletion(store, { ...user, endUserId: "grace", id: deletion.id }, ports)).toBeUndefined();
    expect(await listDeletions(store, { projectId: user.projectId, limit: 10 })).toHaveLength(1);
  });

  it("is exported with its texts, and that of nobody else", async () => {
    const { store } = databases;
    const projectId = await newProject();
    await fill(projectId, "grace");
    const { ids } = await fill(projectId, "ada");
    const owner = { kind: "endUser", projectId, name: "ada" } as const;
    await writeQuota(store, { owner, change: { requestsPerMinute: 6 } });
    const contents = new ContentReader(() => {});
    const { signal } = new AbortController();
    const parts: string[] = [];
    for await (const part of endUserLines(readEndUser(store, { projectId, endUserId: "ada" }, { signal }), contents)) {
      parts.push(typeof part === "string" ? part : new TextDecoder().decode(part));
    }
    const readPage = createEndUserPages(contents, 1);
    const first = await readPage(store, { projectId, endUserId: "ada" }, "");
    const second = await readPage(store, { projectId, endUserId: "ada" }, first.next);
    await contents.close();
    const text = parts.join("");
    expect(`${[...first.items, ...second.items].join("\n")}\n`).toBe(text);
    expect([first.next, second.items.length, second.next]).toEqual([ids[1], 1, ""]);
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { limits: { requestsPerMinute: 6 } },
      { usage: { day: new Date().toISOString().slice(0, 10), calls: 2 } },
      { inference: { id: ids[1], request: { conversationId: expect.any(String) }, feedback: [] } },
      { conversation: { items: [{ message: { content: [{ text: { text: "a secret of ada" } }] } }] } },
      { inference: { id: ids[0], answer: {}, feedback: [{ tags: { rater: "ada" } }] } },
    ]);
    expect(text).not.toContain("grace");
  });

  it("is exported with a conversation that goes on between two pages, once", async () => {
    const { store } = databases;
    const projectId = await newProject();
    const { id: sessionId } = await createConversationStore(store, LIMITS).create(projectId, {
      metadata: {},
      items: [],
    });
    const call = async (session: object) => {
      const facts = create(CallFactsSchema, { endUserId: "ada", ...session });
      const record = inferenceRecord({ projectId, costNanos: 1000, baseCostNanos: 1000, facts });
      const recorder = createRecorder(store, { flushIntervalMs: 60_000 });
      recorder.offer(record);
      await recorder.flush();
      await recorder.close();
    };
    const session = { sessionId, sessionSource: CONVERSATION_SOURCE };
    for (const each of [session, session, {}]) await call(each);
    const contents = new ContentReader(() => {});
    const readPage = createEndUserPages(contents, 1);
    const items: string[] = [];
    for (let after = "", isFirst = true; isFirst || after !== ""; isFirst = false) {
      const page = await readPage(store, { projectId, endUserId: "ada" }, after);
      items.push(...page.items);
      after = page.next;
      if (isFirst) await call(session);
    }
    await contents.close();
    expect(items.filter((item) => item.startsWith('{"inference"'))).toHaveLength(3);
    expect(items.filter((item) => item.startsWith('{"conversation"'))).toHaveLength(1);
  });

  it("has alerts about its budgets deleted, and those of others kept", async () => {
    const { store } = databases;
    const projectId = await newProject();
    const facts = { projectId, rule: "budget", kind: "budget", summary: "", value: 1, threshold: 0.8 } as const;
    const opened = ["ada", "bob"].flatMap((id) => endUserSubjects(id).map((subject) => ({ ...facts, subject })));
    await changeAlerts(store, { opened, seen: [], closed: [] });
    await deleteEndUser(store, { projectId, endUserId: "ada" });
    const left = await store.query().selectFrom("Alert").select("subject").where("projectId", "=", projectId).execute();
    expect(left.map(({ subject }) => subject).sort()).toEqual(endUserSubjects("bob").sort());
  });
});
