import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FeedbackService } from "../../../gen/attune/feedback/v1/feedback_pb.ts";
import { newId } from "../../../src/lib/ids.ts";
import { createAdminKey } from "../../../src/store/admin-keys/admin-key-repository.ts";
import { createProjects } from "../../../src/store/dashboard/projects.ts";
import { createKey } from "../../../src/store/keys/key-repository.ts";
import type { AdminScope } from "../../../src/vocabulary/administrator.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { waitUntil } from "../../support/wait.ts";

const ORIGIN = "https://app.example.com";

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ yaml: `server: { browserOrigins: ["${ORIGIN}"] }` });
});

afterAll(() => service.close());

async function send(method: string, path: string, { body, key = service.key }: { body?: unknown; key?: string } = {}) {
  const answer = await fetch(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: JSON.parse((await answer.text()) || "null") };
}

async function infer(): Promise<string> {
  const answer = await send("POST", "/v1/responses", { body: { model: "attune/gpt-6-astra", input: "Hello" } });
  return answer.body.id;
}

/** Sends feedback on an answer, and returns the ids by name, or the error. */
async function say(id: string, feedback: object, key?: string) {
  const [result] = (await send("POST", "/v1/feedback", { body: [{ id, feedback }], ...(key && { key }) })).body;
  return result.feedback_ids ?? result.error;
}

async function tokenFor(target: object): Promise<string> {
  return (await send("POST", "/v1/feedback/tokens", { body: target })).body.token;
}

/** The names of what is stored of an answer, once all is written. */
async function namesOn(inferenceId: string): Promise<string[]> {
  const entries = service.store.query().selectFrom("FeedbackEntry").select("name");
  const rows = await entries.where("inferenceId", "=", inferenceId.replace("resp_", "")).orderBy("id").execute();
  return rows.map(({ name }) => name);
}

