import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tryRequests } from "../../src/cli/try-requests.ts";
import type { Config } from "../../src/config/config.ts";
import { createUpstreams } from "../../src/upstream/registry.ts";
import { load, useFolder } from "../config/harness.ts";
import {
  type Answer,
  type ScriptedUpstream,
  startScriptedUpstream,
  wholeAnswer,
} from "../support/scripted-upstream.ts";

useFolder();

const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };

function chat(message: object, more: object = { usage }, end = "stop"): Answer {
  const choice = { index: 0, finish_reason: end, message: { role: "assistant", content: null, ...message } };
  return wholeAnswer(
    JSON.stringify({ id: "c", object: "chat.completion", created: 1, model: "m", choices: [choice], ...more }),
  );
}

const streamed: Answer = {
  headers: { "content-type": "text/event-stream" },
  steps: [
    `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta: { content: "ok" }, finish_reason: "stop" }] })}\n\n`,
    `data: ${JSON.stringify({ id: "c", choices: [], usage })}\n\n`,
    "data: [DONE]\n\n",
  ],
};
const call = { id: "c1", type: "function", function: { name: "look_up", arguments: '{"word":"Oslo"}' } };

/** What only requests of a kind have. */
const KINDS = [
  ["/embeddings", "embedding"],
  ['"stream":true', "stream"],
  ['"role":"tool"', "result"],
  ['"tools"', "tool"],
  ['"response_format"', "schema"],
  ['"max_tokens":16', "limit"],
  ['"stop"', "stop"],
  ['"reasoning_effort"', "effort"],
] as const;

const full: Readonly<Record<string, Answer>> = {
  text: chat({ content: "ok" }),
  stream: streamed,
  tool: chat({ tool_calls: [call] }),
  schema: chat({ content: '{"word":"ok"}' }),
  result: chat({ content: "4 degrees" }),
  limit: chat({ content: "1, 2, 3, 4" }, { usage }, "length"),
  stop: chat({ content: "1, 2, 3, 4, " }),
  effort: chat({ content: "ok" }),
};
const rest = ["tool result", "limit", "stop sequence", "effort"].map((kind) => `${kind}: answers in N s, 12 tokens`);

describe("tryRequests()", () => {
  let scripted: ScriptedUpstream;
  beforeEach(async () => {
    scripted = await startScriptedUpstream();
  });
  afterEach(() => scripted.close());

  async function tryFirst(config: Config) {
    const [model] = config.models;
    const [deployment] = model?.deployments ?? [];
    const upstream = createUpstreams(config.upstreams).get("up");
    if (model === undefined || deployment === undefined || upstream === undefined) throw new Error("nothing to try");
    const found = await tryRequests(upstream, model, deployment);
    await upstream.close?.();
    return found;
  }

  async function tried(more = "", profile = "") {
    const config: Config = load(`
upstreams: { up: { kind: openai-chat, baseUrl: "${scripted.url}/v1", apiKey: sk-secret-of-ours${profile} } }
models: [{ name: mine, family: chat, contextWindow: 9000, maxOutputTokens: ${more === "" ? 900 : 1}, deployments: [{ upstream: up, model: m }]${more} }]
`);
    const found = await tryFirst(config);
    return found.map(({ text, isWell }) => `${isWell ? "" : "! "}${text.replace(/in \d+\.\d s/, "in N s")}`);
  }

  /** Answers by the first word that a request has; the others in full. */
  function script(answers: Readonly<Record<string, Answer>>): void {
    const all = { ...full, ...answers };
    scripted.answerBy((path, body) => {
      const [, kind = "text"] = KINDS.find(([word]) => path.includes(word) || body.includes(word)) ?? [];
      return all[kind] ?? { status: 500, steps: [] };
    });
  }

  it("asks one model for an answer of each kind", async () => {
    script({});
    expect(await tried()).toEqual([
      "text: answers in N s, 12 tokens",
      "stream: answers in N s, 12 tokens",
      "tool: answers in N s, 12 tokens",
      "schema: answers in N s, 12 tokens",
      ...rest,
    ]);
    expect(scripted.received.map(({ body }) => JSON.parse(body).model)).toEqual(Array(8).fill("m"));
  });

  it("tells of limits and stop sequences that a server ignores, and of cuts that it does not tell", async () => {
    const long = { prompt_tokens: 9, completion_tokens: 300, total_tokens: 309 };
    script({ limit: chat({ content: "1, 2" }, { usage: long }), stop: chat({ content: "4, 5, 6" }) });
    expect((await tried()).slice(5, 7)).toEqual([
      "limit: goes on beyond 16 tokens",
      "stop sequence: goes on behind it",
    ]);
    script({ limit: chat({ content: "1, 2" }, {}) });
    expect((await tried())[5]).toBe("limit: does not say that it was cut there");
  });

  it("has an upstream count that counts", async () => {
    const config = load(`
upstreams: { up: { kind: anthropic-messages, baseUrl: "${scripted.url}", apiKey: k } }
models: [{ name: mine, family: messages, contextWindow: 9000, maxOutputTokens: 900, deployments: [{ upstream: up, model: m }] }]
`);
    scripted.answerBy((path) =>
      wholeAnswer(
        path.endsWith("/count_tokens")
          ? '{"input_tokens":12}'
          : '{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"ok"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":3}}',
      ),
    );
    const found = await tryFirst(config);
    expect(found.at(-1)).toEqual({ text: "token count: 12 tokens", isWell: true });
  });

  it("says what a server does not do, in its words and without secrets", async () => {
    const refusal = {
      error: { message: `no grammar for sk-secret-of-ours: ${"x".repeat(900)}`, type: "invalid_request_error" },
    };
    script({
      text: chat({ content: "ok" }, {}),
      stream: streamed,
      tool: chat({ content: "It rains." }),
      schema: { ...wholeAnswer(JSON.stringify(refusal)), status: 400 },
    });
    const lines = await tried();
    expect(lines.slice(0, 3)).toEqual([
      "text: answers in N s, and tells no tokens",
      "stream: answers in N s, 12 tokens",
      "tool: calls no tool",
    ]);
    expect(lines[3]).toMatch(/^schema: fails: status 400, .*no grammar for /);
    expect(lines[3]).not.toContain("sk-secret");
    expect(lines[3]?.length).toBeLessThan(300);
  });

  it("sends nothing else where a text fails", async () => {
    script({ text: { ...wholeAnswer('{"error":{"message":"no such model"}}'), status: 404 } });
    const [line, ...others] = await tried();
    expect(line).toMatch(/^! text: fails: status 404, /);
    expect(others).toEqual([]);
    expect(scripted.received).toHaveLength(1);
  });

  it("does not send what the server is known not to take", async () => {
    script({});
    const lines = await tried("", ", profile: { toolChoices: auto, efforts: [high] }");
    expect(lines[2]).toBe("tool: is not sent (it loses tool_choice)");
    expect(lines[7]).toBe("effort: is not sent (it loses reasoning.effort)");
    expect(scripted.received).toHaveLength(6);
  });

  it("asks a model of embeddings for one", async () => {
    const data = [{ object: "embedding", index: 0, embedding: [0.5, 0.25] }];
    script({
      embedding: wholeAnswer(
        JSON.stringify({ object: "list", data, model: "m", usage: { prompt_tokens: 1, total_tokens: 1 } }),
      ),
    });
    expect(await tried(", embeddings: true")).toEqual(["embedding: answers in N s, 1 tokens"]);
  });
});
