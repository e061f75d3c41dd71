import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { createKey, revokeKey, updateKey } from "../../src/store/keys/key-repository.ts";
import { type RefusalQuery, readRefusals } from "../../src/store/refusals/read-refusals.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

const CHAT = "/v1/chat/completions";
const RPC = "/attune.inference.v1.InferenceService/Generate";

describe("refused calls of a service", () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  async function post(path: string, body: string, key = service.key): Promise<number> {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    return (await fetch(`${service.url}${path}`, { method: "POST", headers, body })).status;
  }

  async function read(query: Partial<RefusalQuery> = {}) {
    await service.flush();
    return await readRefusals(service.store, { projectId: DEFAULT_PROJECT.id, since: new Date(0), ...query });
  }

  it("are told by reason, with the route of each transport", async () => {
    expect(await post(CHAT, "{")).toBe(400);
    expect(
      await post(CHAT, JSON.stringify({ model: "attune/none", messages: [{ role: "user", content: "my text" }] })),
    ).toBe(404);
    expect(await post(RPC, JSON.stringify({ input: { model: "attune/none" } }))).toBeGreaterThanOrEqual(400);
    expect(await post(RPC, JSON.stringify({ nonsense: 1 }))).toBe(400);
    const { counts, samples } = await read();
    const calls = samples.map(({ reason, call }) => `${reason} ${call}`);
    expect(calls).toContain(`bad_request POST ${CHAT}`);
    expect(calls).toContain(`unknown_model POST ${CHAT}`);
    expect(calls.filter((call) => call.endsWith(RPC.slice(1)))).toHaveLength(2);
    expect(counts.reduce((sum, count) => sum + count.calls, 0)).toBe(4);
    expect(JSON.stringify(samples)).not.toContain("my text");
  });

  it.each([
    [CHAT, { messages: [{ role: "user", content: "my text" }] }, { error: { type: "invalid_request_error" } }],
    ["/v1/responses", { input: "my text" }, { error: { type: "invalid_request_error" } }],
    [
      "/v1/messages",
      { messages: [{ role: "user", content: "my text" }], max_tokens: 1000, stream: true },
      { type: "error", error: { type: "invalid_request_error" } },
    ],
    [RPC, { input: { messages: [{ role: "ROLE_USER", content: [{ text: { text: "my text" } }] }] } }, {}],
  ])("are those above their ceiling at %s, which pass below it", async (path, body, envelope) => {
    const model = "attune/claude-haiku-5-5";
    const asked =
      "input" in body && typeof body.input === "object" ? { input: { model, ...body.input } } : { model, ...body };
    const ask = (ceiling: string) =>
      fetch(service.url + path, {
        method: "POST",
        headers: { ...service.headers, "attune-max-usd": ceiling },
        body: JSON.stringify(asked),
      });
    const refused = await ask("0.000000001");
    const text = await refused.text();
    expect(refused.status).toBe(400);
    expect(JSON.parse(text)).toMatchObject(envelope);
    expect(text).toContain("'attune-max-usd' (over RPC 'max_cost_nanos') allows 0.000000001 USD");
    const served = await ask("5");
    expect([served.status, await served.text()]).toEqual([200, expect.any(String)]);
  });

  it("have the owner of a key that was revoked, and none of one that is not known", async () => {
    const { key, info } = await createKey(service.store, { name: "former" });
    await revokeKey(service.store, info.publicId);
    expect(await post(CHAT, "{}", key)).toBe(401);
    expect(await post(RPC, "{}", key)).toBe(401);
    expect(await post(CHAT, "{}", "sk-someone-elses-secret-0123456789")).toBe(401);
    const own = await read({ keyId: info.publicId });
    expect(own.counts).toMatchObject([{ reason: "revoked_key", calls: 2 }]);
    const unknown = await read({ projectId: "" });
    expect(unknown.counts).toMatchObject([{ reason: "unknown_key", keyId: "", calls: 1 }]);
    expect(JSON.stringify(unknown)).not.toContain("someone-elses");
    const page = await (await fetch(`${service.adminUrl}/metrics`)).text();
    expect(page).toContain('attune_refused_calls_total{reason="revoked_key"} 2');
  });

  it.each([
    [CHAT, { error: { type: "permission_error", code: "permission_denied" } }],
    ["/v1/responses", { error: { type: "permission_error" } }],
    ["/v1/messages", { type: "error", error: { type: "permission_error" } }],
    ["/v1/feedback", { error: { type: "permission_error" } }],
    [RPC, { code: "permission_denied" }],
  ])("are those of a paused key at %s, which passes again when it is resumed", async (path, envelope) => {
    const { key, info } = await createKey(service.store, { name: "spender" });
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const ask = () => fetch(service.url + path, { method: "POST", headers, body: "{" });
    await updateKey(service.store, info.publicId, { isPaused: true });
    const refused = await ask();
    const text = await refused.text();
    expect(refused.status).toBe(403);
    expect(JSON.parse(text)).toMatchObject(envelope);
    expect(text).toContain(`'attune keys resume ${info.publicId}'`);
    expect((await read({ keyId: info.publicId })).counts).toMatchObject([{ reason: "paused_key", calls: 1 }]);
    await updateKey(service.store, info.publicId, { isPaused: false });
    await waitFor(async () => expect((await ask()).status).toBe(400));
  });

  it("are told of a WebSocket connection", async () => {
    const socket = new WebSocket(`${service.url.replace("http", "ws")}/v1/responses`, { headers: service.headers });
    const answer = new Promise((resolve) => socket.once("message", resolve));
    socket.once("open", () => socket.send("{"));
    await answer;
    await waitFor(async () => {
      const { samples } = await read();
      expect(samples.map(({ call }) => call)).toContain("WebSocket /v1/responses");
    });
    socket.terminate();
  });
});