describe("DELETE /v1/feedback/{id}", () => {
  it("takes back what was sent a moment before, twice, and counts it no more", async () => {
    const id = await infer();
    const { helpful } = await say(id, { helpful: false, stars: 4 });
    const deleted = { status: 200, body: { id: helpful, object: "feedback", deleted: true } };
    expect(await send("DELETE", `/v1/feedback/${helpful}`)).toEqual(deleted);
    expect(await send("DELETE", `/v1/feedback/${helpful}`)).toEqual(deleted);
    expect(await namesOn(id)).toEqual(["stars"]);
    const usage = await send("GET", "/v1/usage");
    expect(usage.body.total).toMatchObject({ boolean_feedback_entries: 0, feedback_entries: 1 });
  });

  it("finds nothing of another key or project, and names an id that is none", async () => {
    const id = await infer();
    const { helpful } = await say(id, { helpful: true });
    await waitUntil(async () => (await namesOn(id)).length === 1);
    const project = await createProjects(service.store).create(newId());
    for (const owner of [{}, { projectId: project?.id ?? "" }]) {
      const { key } = await createKey(service.store, { name: newId(), ...owner });
      const refused = await send("DELETE", `/v1/feedback/${helpful}`, { key });
      expect([refused.status, refused.body.error.message]).toEqual([
        404,
        `id: there is no feedback '${helpful}' that was sent with this key or token`,
      ]);
    }
    const wrong = await send("DELETE", "/v1/feedback/none");
    expect([wrong.status, wrong.body.error.param]).toEqual([400, "id"]);
    expect((await send("GET", `/v1/feedback/${helpful}`)).status).toBe(405);
    expect(await namesOn(id)).toEqual(["helpful"]);
  });

  it("is for the token that sent it, from pages too", async () => {
    const id = await infer();
    const other = await infer();
    const [token, foreign] = [await tokenFor({ id }), await tokenFor({ id: other })];
    const mine = await say(id, { helpful: true }, token);
    const ofServer = await say(id, { checked: true });
    await waitUntil(async () => (await namesOn(id)).length === 2);
    expect((await send("DELETE", `/v1/feedback/${mine.helpful}`, { key: foreign })).status).toBe(404);
    expect((await send("DELETE", `/v1/feedback/${ofServer.checked}`, { key: token })).status).toBe(404);
    expect((await send("DELETE", `/v1/feedback/${mine.helpful}`, { key: token })).status).toBe(200);
    expect(await namesOn(id)).toEqual(["checked"]);
    const preflight = await fetch(`${service.url}/v1/feedback/${mine.helpful}`, {
      method: "OPTIONS",
      headers: { origin: ORIGIN, "access-control-request-method": "DELETE" },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([204, "DELETE"]);
  });
});

describe("null in place of a value", () => {
  it("takes back the name, and a group of names, in the order of the events", async () => {
    const id = await infer();
    const body = [
      { id, feedback: { helpful: true, quality: { tone: 1, facts: 0 }, stars: 4 } },
      { id, feedback: { helpful: null, quality: null, comment: "a mistake" } },
      { id, feedback: { helpful: false } },
    ];
    const answer = await send("POST", "/v1/feedback", { body });
    expect(answer.body.map(({ error }: { error: unknown }) => error)).toEqual([null, null, null]);
    expect(Object.keys(answer.body[1].feedback_ids)).toEqual(["comment"]);
    await waitUntil(async () => (await namesOn(id)).length === 3);
    expect(await namesOn(id)).toEqual(["stars", "comment", "helpful"]);
    expect(await say(id, { helpful: null })).toEqual({});
    expect(await say(id, { helpful: null })).toEqual({});
    expect(await namesOn(id)).toEqual(["stars", "comment"]);
    expect(await say(newId(), { helpful: null })).toMatchObject({ status_code: 400 });
  });

  it("is bounded in a batch", async () => {
    const id = await infer();
    const body = Array.from({ length: 101 }, () => ({ id, feedback: { helpful: null } }));
    const answer = await send("POST", "/v1/feedback", { body });
    expect(answer.body[99]).toEqual({ feedback_ids: {}, error: null });
    expect(answer.body[100].error.message).toBe(
      "feedback: is withdrawn by more than 100 events of one batch: send several",
    );
  });

  it("lets a rater give with a token again what it gives once, and nothing else", async () => {
    const id = await infer();
    const token = await tokenFor({ id, metrics: { helpful: {} } });
    await say(id, { helpful: true }, token);
    expect(await say(id, { helpful: false }, token)).toMatchObject({ status_code: 400 });
    await say(id, { helpful: null }, token);
    expect(await say(id, { helpful: false }, token)).toHaveProperty("helpful");
    expect(await say(id, { stars: null }, token)).toMatchObject({
      message: "feedback.stars: is not for this feedback token, which sends helpful",
    });
  });
});

describe("DeleteFeedback", () => {
  it("takes an entry back", async () => {
    const id = await infer();
    const { helpful } = await say(id, { helpful: true });
    const rpc = createClient(FeedbackService, createConnectTransport({ baseUrl: service.url, httpVersion: "1.1" }));
    const headers = { authorization: `Bearer ${service.key}` };
    expect(await rpc.deleteFeedback({ id: helpful }, { headers })).toMatchObject({});
    expect(await namesOn(id)).toEqual([]);
    const failure = await rpc.deleteFeedback({ id: "none" }, { headers }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: Code.InvalidArgument });
    expect(failure).toBeInstanceOf(ConnectError);
  });
});

describe("DELETE /v1/admin/projects/{project}/feedback", () => {
  const adminKey = async (scope: AdminScope) => {
    const settings = { name: newId(), scopes: [scope], projectId: undefined, expiresAt: null };
    return (await createAdminKey(service.store, settings)).key;
  };
  const removeBy = async (parameters: Record<string, string>, key: string) => {
    const query = new URLSearchParams(parameters);
    return await send("DELETE", `/v1/admin/projects/default/feedback?${query}`, { key });
  };

  it("removes what anyone has sent, with an entry in the audit log", async () => {
    const key = await adminKey("workloads:write");
    const since = new Date().toISOString();
    const [mine, theirs] = [await infer(), await infer()];
    await say(mine, { solved: true });
    const { ids, other } = await floodBy(theirs);
    await waitUntil(async () => (await namesOn(theirs)).length === 3);
    expect(await removeBy({ rater_of: ids.stars, since, dry_run: "true" }, key)).toMatchObject({
      body: { removed: 2 },
    });
    const gone = await removeBy({ rater_of: ids.stars, since }, key);
    expect(gone).toEqual({ status: 200, body: { removed: 2, has_more: false } });
    expect(await namesOn(theirs)).toEqual(["calm"]);
    expect(await namesOn(mine)).toEqual(["solved"]);
    const entries = service.store.query().selectFrom("AuditEntry").selectAll().where("action", "=", "feedback.remove");
    const [entry] = await entries.execute();
    expect(JSON.parse(entry?.before ?? "")).toEqual({
      raterOf: ids.stars,
      since,
      entries: [ids.stars, ids["rude.words"]],
    });
    expect((await removeBy({ name: "calm" }, key)).body).toMatchObject({ removed: 1 });
    expect((await removeBy({ id: other.calm }, key)).body).toMatchObject({ removed: 0 });
  });

  /** Says something with a token, and something else with the key, on an answer without an end user. */
  async function floodBy(id: string) {
    const token = await tokenFor({ id });
    const ids = await say(id, { stars: 1e300, rude: { words: true } }, token);
    return { ids, other: await say(id, { calm: true }) };
  }

  it("removes all that is on calls of an end user, and asks which feedback goes", async () => {
    const key = await adminKey("workloads:write");
    const body = { model: "attune/gpt-6-astra", input: "Hello", user: "mallory" };
    const { id } = (await send("POST", "/v1/responses", { body })).body;
    await say(id, { stars: 0 });
    await waitUntil(async () => (await namesOn(id)).length === 1);
    expect((await removeBy({ end_user_id: "mallory" }, key)).body).toEqual({ removed: 1, has_more: false });
    expect(await namesOn(id)).toEqual([]);
    expect(await removeBy({}, key)).toMatchObject({ status: 400, body: { error: { param: "id" } } });
    expect(await removeBy({ rater_of: newId() }, key)).toMatchObject({ status: 404 });
    const reader = await adminKey("workloads:read");
    expect(await removeBy({ name: "stars" }, reader)).toMatchObject({ status: 403 });
  });
});
