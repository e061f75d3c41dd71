import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { FRAMES } from "../support/upstream-frames.ts";

const frame = (type: string, members: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;

/** Streams that end in a failure behind their beginning, in the words of each provider. */
const FAILED = {
  responses: [
    ...FRAMES.responses.text.slice(0, 2),
    // platform.openai.com/docs/api-reference/responses-streaming/response/failed
    frame("response.failed", {
      sequence_number: 2,
      response: {
        id: "resp_up",
        object: "response",
        status: "failed",
        error: { code: "rate_limit_exceeded", message: "Rate limit reached for gpt-6" },
        output: [],
      },
    }),
  ],
  messages: [
    ...FRAMES.messages.text.slice(0, 1),
    // docs.anthropic.com/en/docs/build-with-claude/streaming: error events
    frame("error", { error: { type: "rate_limit_error", message: "Rate limit reached for claude" } }),
  ],
};

const KINDS = { responses: "openai-responses", messages: "anthropic-messages" } as const;

describe.each(["responses", "messages"] as const)("a stream of %s that fails before it has content", (kind) => {
  let upstream: ScriptedUpstream;
  let service: TestService;

  beforeAll(async () => {
    upstream = await startScriptedUpstream();
    upstream.answerBy((_path, body) => {
      const isBroken = JSON.parse(body).model === "broken";
      const [first = "", ...rest] = isBroken ? FAILED[kind] : FRAMES[kind].text;
      return { headers: { "content-type": "text/event-stream" }, steps: [first, { waitMs: 20 }, ...rest] };
    });
    const base = kind === "messages" ? upstream.url : `${upstream.url}/v1`;
    const broken = "{ upstream: up, model: broken }";
    const model = (name: string, deployments: string) =>
      `  - { name: ${name}, family: ${kind}, contextWindow: 9000, maxOutputTokens: 90, deployments: [${deployments}] }`;
    service = await startTestService({
      yaml: [
        "routing: { failoverShare: 1 }",
        "upstreams:",
        `  up: { kind: ${KINDS[kind]}, baseUrl: "${base}", apiKey: k }`,
        "models:",
        model("alone", broken),
        model("two", `${broken}, { upstream: up, model: sound }`),
      ].join("\n"),
    });
  });

  afterAll(async () => {
    await service.close();
    await upstream.close();
  });

  async function stream(path: string, model: string, members: object) {
    const answer = await fetch(`${service.url}${path}`, {
      method: "POST",
      headers: service.headers,
      body: JSON.stringify({ model: `attune/${model}`, stream: true, ...members }),
    });
    return { status: answer.status, text: await answer.text() };
  }

  const messages = [{ role: "user", content: "hi" }];

  it.each([
    ["/v1/chat/completions", { messages }],
    ["/v1/responses", { input: "hi" }],
    ["/v1/messages", { max_tokens: 90, messages }],
  ])("has its own status for callers of %s, or is asked elsewhere", async (path, members) => {
    const alone = await stream(path, "alone", members);
    expect(alone.status).toBe(429);
    expect(JSON.parse(alone.text).error.message).toContain("Rate limit reached");
    const two = await stream(path, "two", members);
    expect(two.status).toBe(200);
    expect(two.text).toContain("Grüße");
    expect(two.text).not.toContain("Rate limit");
  });
});
