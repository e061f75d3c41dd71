import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { writeSettings } from "../../src/store/settings/write-settings.ts";
import { readInference } from "../support/read-inference.ts";
import {
  type Answer,
  type AnswerAsAsked,
  type ScriptedUpstream,
  startScriptedUpstream,
  wholeAnswer,
} from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { FRAMES } from "../support/upstream-frames.ts";
import { WHOLES } from "../support/upstream-wholes.ts";

const FORMATS = ["chat", "responses", "messages"] as const;
type Format = (typeof FORMATS)[number];
const PATHS: Record<Format, string> = {
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
};

let upstream: ScriptedUpstream;
let service: TestService;
/** What the upstream answers next in place of a text. */
let next: Answer | AnswerAsAsked | undefined;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  upstream.answerBy((path) => {
    const kind = FORMATS.find((format) => path.startsWith(`/${format}/`)) ?? "chat";
    const answer = next ?? {
      streamed: { steps: FRAMES[kind].calls },
      whole: wholeAnswer(WHOLES[kind].calls),
    };
    next = undefined;
    return answer;
  });
  service = await startTestService({ yaml: yaml(upstream.url) });
});
beforeEach(() => {
  next = undefined;
  upstream.received.length = 0;
});
afterAll(async () => {
  await service.close();
  await upstream.close();
});

function yaml(url: string): string {
  const model = (name: string, at: string, optimizations = "{ responseCache: { ttlSeconds: 60 } }"): string => `
  - name: ${name}
    family: messages
    contextWindow: 1000000
    maxOutputTokens: 4096
    price: { input: 1, output: 10 }
    deployments: [ { upstream: ${at}, model: real } ]
    optimizations: ${optimizations}`;
  const soon = "{ responseCache: { ttlSeconds: 1 } }";
  return `
upstreams:
  chat: { kind: openai-chat, baseUrl: "${url}/chat/v1", apiKey: k }
  responses: { kind: openai-responses, baseUrl: "${url}/responses/v1", apiKey: k }
  messages: { kind: anthropic-messages, baseUrl: "${url}/messages", apiKey: k }
models:${FORMATS.map((kind) => model(kind, kind)).join("")}${model("without", "chat", "{}")}${model("soon", "chat", soon)}
`;
}

let count = 0;
/** A question that nobody has asked before. */
const question = (): string => `Question ${++count}`;

function bodyOf(format: Format, model: string, text: string, members: object): object {
  const messages = [{ role: "user", content: text }];
  const tool = { name: "get_weather", description: "d" };
  const schema = { type: "object", properties: { city: { type: "string" } } };
  const asked = { model: `attune/${model}`, temperature: 0 };
  switch (format) {
    case "chat":
      return {
        ...asked,
        messages,
        tools: [{ type: "function", function: { ...tool, parameters: schema } }],
        ...members,
      };
    case "responses":
      return {
        ...asked,
        input: messages,
        store: false,
        tools: [{ type: "function", ...tool, parameters: schema }],
        ...members,
      };
    case "messages":
      return { ...asked, messages, max_tokens: 64, tools: [{ ...tool, input_schema: schema }], ...members };
  }
}

interface Asking {
  readonly format?: Format;
  readonly members?: object;
  readonly headers?: object;
}

/** Asks a question, and waits until it is recorded. */
async function ask(model: string, text: string, { format = "chat", members = {}, headers = {} }: Asking = {}) {
  const response = await fetch(service.url + PATHS[format], {
    method: "POST",
    headers: { ...service.headers, ...headers },
    body: JSON.stringify(bodyOf(format, model, text, members)),
  });
  const answer = await response.text();
  await service.flush();
  const id = UUID.exec(answer)?.[0] ?? "";
  return { status: response.status, answer, id, optimizations: response.headers.get("attune-optimizations"), response };
}

/** Of an inference; ids of items are made from it, without the dashes. */
const UUID = /[0-9a-f]{8}-?[0-9a-f]{4}-?7[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}/;

/** An answer without what is each caller's own: ids and times. */
function common(text: string): string {
  return text.replaceAll(new RegExp(UUID, "g"), "ID").replaceAll(/"(created|created_at|completed_at)":\d+/g, '"$1":0');
}

const CASES = FORMATS.flatMap((format) =>
  FORMATS.flatMap((kind) => [true, false].map((stream) => ({ format, kind, stream }))),
);

