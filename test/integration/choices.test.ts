import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { readAttempts } from "../../src/store/dashboard/reads/read-attempts.ts";
import { answerChecked, modelAt, upstreamsAt } from "../support/checked-models.ts";
import { readWhenWritten } from "../support/read-when-written.ts";
import {
  type Answer,
  type ScriptedUpstream,
  startScriptedUpstream,
  wholeAnswer,
} from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";
import {
  CALLS,
  CUT_TEXT,
  FRAMES,
  JSON_TEXT,
  type Scenario,
  TEXT,
  TOKENS,
  UPSTREAM_KINDS,
} from "../support/upstream-frames.ts";

/** What a call is answered with, and when; 500 and 400 are errors. */
type Said = readonly [scenario: Scenario | 500 | 400, until?: Promise<void>];

const NEVER = new Promise<void>(() => {});
let upstream: ScriptedUpstream;
let service: TestService;
let openai: OpenAI;
/** What the calls are answered with, in the order in which they come. */
let script: Said[] = [];

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  upstream.answerBy(answerByScript);
  const models = [
    ...UPSTREAM_KINDS.map((kind) => modelAt([kind], { name: kind, candidates: 4 })),
    modelAt(["several"], { name: "several", candidates: 4 }),
    modelAt(["several", "messages"], { name: "mixed", candidates: 4 }),
  ].join("");
  const several = `  several: { kind: openai-chat, baseUrl: "${upstream.url}/chat/v1", profile: { n: 3 } }`;
  service = await startTestService({ yaml: `upstreams: ${upstreamsAt(upstream.url)}\n${several}\nmodels: ${models}` });
  openai = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: service.key, maxRetries: 0 });
});
beforeEach(() => {
  script = [];
  upstream.received.length = 0;
});
afterAll(async () => {
  await service.close();
  await upstream.close();
});

function answerByScript(path: string, body: string): Answer {
  const [scenario, until] = script.shift() ?? ["text"];
  const type = scenario === 400 ? "invalid_request_error" : "api_error";
  const message = `{"type":"error","error":{"type":"${type}","message":"broken"}}`;
  const answer =
    typeof scenario === "number"
      ? { ...wholeAnswer(message), status: scenario }
      : answerChecked(path, body, () => scenario);
  return until === undefined ? answer : { ...answer, steps: [{ until }, ...answer.steps] };
}

const asked = (kind: string, n: number) => ({
  model: `attune/${kind}`,
  n,
  messages: [{ role: "user" as const, content: "x" }],
});
const usageOf = (count: number) => ({
  prompt_tokens: TOKENS.prompt * count,
  completion_tokens: TOKENS.output * count,
  total_tokens: (TOKENS.prompt + TOKENS.output) * count,
});

async function written(id: string) {
  const { row, content } = await readWhenWritten(service.store, id);
  return { row, content, attempts: (await readAttempts(service.store, [row.id])).get(row.id) ?? [] };
}

