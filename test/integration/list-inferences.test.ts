import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { bodyOf, PATH } from "../support/sdk-calls.ts";
import { MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";

/** What CI needs after a run: the calls of a session, by the key that made them. */
let fixture: SdkFixture;
let reader: string;
let other: string;
let ids: readonly string[];

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/;

async function ask(key: string, headers: Record<string, string>, model: string = MODEL.chat): Promise<string> {
  const answer = await fetch(`${fixture.service.url}${PATH.chat}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(bodyOf("chat", model)),
  });
  return ID.exec(await answer.text())?.[0] ?? "";
}

async function list(query: string, key = fixture.service.key) {
  const answer = await fetch(`${fixture.service.url}/v1/inferences${query}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const idsOf = ({ body }: Awaited<ReturnType<typeof list>>) => (body["data"] as { id: string }[]).map(({ id }) => id);

beforeAll(async () => {
  fixture = await startSdkFixture();
  const { store, key } = fixture.service;
  reader = (await createKey(store, { name: "reader", permissions: ["read:project"] })).key;
  other = (await createKey(store, { name: "other" })).key;
  fixture.script("chat", "text");
  const run = { "attune-session": "run-7", "attune-user": "jane", "attune-tags": "team=search" };
  const first = await ask(key, run);
  const second = await ask(key, { ...run, "attune-user": "john", "attune-workload": "triage" });
  const others = await ask(other, { "attune-session": "run-7" });
  fixture.upstream.answer({ status: 400, steps: ['{"error":{"message":"no"}}'] });
  await ask(key, { "attune-session": "run-8" });
  ids = [first, second, others];
});

afterAll(() => fixture.close());

describe("GET /v1/inferences", () => {
  it("lists the calls of the key right after they were made, the newest first", async () => {
    const answer = await list("?session=run-7");
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      object: "list",
      data: [
        expect.objectContaining({ id: ids[1], user: "john", workload: "triage" }),
        {
          id: ids[0],
          object: "inference",
          model: MODEL.chat,
          served_model: MODEL.chat,
          status: "completed",
          error: null,
          started_at: expect.stringMatching(/^20\d\d-.*Z$/),
          latency_ms: expect.any(Number),
          key_id: expect.stringMatching(/^\w{12}$/),
          workload: null,
          session: "run-7",
          parent_session: null,
          user: "jane",
          tags: { team: "search" },
          usage: {
            input_tokens: expect.any(Number),
            cache_read_tokens: expect.any(Number),
            cache_write_tokens: 10,
            output_tokens: 15,
            reasoning_tokens: 4,
            estimated: false,
          },
          cost_usd: expect.any(Number),
          cost_gaps: [],
        },
      ],
      has_more: false,
      first_id: ids[1],
      last_id: ids[0],
    });
  });

  it("lists those of all keys of the project where the key may read it", async () => {
    expect(idsOf(await list("?session=run-7", reader))).toEqual([ids[2], ids[1], ids[0]]);
    expect(idsOf(await list("?session=run-7", other))).toEqual([ids[2]]);
  });

  it.each<[string, number]>([
    ["?user=jane", 1],
    ["?tag=team%3Dsearch", 2],
    ["?tag=team%3Ddocs", 0],
    ["?workload=triage", 1],
    ["?status=failed", 1],
    [`?model=${encodeURIComponent(MODEL.chat)}`, 3],
    [`?model=${MODEL.chat.split("/")[1]}`, 3],
    ["?model=attune/unknown", 0],
    ["?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z", 0],
    ["?from=2020-01-01T00:00:00Z", 3],
  ])("narrows the list by %s", async (query, count) => {
    expect(idsOf(await list(query))).toHaveLength(count);
  });

  it("has pages", async () => {
    const first = await list("?limit=1&session=run-7");
    expect(first.body).toMatchObject({ has_more: true, last_id: ids[1] });
    const second = await list(`?limit=1&session=run-7&after=${ids[1]}`);
    expect(second.body).toMatchObject({ has_more: false, last_id: ids[0] });
  });

  it.each([
    ["?limit=0", "limit", "must be a whole number from 1 to 500"],
    ["?limit=501", "limit", "must be a whole number from 1 to 500"],
    ["?from=yesterday", "from", "must be a time such as 2027-01-31T00:00:00Z"],
    ["?tag=team", "tag", "must be a name with a value: team=search"],
    ["?status=done", "status", "must be completed, failed, canceled"],
    ["?sesion=x", "sesion", "is not known here"],
    ["?session=a&session=b", "session", "must be given once"],
    [`?tag=team%3D${"x".repeat(201)}`, "tag", "200"],
    ["?after=x", "after", "is none of a page before"],
    [`?session=${"x".repeat(257)}`, "session", "256"],
  ])("refuses %s by name", async (query, param, message) => {
    const { status, body } = await list(query);
    expect(status).toBe(400);
    expect(body["error"]).toMatchObject({ message: expect.stringContaining(message), param });
  });

  it("refuses an unknown key", async () => {
    expect(await list("", "sk-unknown")).toMatchObject({ status: 401 });
  });
});

describe.each([
  ["Connect", createConnectTransport],
  ["gRPC", createGrpcTransport],
] as const)("ListInferences over %s", (_name, createTransport) => {
  it("lists the same", async () => {
    const transport = createTransport({ baseUrl: fixture.service.url, httpVersion: "2" });
    const client = createClient(InferenceService, transport);
    const headers = { authorization: `Bearer ${fixture.service.key}` };
    const { inferences } = await client.listInferences({ sessionId: "run-7", tags: { team: "search" } }, { headers });
    expect(inferences.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
    expect(inferences[1]?.facts).toMatchObject({ sessionId: "run-7", endUserId: "jane", tags: { team: "search" } });
    await expect(client.listInferences({ pageToken: "x" }, { headers })).rejects.toThrow("page_token");
  });
});