describe("an identical request of before", () => {
  it.each(CASES)(
    "answers one of the format $format at an upstream of the kind $kind, streamed: $stream",
    async (of) => {
      const { format, kind, stream } = of;
      const text = question();
      const asking = { format, members: stream ? { stream } : {} };
      const first = await ask(kind, text, asking);
      expect([first.status, first.optimizations]).toEqual([200, "none"]);
      const again = await ask(kind, text, asking);
      expect([again.status, again.optimizations, upstream.received.length]).toEqual([200, "response-cache", 1]);
      expect(common(again.answer)).toBe(common(first.answer));
      expect(again.id).not.toBe(first.id);
      // Not an answer to an answer: the time runs from the call.
      const third = await ask(kind, text, asking);
      expect([common(third.answer), upstream.received.length]).toEqual([common(first.answer), 1]);
    },
  );

  it("is billed for with nothing, and its record says what was saved", async () => {
    const text = question();
    const [first, again] = [await ask("chat", text), await ask("chat", text)];
    const rowOf = async (id: string) => (await readInference(service.store, id.replace("chatcmpl-", "")))?.row;
    const [paid, spared] = [await rowOf(first.id), await rowOf(again.id)];
    expect(paid?.costNanos).toBeGreaterThan(0);
    expect(spared).toMatchObject({
      status: "completed",
      optimizations: ["response-cache"],
      deviation: "none",
      upstream: "chat",
      upstreamModel: "real",
      inputTokens: paid?.inputTokens,
      outputTokens: paid?.outputTokens,
      costNanos: 0,
      coalescingKey: null,
      baseCostNanos: paid?.costNanos,
      saved: { responseCache: paid?.costNanos },
    });
  });
});

describe("no answer is given again", () => {
  const twice = async (model: string, first: Asking = {}, second: Asking = first): Promise<number> => {
    const text = question();
    await ask(model, text, first);
    await ask(model, text, second);
    return upstream.received.length;
  };

  it.each([
    ["where the answer is left to chance", { members: { temperature: 1 } }],
    ["where the answer is to be stored", { format: "responses" as const, members: { store: true } }],
    ["to who asks for a plain answer", { headers: { "attune-optimize": "off" } }],
  ])("%s", async (_when, asking) => {
    expect(await twice("chat", asking)).toBe(2);
  });

  it("to a request that differs in anything, or comes in another format or form", async () => {
    expect(await twice("chat", {}, { members: { max_completion_tokens: 63 } })).toBe(2);
    expect(await twice("chat", {}, { format: "messages" })).toBe(4);
    expect(await twice("chat", {}, { members: { stream: true } })).toBe(6);
    expect(await twice("chat", {}, { members: { metadata: { a: "b" } } })).toBe(8);
  });

  it("where the configuration does not say so, and when it is too old", async () => {
    expect(await twice("without")).toBe(2);
    const text = question();
    await ask("soon", text);
    await delay(1100);
    await ask("soon", text);
    expect(upstream.received.length).toBe(4);
  });

  it("after an error, nor after an answer that was cut off", async () => {
    next = { status: 400, ...wholeAnswer('{"error":{"message":"no","type":"invalid_request_error"}}') };
    expect(await twice("chat")).toBe(2);
    next = wholeAnswer(WHOLES.chat.length);
    expect(await twice("chat")).toBe(4);
    next = { streamed: { steps: [...FRAMES.chat.text.slice(0, 3), "die"] }, whole: wholeAnswer("{}") };
    expect(await twice("chat", { members: { stream: true } })).toBe(6);
  });

  it("in a project that has switched it off, or that keeps no texts", async () => {
    const text = question();
    await ask("chat", text);
    const answered = async () => (await ask("chat", text)).optimizations;
    await writeSettings(service.store, DEFAULT_PROJECT.id, { optimizationsOff: ["responseCache"] });
    await expect.poll(answered).toBe("none");
    // What is asked before the service knows that is answered without a call.
    expect(upstream.received.length).toBe(2);
    await writeSettings(service.store, DEFAULT_PROJECT.id, { optimizationsOff: [], bodies: "redacted" });
    const recorded = async () => {
      const { id } = await ask("without", question());
      const { input } = (await readInference(service.store, id.replace("chatcmpl-", "")))?.content ?? {};
      return JSON.stringify(input?.messages.flatMap(({ content }) => content.map(({ kind }) => kind.value)));
    };
    await expect.poll(recorded).toContain("[redacted: ");
    upstream.received.length = 0;
    expect(await twice("chat")).toBe(2);
    await ask("chat", text);
    expect(upstream.received.length).toBe(3);
    await writeSettings(service.store, DEFAULT_PROJECT.id, { bodies: "full" });
    await expect.poll(answered).toBe("response-cache");
  });
});