describe.each(UPSTREAM_KINDS)("choices of a %s upstream", (kind) => {
  it("come whole, each a call of one inference", async () => {
    script = [["text"], ["calls"], ["length"]];
    const answer = await openai.chat.completions.create(asked(kind, 3));
    expect(answer.choices.map(({ index, finish_reason }) => [index, finish_reason]).sort()).toEqual(
      [0, 1, 2].map((index) => [index, answer.choices[index]?.finish_reason]),
    );
    expect(answer.choices.map(({ finish_reason }) => finish_reason).sort()).toEqual(["length", "stop", "tool_calls"]);
    const texts = answer.choices.map(({ message }) => message.content ?? "");
    expect(texts.filter((text) => text !== "").sort()).toEqual([TEXT, CUT_TEXT].sort());
    const calls = answer.choices.flatMap(({ message }) => message.tool_calls ?? []);
    expect(calls.map((call) => call.type === "function" && call.function.arguments)).toEqual(
      CALLS.map((call) => call.arguments),
    );
    expect(answer.usage).toMatchObject(usageOf(3));
    expect(upstream.received).toHaveLength(3);
    for (const { body } of upstream.received) expect(JSON.parse(body)).not.toHaveProperty("n");
    const { row, attempts, content } = await written(answer.id);
    expect(attempts.map(({ role, outcome, isWinner }) => [role, outcome, isWinner])).toEqual(
      Array.from({ length: 3 }, () => ["primary", "completed", true]),
    );
    expect(row.costNanos).toBe(attempts.reduce((sum, { costNanos }) => sum + (costNanos ?? 0), 0));
    expect([row.baseCostNanos, row.saved]).toEqual([row.costNanos, {}]);
    expect(row).toMatchObject({ outputTokens: 3 * TOKENS.output, status: "completed", deviation: "none" });
    expect(content?.output.furtherChoices).toHaveLength(2);
  });

  it("come as a stream", async () => {
    script = [["text"], ["json"]];
    const stream = openai.chat.completions.stream({
      ...asked(kind, 2),
      stream: true,
      stream_options: { include_usage: true },
    });
    const answer = await stream.finalChatCompletion();
    expect(answer.choices.map(({ index }) => index).sort()).toEqual([0, 1]);
    expect(answer.choices.map(({ message }) => message.content).sort()).toEqual([TEXT, JSON_TEXT].sort());
    expect(answer.choices.map(({ finish_reason }) => finish_reason)).toEqual(["stop", "stop"]);
    expect(answer.usage).toMatchObject(usageOf(2));
    const { attempts, row } = await written(answer.id);
    expect(attempts.map(({ isWinner }) => isWinner)).toEqual([true, true]);
    expect(row.outputTokens).toBe(2 * TOKENS.output);
  });

  it("come side by side, each under its index, and end each for itself", async () => {
    const [, ...frames] = FRAMES[kind].text;
    const [opening = ""] = FRAMES[kind].text;
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let calls = 0;
    upstream.answerBy(() => ({ steps: [opening, { until: gates[calls++]?.promise ?? NEVER }, ...frames] }));
    const stream = await openai.chat.completions.create({ ...asked(kind, 2), stream: true });
    const ended: number[] = [];
    await expect.poll(() => calls).toBe(2);
    gates[1]?.resolve();
    for await (const { choices } of stream) {
      for (const { index, finish_reason } of choices) if (finish_reason !== null) ended.push(index);
      // The one that was let through has ended: nothing of it waits for the other one.
      if (ended.length === 1) gates[0]?.resolve();
    }
    upstream.answerBy(answerByScript);
    expect(ended.toSorted()).toEqual([0, 1]);
  });

  it("fail together, and break the others off", async () => {
    const both = Promise.withResolvers<void>();
    script = [
      [400, both.promise],
      ["text", NEVER],
    ];
    const failed = expect(openai.chat.completions.create(asked(kind, 2))).rejects.toMatchObject({ status: 400 });
    await expect.poll(() => upstream.received.length).toBe(2);
    both.resolve();
    await failed;
    await upstream.received[1]?.aborted;
  });

  it("fail in the stream once the first has begun", async () => {
    const begun = Promise.withResolvers<void>();
    script = [["text"], [400, begun.promise]];
    const stream = await openai.chat.completions.create({ ...asked(kind, 2), stream: true });
    const read = async (): Promise<void> => {
      for await (const { choices } of stream) {
        begun.resolve();
        expect(choices.map(({ index }) => index)).toEqual([0]);
      }
    };
    await expect(read()).rejects.toThrow("broken");
  });

  it("end with their caller", async () => {
    script = [
      ["text", NEVER],
      ["text", NEVER],
    ];
    const left = new AbortController();
    const asking = openai.chat.completions.create(asked(kind, 2), { signal: left.signal });
    const failed = expect(asking).rejects.toThrow();
    await expect.poll(() => upstream.received.length).toBe(2);
    left.abort();
    await failed;
    await Promise.all(upstream.received.map(({ aborted }) => aborted));
  });
});

