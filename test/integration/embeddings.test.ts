import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EmbeddingEncoding, InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { readWhenWritten } from "../support/read-when-written.ts";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { startTestService, type TestService, yamlFor } from "../support/service.ts";

const MODEL = "attune/embedder";

let upstream: ScriptedUpstream;
let service: TestService;

const embedder = (name: string, deployment: string, more = ""): string => `
  - name: ${name}
    family: chat
    embeddings: true
    contextWindow: 8192
    maxOutputTokens: 1
    price: { input: 0.02, output: 0 }
    deployments: [ ${deployment} ]${more}`;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  const models = [
    embedder("embedder", "{ upstream: chat, model: real-embedder }"),
    embedder("other", "{ upstream: responses, model: real-other }"),
    embedder("made-up", "{ upstream: sandbox, model: sandbox }"),
  ];
  service = await startTestService({ yaml: yamlFor(upstream.url) + models.join("").slice(1) });
});

afterAll(async () => {
  await service.close();
  await upstream.close();
});

/** Floats of 32 bits, 0.5 and -0.25, the lowest byte first. */
const PACKED = "AAAAPwAAgL4=";

const answerWith = (...vectors: unknown[]) => {
  const data = vectors.map((embedding, index) => ({ object: "embedding", index, embedding }));
  const usage = { prompt_tokens: 8, total_tokens: 8 };
  return wholeAnswer(JSON.stringify({ object: "list", data, model: "real-embedder", usage }), {
    "x-request-id": "req_7",
  });
};

/** The parts of an answer, or of a failure, that are looked at. */
interface Answered {
  readonly id: string;
  readonly data: readonly { readonly embedding: unknown }[];
  readonly error: { readonly message: string; readonly type: string; readonly param: string };
}

