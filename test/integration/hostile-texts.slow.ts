import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { sendRaw } from "../support/send-raw.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** Texts that some layer below may not hold, or may take for something else. */
const HOSTILE = [
  ...["", "a\ud800b", "a\u0000\uffff", "\r\n\u2028\u202e", "javascript:0", "x".repeat(20_000)],
  `${"[".repeat(2000)}${"]".repeat(2000)}`,
];

/** What becomes of a text before it is stored does not depend on the engine. */
const TEXTS = { sqlite: HOSTILE, postgres: HOSTILE.filter((text) => /[\0\ud800-\udfff]/.test(text)) };

const schema = { type: "object", properties: { a: { type: "string" } } };
const call = { id: "c1", type: "function", function: { name: "f", arguments: "{}" } };

/** A request of each route with a text in nearly every place that takes one. */
const BODIES: Readonly<Record<string, object>> = {
  "/v1/chat/completions": {
    model: "attune/gpt-6-astra",
    messages: [
      { role: "system", content: "s", name: "n" },
      {
        role: "user",
        name: "u",
        content: [
          { type: "text", text: "t" },
          { type: "image_url", image_url: { url: "https://a/b", detail: "low" } },
        ],
      },
      { role: "assistant", content: "a", tool_calls: [call] },
      { role: "tool", tool_call_id: "c1", content: "r" },
    ],
    tools: [{ type: "function", function: { name: "f", description: "d", parameters: schema } }],
    response_format: { type: "json_schema", json_schema: { name: "n", description: "d", schema } },
    stop: ["x"],
    metadata: { a: "b" },
    safety_identifier: "u",
    prompt_cache_key: "k",
    user: "v",
    unknown: "z",
  },
  "/v1/responses": {
    model: "attune/gpt-6-astra",
    instructions: "i",
    unknown: "z",
    metadata: { a: "b" },
    prompt_cache_key: "k",
    input: [
      { role: "user", content: [{ type: "input_text", text: "t" }] },
      { type: "reasoning", id: "rs", summary: [{ type: "summary_text", text: "s" }], encrypted_content: "e" },
      { type: "function_call", call_id: "c1", name: "f", arguments: "{}", id: "fc_1" },
      { type: "function_call_output", call_id: "c1", output: "o" },
    ],
    tools: [
      { type: "function", name: "f", description: "d", parameters: schema },
      { type: "custom", name: "g", description: "d" },
    ],
  },
  "/v1/messages": {
    model: "attune/claude-haiku-5-5",
    max_tokens: 100,
    metadata: { user_id: "u" },
    unknown: "z",
    system: [{ type: "text", text: "s" }],
    messages: [
      {
        role: "user",
        content: [
          {
            type: "document",
            title: "t",
            context: "c",
            source: { type: "text", media_type: "text/plain", data: "d" },
          },
          { type: "image", source: { type: "url", url: "https://a/b" } },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "th", signature: "si" },
          { type: "redacted_thinking", data: "dd" },
          { type: "tool_use", id: "c1", name: "f", input: { a: "b" } },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "r" }] },
    ],
    tools: [{ name: "f", description: "d", input_schema: schema }],
    stop_sequences: ["x"],
  },
};

const GENERATE = "/attune.inference.v1.InferenceService/Generate";
const RPC_INPUT = {
  model: "attune/claude-haiku-5-5",
  system: [{ text: { text: "s" } }],
  messages: [
    {
      role: "ROLE_USER",
      name: "n",
      id: "id",
      extension: { json: "{}" },
      content: [
        { text: { text: "t" }, itemId: "i", itemExtension: { json: "{}" }, extension: { json: "{}" } },
        { image: { url: "https://a/b", detail: "low" } },
        { image: { inline: { mediaType: "image/png", base64: "aGk=" } } },
        { audio: { base64: "aGk=", format: "wav" } },
        { document: { url: "https://a/b", title: "t", context: "c" } },
        { document: { content: { blocks: [{ image: { url: "https://a/b" } }] } } },
        { opaque: { json: '{"type":"x"}' } },
      ],
    },
    {
      role: "ROLE_ASSISTANT",
      content: [
        { thinking: { text: "t", summary: ["s"], opaque: "o", id: "i" } },
        { redactedThinking: { data: "d" } },
        { toolUse: { id: "c1", name: "f", arguments: "{}" } },
      ],
    },
    { role: "ROLE_TOOL", content: [{ toolResult: { toolUseId: "c1", content: [{ text: { text: "r" } }] } }] },
  ],
  tools: [
    { function: { name: "f", description: "d", parametersJson: "{}" } },
    { custom: { name: "g", description: "d", formatJson: "{}" } },
    { opaque: { json: "{}" } },
  ],
  toolChoice: { mode: "TOOL_CHOICE_MODE_AUTO", name: "f", allowedNames: ["f"], opaque: { json: "{}" } },
  reasoning: { summary: "auto", display: "omitted", extension: { json: "{}" } },
  outputFormat: { jsonSchema: { name: "n", description: "d", schemaJson: "{}" } },
  stopSequences: ["x"],
  verbosity: "low",
  endUserId: "u",
  metadata: { a: "b" },
  promptCacheKey: "k",
  extension: { json: "{}" },
  workload: "w",
  betas: ["b"],
};

