import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { fakeRequest, fakeResponse } from "../../../scripts/seed/fake-rows.ts";
import { fakeKey, NAMED_KEYS } from "../../../scripts/seed/named-keys.ts";
import { Random } from "../../../scripts/seed/random.ts";
import { seedDatabase } from "../../../scripts/seed/seed-database.ts";
import { newId } from "../../../src/lib/ids.ts";
import { firstWords } from "../../../src/store/bodies/first-words.ts";
import type { InferenceRow } from "../../../src/store/entities/inference.ts";
import { createShadowStore } from "../../../src/store/learning/shadow-store.ts";
import { writeRefusals } from "../../../src/store/refusals/write-refusals.ts";
import { writeSettings } from "../../../src/store/settings/write-settings.ts";
import { decodeMessages } from "../../../src/store/types/inference-body.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { attemptRow, feedbackRow, idAt, inferenceRow, refusedAt } from "../../support/rows.ts";
import { shadowRecord } from "../../support/shadow-record.ts";

/** Names and ids of what a page of its own is looked at. */
export interface LargeProject {
  readonly projectId: string;
  readonly requestId: string;
  readonly sessionId: string;
  /** The base of a workload. */
  readonly model: string;
}

const CALLS = 20_000;
const BODIES = 400;
const KEYS = 10_000;
const MODELS = 300;
const STEPS = 600;
/** Rows that one statement inserts. */
const CHUNK = 1000;
const MINUTE_MS = 60_000;
const SESSION = "agent-run-7";
const MODEL = "claude-sonnet-5-5";

/**
 * Fills a project as one that was used for a year by many: 20,000 calls, 10,000 keys, 300 models, an agent's run of 600
 * calls, failures and refusals of 300 kinds, 1,000 limits, 1,000 names for models, 300 members, alerts and views each.
 */
export async function seedLargeProject(store: Store, projectId: string): Promise<LargeProject> {
  const now = Date.now();
  await seedDatabase(store, { projectId, rows: CALLS, bodies: BODIES, end: new Date(now), seed: 1 });
  await addKeys(store, projectId);
  await addPeople(store, projectId);
  await addLists(store, projectId);
  await addCalls(store, manyModels(projectId, now));
  const steps = agentRun(projectId, now);
  await addCalls(store, steps);
  await refuse(store, projectId, now);
  const requestId = steps.at(-1)?.id ?? "";
  const feedback = Array.from({ length: 60 }, (_, at) =>
    feedbackRow({ projectId, inferenceId: requestId, model: MODEL, name: `metric ${at}`, floatValue: at / 60 }),
  );
  await writeBatch(store, { inferences: [], feedback });
  const pair = { projectId, model: MODEL, servedModel: MODEL, trialModel: "claude-haiku-5-5", inferenceId: requestId };
  const content = [{ kind: { case: "text" as const, value: { text: "It is in the order of time." } } }];
  const answer = create(GenerateResponseSchema, { content });
  await createShadowStore(store).write(shadowRecord(pair), { day: 0, budget: "", nanos: 0 }, answer);
  return { projectId, requestId, sessionId: SESSION, model: MODEL };
}

async function addKeys(store: Store, projectId: string): Promise<void> {
  const named = Object.entries(NAMED_KEYS);
  const rows = Array.from({ length: KEYS }, (_, at) => {
    const [publicId = "", name = ""] = named[at] ?? [
      `key${String(at).padStart(9, "0")}`,
      `service ${at} of team ${at % 40}`,
    ];
    return fakeKey(projectId, { at, publicId, name });
  });
  for (const chunk of chunks(rows)) await store.query().insertInto("ApiKey").values(chunk).execute();
}

async function addPeople(store: Store, projectId: string): Promise<void> {
  const createdAt = new Date();
  const users = Array.from({ length: MODELS }, (_, at) => ({
    id: randomUUID(),
    email: `person-${at}@example.com`,
    passwordHash: null,
    isFirstOwner: null,
    createdAt,
  }));
  await store.query().insertInto("UserAccount").values(users).execute();
  const members = users.map(({ id }) => ({
    user: id,
    project: projectId,
    role: "viewer",
    grantedBy: null,
    createdAt,
  }));
  await store.query().insertInto("Membership").values(members).execute();
}