describe("choices of an upstream that gives several itself", () => {
  const head = { id: "c", object: "chat.completion.chunk", created: 1, model: "real" };
  const chunk = (index: number, delta: object, finish_reason: string | null = null): string =>
    `data: ${JSON.stringify({ ...head, choices: [{ index, delta, finish_reason }] })}\n\n`;
  const told = { prompt_tokens: 9, completion_tokens: 6, total_tokens: 15 };
  const call = { index: 0, id: "call_1", type: "function", function: { name: "f", arguments: "{}" } };
  const frames = [
    chunk(0, { role: "assistant", content: "a" }),
    chunk(1, { role: "assistant", content: "b" }),
    chunk(0, { content: "A" }),
    chunk(1, {}, "length"),
    chunk(0, {}, "stop"),
    `data: ${JSON.stringify({ ...head, choices: [], usage: told })}\n\n`,
    "data: [DONE]\n\n",
  ];
  const message = (content: string | null, more: object = {}) => ({ role: "assistant", content, ...more });
  const whole = JSON.stringify({
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "real",
    usage: told,
    choices: [
      { index: 1, message: message(null, { tool_calls: [call] }), finish_reason: "tool_calls" },
      { index: 0, message: message("aA"), finish_reason: "stop" },
    ],
  });
  beforeEach(() =>
    upstream.answerBy((_path, body) => (body.includes('"stream"') ? { steps: frames } : wholeAnswer(whole))),
  );
  afterAll(() => upstream.answerBy(answerByScript));

  it("come by one call, whole, with its one prompt", async () => {
    const answer = await openai.chat.completions.create(asked("several", 2));
    expect(answer.choices.map(({ index, finish_reason }) => [index, finish_reason])).toEqual([
      [0, "stop"],
      [1, "tool_calls"],
    ]);
    expect(answer.choices[0]?.message.content).toBe("aA");
    expect(answer.choices[1]?.message.tool_calls).toMatchObject([{ function: { name: "f", arguments: "{}" } }]);
    expect(answer.usage).toMatchObject(told);
    expect(upstream.received.map(({ body }) => JSON.parse(body).n)).toEqual([2]);
    const { row, attempts, content } = await written(answer.id);
    expect(attempts.map(({ role, isWinner }) => [role, isWinner])).toEqual([["primary", true]]);
    expect(row).toMatchObject({ inputTokens: 9, outputTokens: 6, costNanos: 9 * 3000 + 6 * 15_000 });
    expect(content?.output.furtherChoices).toHaveLength(1);
  });

  it("come side by side in a stream, as the upstream sends them", async () => {
    const body = { ...asked("several", 2), stream: true as const, stream_options: { include_usage: true } };
    const said: unknown[] = [];
    for await (const { choices, usage } of await openai.chat.completions.create(body)) {
      for (const { index, delta, finish_reason } of choices)
        if (delta.content || finish_reason !== null) said.push([index, delta.content ?? finish_reason]);
      if (usage) said.push(usage.total_tokens);
    }
    const of = (position: number) => said.filter((each) => Array.isArray(each) && each[0] === position);
    expect(of(0)).toEqual([
      [0, "a"],
      [0, "A"],
      [0, "stop"],
    ]);
    expect(of(1)).toEqual([
      [1, "b"],
      [1, "length"],
    ]);
    expect(said.at(-1)).toBe(15);
    expect(said).toHaveLength(6);
  });

  it("are a failure where fewer came than were asked for", async () => {
    const failed = openai.chat.completions.create(asked("several", 3));
    await expect(failed).rejects.toMatchObject({ status: 502 });
  });

  it("are calls of their own where an upstream that may be asked has one only", async () => {
    upstream.answerBy(answerByScript);
    const answer = await openai.chat.completions.create(asked("mixed", 2));
    expect(answer.choices).toHaveLength(2);
    expect(upstream.received).toHaveLength(2);
    for (const { body } of upstream.received) expect(JSON.parse(body)).not.toHaveProperty("n");
  });
});