async function embed(body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.url}/v1/embeddings`, {
    method: "POST",
    headers: { ...service.headers, ...headers },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Answered;
  return { status: response.status, headers: response.headers, body: answer };
}

async function recordOf(id: string) {
  const { row, content } = await readWhenWritten(service.store, id);
  if (content === undefined) throw new Error(`${id} has no content`);
  return { row, ...content };
}

const sent = () => JSON.parse(upstream.received.at(-1)?.body ?? "");

describe("POST /v1/embeddings", () => {
  it.each([
    ["a text", "Hello", "Hello"],
    ["a list of one", ["Hello"], "Hello"],
    ["texts", ["Hello", "", "ü"], ["Hello", "", "ü"]],
    ["tokens", [1, 2, 3], [1, 2, 3]],
    ["lists of tokens", [[1, 2], [3]], [[1, 2], [3]]],
  ])("hands on %s", async (_name, input, asked) => {
    upstream.answer(answerWith([0.5, -0.006929283495992422]));
    const { status, headers, body } = await embed({ model: MODEL, input });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      object: "list",
      data: [{ object: "embedding", index: 0, embedding: [0.5, -0.006929283495992422] }],
      model: MODEL,
      usage: { prompt_tokens: 8, total_tokens: 8 },
    });
    expect(headers.get("attune-served-by")).toBe("chat");
    expect(headers.get("attune-upstream-request-id")).toBe("req_7");
    expect(upstream.received.at(-1)?.path).toBe("/v1/embeddings");
    expect(upstream.received.at(-1)?.headers.authorization).toBe("Bearer sk-upstream-chat-secret");
    expect(sent()).toEqual({ model: "real-embedder", input: asked });
  });

  it("hands on dimensions, encoding, user and members that it does not know, and base64 as it came", async () => {
    upstream.answer(answerWith(PACKED, PACKED));
    const options = { dimensions: 2, encoding_format: "base64", user: "u1", input_type: "query" };
    const { body } = await embed({ model: "attune/other", input: ["a", "b"], ...options });
    expect(body.data.map(({ embedding }) => embedding)).toEqual([PACKED, PACKED]);
    expect(sent()).toEqual({ model: "real-other", input: ["a", "b"], ...options });
    const { row } = await recordOf(body.id);
    expect(row).toMatchObject({ endUserId: "u1" });
  });

  it("is recorded as an embedding with its texts, tokens and cost, and without its vectors", async () => {
    upstream.answer(answerWith([0.5]));
    const { body } = await embed({ model: MODEL, input: ["Hello", "you"] }, { "attune-tags": "team=search" });
    const { row, input, output } = await recordOf(body.id);
    expect(row).toMatchObject({
      dialect: "embeddings",
      model: "embedder",
      status: "completed",
      upstream: "chat",
      streamed: false,
      inputTokens: 8,
      outputTokens: 0,
      costNanos: 160,
      tags: { team: "search" },
    });
    expect(input.messages[0]?.content.map(({ kind }) => kind.value)).toMatchObject([
      { text: "Hello" },
      { text: "you" },
    ]);
    expect(output.finished?.embeddings).toEqual([]);
  });

  it.each([
    ["numbers", undefined, PACKED, [0.5, -0.25]],
    ["numbers", "float", PACKED, [0.5, -0.25]],
    ["base64", "base64", [0.5, -0.25], PACKED],
  ])("are %s where %s is asked for, whatever the upstream makes", async (_name, encoding_format, made, given) => {
    upstream.answer(answerWith(made));
    const { body } = await embed({ model: MODEL, input: "a", ...(encoding_format && { encoding_format }) });
    expect(body.data[0]?.embedding).toEqual(given);
  });

  it.each([
    ["reversed", [2, 1, 0], [3, 2, 1]],
    ["counted from 1", [2, 3, 1], [3, 1, 2]],
    ["alike", [0, 0, 0], [1, 2, 3]],
    ["absent", [undefined, undefined, undefined], [1, 2, 3]],
  ])("come in the order of the texts where indexes are %s", async (_how, indexes, ordered) => {
    const data = indexes.map((index, at) => ({ object: "embedding", index, embedding: [at + 1] }));
    upstream.answer(wholeAnswer(JSON.stringify({ object: "list", data, model: "m" })));
    const { body } = await embed({ model: MODEL, input: ["a", "b", "c"] });
    expect(body.data).toEqual(ordered.map((value, index) => ({ object: "embedding", index, embedding: [value] })));
    upstream.answer(wholeAnswer(JSON.stringify({ object: "list", data, model: "m" })));
    const client = createClient(InferenceService, createConnectTransport({ baseUrl: service.url, httpVersion: "1.1" }));
    const asked = { model: MODEL, texts: ["a", "b", "c"] };
    const { embeddings } = await client.createEmbeddings(asked, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    expect(embeddings.map(({ vector }) => vector.value)).toMatchObject(ordered.map((value) => ({ values: [value] })));
  });

  it("hands on the largest batch, whose answer is larger than one of a generation may be", async () => {
    const vector = "AAAA".repeat(2080);
    upstream.answer(answerWith(...Array.from({ length: 2048 }, () => vector)));
    const { status, body } = await embed({ model: MODEL, input: Array(2048).fill("a"), encoding_format: "base64" });
    expect(status).toBe(200);
    expect(body.data).toHaveLength(2048);
    expect(body.data.at(-1)?.embedding).toBe(vector);
  });

  it("hands on more tokens than other bodies may have values", async () => {
    upstream.answer(answerWith([0.5]));
    const tokens = Array.from({ length: 100 }, () => Array(1500).fill(7));
    const { status } = await embed({ model: MODEL, input: tokens });
    expect(status).toBe(200);
    expect(sent().input).toHaveLength(100);
    expect(sent().input[99]).toHaveLength(1500);
  });

  it("is found by its session, user and tags", async () => {
    upstream.answer(answerWith([0.5]));
    const headers = { "attune-session": "s1", "attune-user": "u7", "attune-tags": "team=search" };
    const { body } = await embed({ model: MODEL, input: "a" }, headers);
    const { row } = await recordOf(body.id);
    expect(row).toMatchObject({ sessionId: "s1", endUserId: "u7", tags: { team: "search" } });
  });

  it("is recorded without tokens, which nobody reads", async () => {
    upstream.answer(answerWith([0.5]));
    const { body } = await embed({ model: MODEL, input: [1, 2, 3], dimensions: 1 });
    const { input } = await recordOf(body.id);
    expect(input.embedding).toMatchObject({ tokenInputs: [], dimensions: 1 });
  });
});

describe("faults of POST /v1/embeddings", () => {
  it.each([
    [{ model: MODEL }, "input"],
    [{ model: MODEL, input: [] }, "input"],
    [{ model: MODEL, input: ["a", 1] }, "input[1]"],
    [{ model: MODEL, input: [[1], ["a"]] }, "input[1][0]"],
    [{ model: MODEL, input: [[]] }, "input[0]"],
    [{ model: MODEL, input: "a", dimensions: 0 }, "dimensions"],
    [{ model: MODEL, input: "a", dimensions: 65537 }, "dimensions"],
    [{ model: MODEL, input: "a", encoding_format: "int8" }, "encoding_format"],
    [{ model: MODEL, input: Array(2049).fill("a") }, "input"],
    [{ model: MODEL, input: Array(2049).fill([1]) }, "input"],
    [{ model: MODEL, input: [1, 2 ** 31] }, "input[1]"],
    [{ model: MODEL, input: [[1], [1, -1]] }, "input[1][1]"],
    [{ model: "attune/made-up", input: Array(100).fill("a"), dimensions: 65536 }, "dimensions"],
    [{ model: "attune/chatty", input: "a" }, "model"],
  ])("names the member of %.80j", async (body, param) => {
    const before = upstream.received.length;
    const answer = await embed(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ type: "invalid_request_error", param });
    expect(upstream.received).toHaveLength(before);
  });

  it("are refused where a key has as many vectors under way as its part of the memory holds", async () => {
    const { promise: until, resolve } = Promise.withResolvers<void>();
    const whole = answerWith(PACKED);
    upstream.answer({ ...whole, steps: [{ until }, ...whole.steps] });
    const before = upstream.received.length;
    const batch = { model: MODEL, input: Array(2048).fill("a"), encoding_format: "base64" };
    const calls = [embed(batch), embed(batch)];
    await expect.poll(() => upstream.received.length).toBe(before + 2);
    const { status, body } = await embed(batch);
    expect(status).toBe(429);
    expect(body.error.message).toContain("this key has too many");
    resolve();
    expect((await Promise.all(calls)).map((call) => call.status)).toEqual([200, 200]);
    await expect.poll(async () => (await embed(batch)).status).toBe(200);
  });

  it("are refused by what they may cost, before the upstream is asked", async () => {
    const before = upstream.received.length;
    const { status, body } = await embed(
      { model: MODEL, input: "word ".repeat(500) },
      { "attune-max-usd": "0.000001" },
    );
    expect([status, body.error.type]).toEqual([400, "invalid_request_error"]);
    expect(upstream.received).toHaveLength(before);
  });

  it("says which models make embeddings, and that those answer nothing", async () => {
    const { body } = await embed({ model: "attune/chatty", input: "a" });
    expect(body.error.message).toContain("these do: attune/embedder, attune/other, attune/made-up");
    const response = await fetch(`${service.url}/v1/chat/completions`, {
      method: "POST",
      headers: service.headers,
      body: JSON.stringify({ model: MODEL, messages: [{ role: "user", content: "Hi" }] }),
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("send them to /v1/embeddings");
  });

  it("are the upstream's in the format's envelope", async () => {
    const error = '{"error":{"message":"too long","type":"invalid_request_error","param":"input","code":null}}';
    upstream.answer({ ...wholeAnswer(error), status: 400 });
    const { status, body } = await embed({ model: MODEL, input: "a" });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ message: "too long", type: "invalid_request_error", param: "input" });
  });

  it.each(['{"object":"list"}', '{"data":[{"embedding":"%"}]}', '{"data":[{"embedding":[null]}]}', "{"])(
    "are told of an answer that is none: %s",
    async (answer) => {
      upstream.answer(wholeAnswer(answer));
      const { status, body } = await embed({ model: MODEL, input: "a" });
      expect(status).toBe(502);
      expect(body.error.type).toBe("server_error");
    },
  );
});

describe("embeddings of the sandbox", () => {
  it("are refused where their numbers would fill the memory", async () => {
    const input = Array.from({ length: 2048 }, () => "a");
    const { status, body } = await embed({ model: "attune/made-up", input, dimensions: 65_536 });
    expect([status, body.error.param]).toEqual([400, "dimensions"]);
    expect(body.error.message).toContain("must be at most 256 for 2048 texts at the sandbox");
  });
});

describe("embeddings under an idempotency key", () => {
  it("are made once, and given again", async () => {
    upstream.answer(answerWith(PACKED));
    const before = upstream.received.length;
    const body = { model: MODEL, input: "a", encoding_format: "base64" };
    const first = await embed(body, { "idempotency-key": "e1" });
    const again = await embed(body, { "idempotency-key": "e1" });
    expect(again.body).toEqual(first.body);
    expect(upstream.received).toHaveLength(before + 1);
    expect((await embed({ ...body, input: "b" }, { "idempotency-key": "e1" })).status).toBe(422);
  });
});

describe("GET /v1/models", () => {
  it("tells which models make embeddings", async () => {
    const response = await fetch(`${service.url}/v1/models`, { headers: service.headers });
    const { data } = (await response.json()) as { data: { id: string; embeddings: boolean }[] };
    expect(data.filter(({ embeddings }) => embeddings).map(({ id }) => id)).toEqual([
      "attune/embedder",
      "attune/other",
      "attune/made-up",
    ]);
    expect(data.find(({ id }) => id === "attune/chatty")?.embeddings).toBe(false);
  });
});

describe("embeddings of the official SDK", () => {
  it("are those of the upstream, and of the sandbox near where texts share words", async () => {
    const client = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: service.key, maxRetries: 0 });
    upstream.answer(answerWith(PACKED));
    const { data } = await client.embeddings.create({ model: MODEL, input: "Hello" });
    expect(data[0]?.embedding).toEqual([0.5, -0.25]);
    expect(sent().encoding_format).toBe("base64");
    const input = ["red apples", "red cherries", "blue ships"];
    const made = await client.embeddings.create({ model: "attune/made-up", input, dimensions: 64 });
    const [apples = [], cherries = [], ships = []] = made.data.map(({ embedding }) => embedding);
    const near = (a: number[], b: number[]) => a.reduce((sum, number, at) => sum + number * (b[at] ?? 0), 0);
    expect(apples).toHaveLength(64);
    expect(near(apples, cherries)).toBeGreaterThan(near(apples, ships));
  });
});

describe("CreateEmbeddings", () => {
  it.each([
    ["Connect", () => createConnectTransport({ baseUrl: service.url, httpVersion: "1.1" })],
    ["gRPC", () => createGrpcTransport({ baseUrl: service.url })],
  ])("embeds over %s", async (_name, transport) => {
    const client = createClient(InferenceService, transport());
    const headers = { authorization: `Bearer ${service.key}` };
    upstream.answer(answerWith(PACKED, [1.5]));
    const asked = { model: MODEL, texts: ["a", "b"], encoding: EmbeddingEncoding.BASE64 };
    const { id, embeddings, usage } = await client.createEmbeddings(asked, { headers });
    expect(embeddings.map(({ index, vector }) => [index, vector.case])).toEqual([
      [0, "packed"],
      [1, "floats"],
    ]);
    expect(usage?.inputTokens).toBe(8);
    expect(sent()).toEqual({ model: "real-embedder", input: ["a", "b"], encoding_format: "base64" });
    expect((await recordOf(id)).row.dialect).toBe("embeddings");
    const none = client.createEmbeddings({ model: MODEL }, { headers });
    await expect(none).rejects.toThrow("texts: must hold a text, or token_inputs one");
    const both = client.createEmbeddings({ model: MODEL, texts: ["a"], tokenInputs: [{ tokens: [1] }] }, { headers });
    await expect(both).rejects.toThrow("texts: cannot be combined with token_inputs");
    const empty = client.createEmbeddings({ model: MODEL, tokenInputs: [{ tokens: [] }] }, { headers });
    await expect(empty).rejects.toThrow("token_inputs[0].tokens");
    await expect(client.generate({ input: { model: MODEL, embedding: {} } }, { headers })).rejects.toThrow(
      "call CreateEmbeddings",
    );
  });
});