async function addLists(store: Store, projectId: string): Promise<void> {
  const views = Array.from({ length: 100 }, (_, at) => ({
    id: randomUUID(),
    project: projectId,
    name: `view ${at}`,
    search: `status=failed&user=user-${at}`,
    createdBy: "owner@example.com",
    createdAt: new Date(),
  }));
  await store.query().insertInto("SavedView").values(views).execute();
  const quotas = Array.from({ length: 1000 }, (_, at) => ({
    kind: "endUser",
    projectId,
    name: `user-${at}`,
    settings: JSON.stringify({ requestsPerMinute: 60 + at }),
    updatedAt: new Date(Date.now() - at),
  }));
  await store.query().insertInto("Quota").values(quotas).execute();
  const alerts = Array.from({ length: 300 }, (_, at) => ({
    id: newId(),
    projectId,
    rule: "error-rate",
    kind: "error-rate",
    subject: "",
    value: 0.3,
    threshold: 0.2,
    summary: `${30 + (at % 9)}% of the calls of five minutes failed`,
    openedAt: new Date(),
    seenAt: new Date(),
    closedAt: new Date(),
    openKey: null,
    isUntold: false,
  }));
  await store.query().insertInto("Alert").values(alerts).execute();
  const aliases = Array.from({ length: 1000 }, (_, at) => [`name-${at}-of-a-team-for-a-model`, MODEL]);
  await writeSettings(store, projectId, { aliases: Object.fromEntries(aliases) });
}

/** A call of each of many models, half of which failed, each for another reason and with a name of its own. */
function manyModels(projectId: string, now: number): InferenceRow[] {
  return Array.from({ length: MODELS * 2 }, (_, at) => {
    const name = `vendor-${at % 12}/model-${at % MODELS}-with-a-long-name`;
    const call = { model: name, upstream: `upstream-${at % 30}`, workload: `workload ${at % MODELS}` };
    const startedAt = new Date(now - (at + 60) * MINUTE_MS);
    const facts = { endUserId: `user-${at % 200}`, sessionId: `session ${at % 150}` };
    const row = inferenceRow({
      id: idAt(startedAt.toISOString(), at),
      projectId,
      startedAt,
      keyId: "supportprod1",
      ...call,
      ...facts,
    });
    if (at < MODELS) return row;
    return { ...row, ...failure(["upstream_overloaded", "rate_limited", "timeout"][at % 3] ?? "", at) };
  });
}

function failure(errorReason: string, at: number): Partial<InferenceRow> {
  const letters = String.fromCharCode(97 + (at % 26), 97 + (Math.floor(at / 26) % 26));
  return {
    status: "failed",
    finishReason: null,
    errorReason,
    errorUpstreamStatus: 529,
    outputTokens: null,
    errorMessage: `the model of region ${letters} is overloaded, try again later`,
    costNanos: null,
  };
}

/** A run of an agent with a subagent for each tenth step, which ended a minute ago. */
function agentRun(projectId: string, now: number): InferenceRow[] {
  return Array.from({ length: STEPS }, (_, at) => {
    const startedAt = new Date(now - (STEPS - at) * 2000 - MINUTE_MS);
    const isOfSubagent = at % 10 === 9;
    return inferenceRow({
      id: idAt(startedAt.toISOString(), at),
      projectId,
      startedAt,
      model: MODEL,
      keyId: "codereview01",
      workload: "code-review",
      sessionId: isOfSubagent ? `${SESSION}/search-${Math.floor(at / 100)}` : SESSION,
      sessionSource: "x-session-id",
      parentSessionId: isOfSubagent ? SESSION : null,
      endUserId: "ada",
      costNanos: 4_000_000 + at * 1000,
      baseCostNanos: 5_000_000,
      latencyMs: 900 + at,
      ...(at % 97 === 96 ? failure("upstream_overloaded", 1) : {}),
    });
  });
}

async function addCalls(store: Store, rows: readonly InferenceRow[]): Promise<void> {
  const random = new Random(2);
  const inferences = rows.map((row) => {
    const [request, response] = [fakeRequest(random, 400), fakeResponse(random, 300)];
    const { prompt, answer } = firstWords(decodeMessages(request, response));
    const attempts = [
      attemptRow({ id: row.id, upstream: row.upstream, outcome: row.status, isWinner: row.status === "completed" }),
    ];
    return { row, attempts, request, response, words: [prompt, answer] as const };
  });
  await writeBatch(store, { inferences, feedback: [] });
}

async function refuse(store: Store, projectId: string, now: number): Promise<void> {
  const counts = Array.from({ length: 300 }, (_, at) => ({
    projectId,
    keyId: `key${String(at).padStart(9, "0")}`,
    calls: at + 1,
    ...refusedAt(now - (at % 20) * 60 * MINUTE_MS),
    reason: (["limit", "budget", "unknown_model"] as const)[at % 3] ?? "limit",
  }));
  const samples = Array.from({ length: 300 }, (_, at) => ({
    id: newId(),
    at: new Date(now - at * MINUTE_MS),
    projectId,
    keyId: "",
    call: "POST /v1/messages",
    reason: counts[at]?.reason ?? "limit",
    message: "requests per minute: the limit of 60 is reached",
  }));
  await writeRefusals(store, { counts, samples });
}

function* chunks<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let at = 0; at < rows.length; at += CHUNK) yield rows.slice(at, at + CHUNK);
}