describe("members that only Chat knows", () => {
  const chunk = (rest: object): string =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", ...rest })}\n\n`;
  const choice = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  });
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const frames = (n: number): string[] => [
    chunk(choice({ role: "assistant", content: `answer ${n}` })),
    chunk({ ...choice({}, "stop"), [`x_of_${n}`]: n, x_of_both: n }),
    chunk({ choices: [], usage }),
    "data: [DONE]\n\n",
  ];
  let asked = 0;
  beforeEach(() => {
    asked = 0;
    upstream.answerBy(() => ({ steps: frames(++asked) }));
  });
  afterAll(() => upstream.answerBy(answerByScript));

  it("are those of all choices, and of one where they differ", async () => {
    const body = { model: "attune/chat", n: 2, messages: [{ role: "user" as const, content: "x" }] };
    const { data, response } = await openai.chat.completions.create(body).withResponse();
    expect(data).toMatchObject({ x_of_1: 1, x_of_2: 2 });
    expect(response.headers.get("attune-translation-loss")).toBe("answer.x_of_both");
  });

  it("are all in a stream", async () => {
    const body = JSON.stringify({
      model: "attune/chat",
      n: 2,
      stream: true,
      messages: [{ role: "user", content: "x" }],
    });
    const response = await fetch(`${service.url}/v1/chat/completions`, {
      method: "POST",
      headers: service.headers,
      body,
    });
    const text = await response.text();
    expect(text).toContain('"x_of_1":1');
    expect(text).toContain('"x_of_2":2');
    expect(text).toContain(": attune-translation-loss: answer.x_of_both\n");
  });
});

describe("choices", () => {
  it.each([0, 9, 1.5, "2"])("are not %j", async (n) => {
    const asking = openai.chat.completions.create({ ...asked("chat", 1), n: n as number });
    await expect(asking).rejects.toMatchObject({ status: 400, param: "n" });
    expect(upstream.received).toHaveLength(0);
  });

  it("are not asked for together with the best of several", async () => {
    const asking = openai.chat.completions.create(asked("chat", 2), { headers: { "attune-candidates": "2" } });
    await expect(asking).rejects.toMatchObject({ status: 400, param: "n" });
  });

  it("come over gRPC, whole and streamed", async () => {
    const client = createClient(InferenceService, createGrpcTransport({ baseUrl: service.url }));
    const messages = [{ role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: "x" } } }] }];
    const input = { model: "attune/messages", messages, n: 2 };
    const options = { headers: { authorization: `Bearer ${service.key}` } };
    const whole = await client.generate({ input }, options);
    expect(whole.furtherChoices).toHaveLength(1);
    expect(whole.furtherChoices[0]?.content).toEqual(whole.content);
    expect(whole.furtherChoices[0]?.finished?.usage?.outputTokens).toBe(TOKENS.output);
    expect(whole.finished?.usage?.outputTokens).toBe(2 * TOKENS.output);
    const cases: (string | undefined)[] = [];
    for await (const { events } of client.streamGenerate({ input }, options))
      for (const { event } of events) cases.push(event.case);
    expect(cases[0]).toBe("started");
    expect(cases.slice(-2)).toEqual(["choiceEvent", "finished"]);
    await expect(client.generate({ input: { ...input, n: 9 } }, options)).rejects.toThrow("n: must be");
  });

  it("come over RPC with the events that only their own format knows", async () => {
    const client = createClient(InferenceService, createGrpcTransport({ baseUrl: service.url }));
    const news = (n: number): string => `data: {"type":"response.news","n":${n}}\n\n`;
    let calls = 0;
    upstream.answerBy(() => {
      const [created = "", ...rest] = FRAMES.responses.text;
      return { steps: [created, news(++calls), ...rest] };
    });
    const messages = [{ role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: "x" } } }] }];
    const raw: unknown[] = [];
    const request = { input: { model: "attune/responses", messages, n: 2 } };
    for await (const { events } of client.streamGenerate(request, { headers: service.headers }))
      for (const { event: each } of events) {
        const event = each.case === "choiceEvent" ? each.value.event : each;
        if (event.case === "raw") raw.push(JSON.parse(event.value.json));
      }
    upstream.answerBy(answerByScript);
    expect(raw).toHaveLength(2);
    expect(raw).toEqual(expect.arrayContaining([1, 2].map((n) => ({ type: "response.news", n }))));
  });
});
