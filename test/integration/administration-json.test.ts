import { create, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput } from "../../src/hub/input.ts";
import { encodeRequest } from "../../src/hub/request-bytes.ts";
import { createAdminKey } from "../../src/store/admin-keys/admin-key-repository.ts";
import { createShadowStore } from "../../src/store/learning/shadow-store.ts";
import { writeBatch } from "../../src/store/write/recorder/write-batch.ts";
import { ADMIN_SCOPES } from "../../src/vocabulary/administrator.ts";
import { inferenceRow } from "../support/rows.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { shadowRecord } from "../support/shadow-record.ts";

let service: TestService;
let adminKey: string;

beforeAll(async () => {
  service = await startTestService();
  const settings = { name: "test", scopes: ADMIN_SCOPES, projectId: undefined, expiresAt: null };
  adminKey = (await createAdminKey(service.store, settings)).key;
});
afterAll(() => service.close());

async function call(method: string, path: string, body?: unknown, key = adminKey) {
  const response = await fetch(`${service.url}/v1/admin/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const TIME = expect.stringMatching(/^20\d\d-\d\d-\d\dT/);

const NO_LIMITS = {
  requests_per_minute: null,
  input_tokens_per_minute: null,
  output_tokens_per_minute: null,
  concurrent_calls: null,
  canceled_calls_per_minute: null,
  usd_per_day: null,
  usd_per_month: null,
  usd_total: null,
  models: [],
};

const SETTINGS = { bodies: "full", disabled_optimizations: [], aliases: {} };

describe("/v1/admin", () => {
  it("creates, shows and changes a project", async () => {
    const limits = { requests_per_minute: 60, usd_per_day: 1.5, models: ["gpt-6-astra"] };
    const created = await call("POST", "projects", { name: "search", limits });
    const project = {
      object: "project",
      id: expect.any(String),
      name: "search",
      limits: { ...NO_LIMITS, ...limits },
      created_at: TIME,
      settings: SETTINGS,
      etag: expect.stringMatching(/^[\w-]{16}$/),
    };
    expect(created).toEqual({ status: 200, body: { ...project, created: true } });
    expect((await call("POST", "projects", { name: "search", limits })).body).toMatchObject({ created: false });
    expect(await call("GET", "projects/search")).toEqual({ status: 200, body: project });
    const patch = { etag: created.body["etag"], limits: { usd_per_day: null, concurrent_calls: 3 } };
    const changed = await call("PATCH", "projects/search", patch);
    expect(changed.body["limits"]).toEqual({ ...NO_LIMITS, ...limits, usd_per_day: null, concurrent_calls: 3 });
    expect((await call("PATCH", "projects/search", { limits: null })).body["limits"]).toEqual(NO_LIMITS);
    const settings = { bodies: "none", aliases: { fast: "attune/claude-haiku-5-5" } };
    expect((await call("PATCH", "projects/search", { settings })).body["settings"]).toEqual({
      ...SETTINGS,
      bodies: "none",
      aliases: { fast: "claude-haiku-5-5" },
    });
    const without = await call("PATCH", "projects/search", { settings: { bodies: null } });
    expect(without.body["settings"]).toMatchObject({ bodies: "full", aliases: { fast: "claude-haiku-5-5" } });
    expect((await call("PATCH", "projects/search", { settings: null })).body["settings"]).toEqual(SETTINGS);
    expect(await call("PATCH", "projects/search", patch)).toEqual({
      status: 409,
      body: {
        error: {
          message: expect.stringMatching(/^etag: is out of date: it is [\w-]{16} now/),
          type: "invalid_request_error",
          param: "etag",
          code: "conflict",
        },
      },
    });
  });

  it("deletes a project, lists the deletion and undoes it", async () => {
    const { id } = (await call("POST", "projects", { name: "short-lived" })).body;
    const facts = {
      project_id: id,
      name: "short-lived",
      state: "waiting",
      requested_by: "test",
      requested_at: TIME,
      due_at: TIME,
      ended_at: null,
      inferences: 0,
      feedback: 0,
      conversations: 0,
    };
    const deletion = { status: 200, body: { object: "deletion", ...facts } };
    expect(await call("DELETE", "projects/short-lived?dry_run=true")).toMatchObject({ status: 200 });
    expect(await call("DELETE", "projects/short-lived")).toEqual(deletion);
    expect(await call("DELETE", "projects/short-lived")).toEqual(deletion);
    expect((await call("GET", "projects/short-lived")).status).toBe(404);
    expect((await call("GET", "project-deletions")).body).toEqual({
      object: "list",
      data: [facts],
      next_page_token: "",
    });
    await call("POST", "projects", { name: "short-lived" });
    expect((await call("POST", "projects/short-lived/restore")).body).toMatchObject({
      error: { param: "project", message: expect.stringContaining("is the name of another project by now") },
    });
    await call("PATCH", "projects/short-lived", { name: "the other" });
    expect((await call("POST", `projects/${id}/restore`)).body).toMatchObject({ id, name: "short-lived" });
    expect((await call("GET", "project-deletions")).body).toMatchObject({ data: [] });
  });

  it("creates, lists, changes, rotates and revokes a key", async () => {
    const wanted = { project: "default", name: "ci", permissions: ["read:project"], tags: { team: "search" } };
    const { status, body } = await call("POST", "keys", { ...wanted, lifetime: "3600s" });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        object: "key",
        id: expect.any(String),
        project_id: expect.any(String),
        name: "ci",
        permissions: ["read:project"],
        tags: { team: "search" },
        paused: false,
        limits: NO_LIMITS,
        expires_at: TIME,
        state: "active",
        created_at: TIME,
        revoked_at: null,
        last_used_at: null,
        previous_secret_expires_at: null,
        etag: expect.any(String),
        secret: expect.stringMatching(/^att_/),
        created: true,
      },
    });
    const path = `keys/${body["id"]}`;
    const list = await call("GET", "keys?project=default&state=active&name=ci&page_size=10");
    expect(list.body).toEqual({ object: "list", data: [expect.objectContaining({ name: "ci" })], next_page_token: "" });
    expect((await call("GET", "keys?state=revoked")).body["data"]).toEqual([]);
    const changed = await call("PATCH", path, { name: "after", expires_at: null, tags: null });
    expect(changed.body).toMatchObject({ object: "key", name: "after", expires_at: null, tags: {} });
    const rotated = await call("POST", `${path}/rotate`, { overlap: "60s" });
    expect(rotated.body).toMatchObject({ secret: expect.stringMatching(/^att_/), previous_secret_expires_at: TIME });
    expect((await call("POST", `${path}/rotate`)).status).toBe(200);
    const { etag } = (await call("GET", path)).body;
    expect((await call("PATCH", path, { paused: true, dry_run: true })).body).toMatchObject({ state: "paused" });
    const paused = (await call("PATCH", path, { paused: true, etag })).body;
    expect(paused).toMatchObject({ state: "paused", paused: true, name: "after" });
    expect(paused["etag"]).not.toBe(etag);
    expect((await call("GET", "keys?state=paused")).body["data"]).toMatchObject([{ name: "after" }]);
    expect((await call("GET", "keys?state=active&name=after")).body["data"]).toEqual([]);
    // It has its name still, and a new secret goes with a resumption.
    const namesake = await call("POST", "keys", { project: "default", name: "after" });
    expect(namesake.body).toMatchObject({ error: { code: "already_exists" } });
    expect((await call("POST", `${path}/rotate`)).body).toMatchObject({ state: "paused" });
    expect((await call("PATCH", path, { paused: null })).body).toMatchObject({ state: "active", paused: false });
    expect((await call("DELETE", `${path}?dry_run=true`)).body).toMatchObject({ state: "revoked" });
    expect((await call("GET", path)).body).toMatchObject({ state: "active" });
    expect((await call("DELETE", path)).body).toMatchObject({ object: "key", state: "revoked", revoked_at: TIME });
  });

  it("sets, shows and removes limits, and tells of end users and usage", async () => {
    const owner = "project=default&name=ada";
    const limits = { ...NO_LIMITS, usd_per_day: 0.5 };
    const body = { project: "default", name: "ada", limits: { usd_per_day: 0.5 } };
    const quota = { object: "quota", kind: "end_user", project_id: expect.any(String), name: "ada", limits };
    expect(await call("POST", "quotas/end_user", body)).toEqual({ status: 200, body: quota });
    expect((await call("GET", `quotas/end_user?${owner}`)).body).toEqual(quota);
    const { object: _, ...listed } = quota;
    const list = (await call("GET", "quotas?kind=end_user")).body;
    expect(list).toEqual({ object: "list", data: [listed], next_page_token: "" });
    expect((await call("GET", "end-users?project=default")).body["data"]).toEqual([{ id: "ada", limits }]);
    expect((await call("DELETE", `quotas/end_user?${owner}`)).status).toBe(200);
    expect((await call("GET", "quotas?kind=end_user")).body["data"]).toEqual([]);
    const usage = await call("GET", "usage?project=default&group_by=key,model&from=2026-01-01T00:00:00Z");
    expect(usage.body).toMatchObject({ object: "list", data: [], total: { calls: 0, cost_nano_usd: 0 } });
  });

  it("shows and changes the controls of workloads", async () => {
    const hold = { hold: "pinned", pinned_model: "claude-fable-5-2" };
    const patch = { model: "gpt-6-astra", ...hold, reward_per_price: 0.01, shadow: { usd_per_day: 2 } };
    const changed = await call("PATCH", "projects/default/workloads", patch);
    const shadow = { share: null, judge: null, usd_per_day: 2, rubric: null };
    const said = {
      hold: "pinned",
      pinned_model: "attune/claude-fable-5-2",
      mode: null,
      reward_per_price: 0.01,
      shadow,
    };
    expect(changed).toMatchObject({ status: 200, body: { object: "controls", ...said } });
    const all = await call("PATCH", "projects/default/workloads", { all_workloads: true, mode: "off" });
    expect(all.body).toMatchObject({ object: "controls", mode: "off", hold: null });
    expect((await call("GET", "projects/default/workloads/attune%2Fgpt-6-astra")).body).toMatchObject({
      object: "workload",
      model: "attune/gpt-6-astra",
      controls: { ...said, mode: "off", shadow: {} },
      workload_controls: said,
      project_controls: { mode: "off" },
      arms: [],
    });
    expect((await call("GET", "projects/default/workloads")).body).toEqual({
      object: "list",
      data: [],
      next_page_token: "",
    });
  });

  it("shows a pair of answers, takes a verdict on it once, and names the models then", async () => {
    const saying = (text: string) =>
      create(GenerateResponseSchema, { content: [{ kind: { case: "text", value: { text } } }] });
    const pairs = "projects/default/workloads/gpt-6-astra/pair";
    expect(await call("GET", pairs)).toMatchObject({ status: 404, body: { error: { param: "model" } } });
    const row = inferenceRow({ model: "gpt-6-astra", servedModel: "gpt-6-astra", family: "tag:a" });
    const messages = [{ role: Role.USER, content: [{ kind: { case: "text", value: { text: "Hi" } } } as const] }];
    const request = encodeRequest(createHubInput({ messages }));
    const response = toBinary(GenerateResponseSchema, saying("Hello"));
    await writeBatch(service.store, { inferences: [{ row, attempts: [], request, response }], feedback: [] });
    const facts = { inferenceId: row.id, model: "gpt-6-astra", servedModel: "gpt-6-astra" };
    const trial = shadowRecord({ ...facts, trialModel: "claude-haiku-5-5" });
    await createShadowStore(service.store).write(trial, { day: 0, budget: "", nanos: 0 }, saying("Hey"));
    const { body: pair } = await call("GET", pairs);
    expect(pair).toMatchObject({ id: trial.id, conversation: [{ role: "user", text: "Hi" }] });
    expect([pair["first_answer"], pair["second_answer"]].sort()).toEqual(["Hello", "Hey"]);
    const path = `projects/default/pairs/${trial.id}`;
    expect((await call("POST", path, { verdict: "perhaps" })).body).toMatchObject({ error: { param: "verdict" } });
    const judged = await call("POST", path, { verdict: "both" });
    expect(judged).toMatchObject({
      status: 200,
      body: { inference_id: row.id, served_model: "attune/gpt-6-astra" },
    });
    expect([judged.body["first_model"], judged.body["second_model"]].sort()).toEqual([
      "attune/claude-haiku-5-5",
      "attune/gpt-6-astra",
    ]);
    expect((await call("POST", path, { verdict: "both" })).status).toBe(404);
  });

  it.each([
    ["PATCH", "projects/default/workloads", { mode: "on" }, 400, "target", /^target: /],
    ["PATCH", "projects/default/workloads", { all_workloads: true, mode: "loud" }, 400, "mode", /^mode: must be off/],
    ["PATCH", "projects/default/workloads", { model: "gpt-6-astra", pinned_model: "x" }, 400, "body", /^body: names/],
    ["GET", "projects/default/workloads/none", undefined, 404, "model", "the model 'none' does not exist"],
    ["GET", "projects/none", undefined, 404, "project", "project: there is no such project"],
    ["GET", "keys?page_size=many", undefined, 400, "page_size", /^page_size: /],
    ["GET", "keys?page_size=1001", undefined, 400, "page_size", /^page_size: /],
    ["GET", "keys?state=gone", undefined, 400, "state", "state: must be active, expired, revoked, paused"],
    ["GET", "keys?states=active", undefined, 400, "states", /^states: is not known here; there are project, page_size/],
    [
      "PATCH",
      "projects/default",
      { settings: { bodies: "half" } },
      400,
      "settings.bodies",
      /^settings.bodies: must be/,
    ],
    [
      "POST",
      "projects/default/alert-rules",
      { name: "error-rate", kind: "error-rate", threshold: 7 },
      400,
      "threshold",
      /^threshold: must be a share/,
    ],
    ["DELETE", "keys/abc?dry_run=1", undefined, 400, "dry_run", "dry_run: must be true or false"],
    ["POST", "projects", { name: "a", label: 1 }, 400, "label", /^label: is not known here; there are id, name/],
    ["POST", "projects", { name: 5 }, 400, "name", "name: must be a string"],
    ["POST", "projects", { name: "a", limits: [1] }, 400, "limits", "limits: must be an object"],
    ["POST", "projects", { name: "a", limits: { models: "m" } }, 400, "limits.models", "limits.models: must be a list"],
    ["POST", "projects", { name: "a", limits: { models: ["m", 5] } }, 400, "limits.models[1]", /: must be a string$/],
    [
      "POST",
      "projects",
      { name: "a", limits: { requests_per_minute: 1e300 } },
      400,
      "limits.requests_per_minute",
      "limits.requests_per_minute: must be a whole number from 0 to 1000000000000",
    ],
    ["POST", "projects", { name: "a", limits: { usd_total: true } }, 400, "limits.usd_total", /: must be a number$/],
    ["POST", "projects", {}, 400, "name", "name: must have 1 to 100 characters"],
    ["POST", "projects", [], 400, null, "the body must be a JSON object, not an array"],
    ["PATCH", "projects/default", {}, 400, "body", /^body: must name what changes: name, limits/],
    ["PATCH", "projects/default", { id: "x" }, 400, "body", /^body: names 'id', and can name name, limits/],
    ["PATCH", "projects/default", { limits: { usd_per_day: -1 } }, 400, "limits.usd_per_day", /^limits\.usd_per_day: /],
    [
      "POST",
      "keys",
      { project: "default", expires_at: "soon" },
      400,
      "expires_at",
      "expires_at: must be a time such as 2027-01-31T12:00:00Z",
    ],
    [
      "POST",
      "keys",
      { project: "default", permissions: ["x"] },
      400,
      "permissions[0]",
      /^permissions\[0\]: must be one/,
    ],
    ["POST", "keys", { name: "x" }, 400, "project", /^project: /],
  ])("refuses %s %s with %j", async (method, path, body, status, param, message) => {
    const answer = await call(method, path, body);
    expect(answer).toMatchObject({ status, body: { error: { type: "invalid_request_error", param } } });
    const { error } = answer.body as { readonly error: { readonly message: string } };
    if (typeof message === "string") expect(error.message).toBe(message);
    else expect(error.message).toMatch(message);
  });

  it("tells keys of the other kind, and other methods, what to use", async () => {
    const foreign = await call("GET", "keys", undefined, service.key);
    expect(foreign).toMatchObject({ status: 403, body: { error: { code: "permission_denied" } } });
    expect((await call("PUT", "keys", {})).body).toMatchObject({
      error: { message: "PUT is not supported here: use GET or POST" },
    });
  });
});