type Path = readonly string[];

/** The paths of all texts in a value. */
function textsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value === "string") return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => textsOf(member, [...path, name]));
}

/** Returns a copy with another text at a path. */
function put(value: unknown, [name, ...rest]: Path, text: string): unknown {
  if (name === undefined || typeof value !== "object" || value === null) return text;
  const members = Array.isArray(value) ? [...value] : { ...value };
  Reflect.set(members, name, put(Reflect.get(value, name), rest, text));
  return members;
}

describe.each(ENGINES)("hostile texts on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ databaseUrl: await databases.newMigratedUrl() });
  });

  afterAll(() => service.close());

  /** Sends a body with each hostile text in each place; returns what was answered with anything but 200 or 4xx. */
  async function sendAll(path: string, base: object, inside: Path): Promise<{ failed: unknown[]; answered: number }> {
    const failed: unknown[] = [];
    let answered = 0;
    for (const place of textsOf(base)) {
      const answers = TEXTS[engine].map(async (text) => {
        const body = JSON.stringify(put(base, place, text));
        const { status, text: answer } = await sendRaw(service.url, {
          method: "POST",
          path,
          headers: service.headers,
          body: inside.reduceRight((whole, name) => `{${JSON.stringify(name)}:${whole}}`, body),
        });
        if (status === 200) answered += 1;
        const isRefusal = status >= 400 && status < 500 && /"(?:error|code)":/.test(answer);
        if (status !== 200 && !isRefusal)
          failed.push([place.join("."), text.slice(0, 20), status, answer.slice(0, 200)]);
      });
      await Promise.all(answers);
    }
    return { failed, answered };
  }

  const ROUTES: readonly (readonly [path: string, base: object, inside: Path])[] = [
    ...Object.entries(BODIES).map(([path, base]) => [path, base, []] as const),
    [GENERATE, RPC_INPUT, ["input"]],
  ];

  it.each(ROUTES)("%s answers or refuses each of them, and records what it answered", async (path, base, inside) => {
    await service.flush();
    const count = async () => (await service.store.query().selectFrom("Inference").select("id").execute()).length;
    const before = await count();
    const { failed, answered } = await sendAll(path, base, inside);
    expect(failed).toEqual([]);
    expect(answered).toBeGreaterThan(TEXTS[engine].length);
    await service.flush();
    expect((await count()) - before).toBeGreaterThanOrEqual(answered);
  });
});

describe("a failure that repeats a part of what was sent", () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
  });

  afterAll(() => service.close());

  const transports: readonly (readonly [string, () => Transport])[] = [
    ["Connect", () => createConnectTransport({ baseUrl: service.url, httpVersion: "1.1" })],
    ["gRPC", () => createGrpcTransport({ baseUrl: service.url })],
    ["gRPC-Web", () => createGrpcWebTransport({ baseUrl: service.url, httpVersion: "1.1" })],
  ];

  it.each(transports)("is told over %s, also where it is cut inside of a character", async (_name, transport) => {
    const client = createClient(InferenceService, transport());
    const call = { headers: { authorization: `Bearer ${service.key}` } };
    const id = `${"x".repeat(63)}💥\r\n\u0000`;
    const failure = await client.getInference({ id }, call).catch((thrown: unknown) => ConnectError.from(thrown));
    expect(failure).toMatchObject({ code: Code.NotFound, rawMessage: expect.stringContaining("xxx\ufffd'") });
  });
});
