import { setTimeout as delay } from "node:timers/promises";
import Anthropic from "@anthropic-ai/sdk";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import {
  AttemptRole,
  CandidateReason,
  Deviation,
  InferenceService,
  SavingKind,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import { readAttempts } from "../../src/store/dashboard/reads/read-attempts.ts";
import { type Asked, askInFormat, FORMATS_AND_WAYS, idOf, withTool } from "../support/ask-in-format.ts";
import { answerChecked, forSchema, modelAt, upstreamsAt } from "../support/checked-models.ts";
import { readWhenWritten } from "../support/read-when-written.ts";
import {
  type Answer,
  type ScriptedUpstream,
  startScriptedUpstream,
  wholeAnswer,
} from "../support/scripted-upstream.ts";
import { bodyOf, PATH } from "../support/sdk-calls.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { JSON_TEXT, type Scenario, TEXT, UPSTREAM_KINDS } from "../support/upstream-frames.ts";
import { waitFor } from "../support/wait.ts";

/** What a call is answered with, and after how many milliseconds or when, if at all; 500 is an error. */
type Said = readonly [scenario: Scenario | 500, after: number | Promise<void>];

/** An answer that nobody who waits for it gets. */
const NEVER = new Promise<void>(() => {});

let upstream: ScriptedUpstream;
let service: TestService;
/** Gives no signs of life, so that a failure has its status. */
let quiet: TestService;
/** What the calls are answered with, in the order in which they come. */
let script: Said[] = [];

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  upstream.answerBy(answerByScript);
  service = await startTestService({ yaml: yaml(upstream.url), heartbeatMs: 40 });
  quiet = await startTestService({ yaml: yaml(upstream.url) });
});
beforeEach(() => {
  script = [];
  upstream.received.length = 0;
});
afterAll(async () => {
  await service.close();
  await quiet.close();
  await upstream.close();
});

function answerByScript(path: string, body: string): Answer {
  const [scenario, after] = script.shift() ?? ["text", 0];
  const wait = typeof after === "number" ? { waitMs: after } : { until: after };
  const error = { ...wholeAnswer('{"type":"error","error":{"type":"api_error","message":"broken"}}'), status: 500 };
  const answer = scenario === 500 ? error : answerChecked(path, body, () => scenario);
  return { ...answer, steps: [wait, ...answer.steps] };
}

const SCHEMA = {
  type: "object",
  properties: { city: { type: "string" }, degrees: { type: "integer" } },
  required: ["city", "degrees"],
  additionalProperties: false,
};
const several = (count: number): Record<string, string> => ({ "attune-candidates": `${count}` });
const ask = (asked: Omit<Asked, "members"> & Partial<Asked>) => askInFormat(service, { members: {}, ...asked });

/** Resolves once all of so many calls were made, and one of them has ended and was judged. */
async function untilOneEnded(calls: number): Promise<void> {
  await waitFor(async () => {
    expect(upstream.received).toHaveLength(calls);
    const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
    const inFlight = [...text.matchAll(/^attune_deployment_in_flight\{.*\} (\d+)$/gm)].map(([, count]) =>
      Number(count),
    );
    expect(inFlight.reduce((sum, count) => sum + count, 0)).toBe(calls - 1);
  });
}

async function written(body: string) {
  const { row, content } = await readWhenWritten(service.store, idOf(body));
  const attempts = (await readAttempts(service.store, [row.id])).get(row.id) ?? [];
  const byReason = new Map(attempts.map((attempt) => [attempt.candidateReason, attempt]));
  return { row, attempts, byReason, notChosen: content?.output.notChosen ?? [] };
}

describe.each(FORMATS_AND_WAYS)("$format, streamed: $stream", ({ format, stream }) => {
  const members = forSchema(format, SCHEMA);
  const asked = { format, model: `${format}-four`, stream };

  it("gives the first answer that has the form that was asked for, and breaks the others off at once", async () => {
    const judged = Promise.withResolvers<void>();
    script = [
      ["text", 20],
      ["json", judged.promise],
      ["json", NEVER],
    ];
    const asking = ask({ ...asked, members, headers: several(3) });
    await untilOneEnded(3);
    judged.resolve();
    const answer = await asking;
    expect(answer).toMatchObject({ status: 200, text: JSON_TEXT, deviation: "best-of-n", optimizations: "none" });
    expect(upstream.received).toHaveLength(3);
    await upstream.received[2]?.aborted;
    const { row, attempts, byReason, notChosen } = await written(answer.body);
    const lower = byReason.get("lower_score")?.position;
    expect(notChosen).toMatchObject([
      { attempt: lower, leftOut: false, content: [{ kind: { value: { text: TEXT } } }] },
    ]);
    expect(answer.body).not.toContain("Grüße");
    expect(row).toMatchObject({ status: "completed", deviation: "best_of_n", optimizations: [], family: "" });
    expect(attempts.map(({ role }) => role)).toEqual(["candidate", "candidate", "candidate"]);
    expect(byReason.get("first_to_pass")).toMatchObject({ isWinner: true, outcome: "completed", score: 0.5 });
    const broken = { isWinner: false, outcome: "completed", failedChecks: ["invalid_json"], score: 0.375 };
    expect(byReason.get("lower_score")).toMatchObject({ ...broken, costNanos: row.baseCostNanos });
    expect(byReason.get("not_awaited")).toMatchObject({ isWinner: false, outcome: "canceled", score: null });
    expect(row.costNanos).toBe(attempts.reduce((sum, { costNanos }) => sum + (costNanos ?? 0), 0));
    expect(row.saved).toEqual({ candidates: (row.baseCostNanos ?? 0) - (row.costNanos ?? 0) });
  });

  it("gives what most of them say, without waiting for the last", async () => {
    // Of four, three have to agree.
    script = [
      ["text", 20],
      ["text", 40],
      ["text", 60],
      ["json", NEVER],
    ];
    const answer = await ask({ ...asked, headers: several(4) });
    expect(answer).toMatchObject({ status: 200, text: TEXT, deviation: "best-of-n" });
    const { attempts } = await written(answer.body);
    expect(attempts.map(({ candidateReason }) => candidateReason).sort()).toEqual([
      ...["later", "later", "majority", "not_awaited"],
    ]);
    expect(attempts.flatMap(({ score }) => score ?? [])).toEqual([1, 1, 1]);
  });

  it("waits for all where they differ, and prefers what is whole", async () => {
    script = [
      ["length", 0],
      ["text", 100],
    ];
    const answer = await ask({ ...asked, headers: several(2) });
    expect(answer).toMatchObject({ status: 200, text: TEXT });
    const { byReason } = await written(answer.body);
    expect(byReason.get("lower_score")).toMatchObject({ failedChecks: ["cut"], outcome: "completed" });
    expect(byReason.get("highest_score")).toMatchObject({ isWinner: true, failedChecks: [], score: 0.5 });
  });

  it("gives the one that is left where another one fails", async () => {
    script = [
      [500, 0],
      ["text", 50],
    ];
    const answer = await ask({ ...asked, headers: several(2) });
    expect(answer).toMatchObject({ status: 200, text: TEXT, deviation: "best-of-n", optimizations: "none" });
    const { row, attempts, byReason } = await written(answer.body);
    expect(row).toMatchObject({ status: "completed", errorReason: null });
    expect(attempts.map(({ outcome }) => outcome).sort()).toEqual(["completed", "failed"]);
    expect(byReason.get("only_answer")).toMatchObject({ isWinner: true });
    expect(byReason.get(null)).toMatchObject({ outcome: "failed", score: null });
  });

  it("fails as a single call does where all fail", async () => {
    const failed = async (headers: Record<string, string>) => {
      script = Array.from({ length: 4 }, (): Said => [500, 0]);
      const { status, body } = await askInFormat(quiet, { ...asked, members, headers });
      return { status, body: body.replaceAll(/[0-9a-f-]{36}|req_\w+/g, "ID") };
    };
    const single = await failed({});
    expect(single.status).toBeGreaterThanOrEqual(500);
    expect(await failed(several(4))).toEqual(single);
    expect(upstream.received).toHaveLength(5);
  });

  it("refuses more than the model is configured to give, and says what to change", async () => {
    const { status, body } = await ask({ ...asked, model: `${format}-two`, headers: several(3) });
    expect(status).toBe(400);
    const text = `'attune-candidates: 3' (over RPC 'candidates') is more than is allowed: the model '${format}-two' allows at most 2 for each request; ask for fewer, or have candidates.max of the model raised in the configuration`;
    expect(JSON.parse(body).error.message).toContain(text);
    expect((await ask({ ...asked, model: `${format}-one`, headers: several(2) })).body).toContain(
      "allows one answer for each request; leave it out",
    );
    expect((await ask({ ...asked, headers: { "attune-candidates": "5" } })).body).toContain("from 1 to 4");
    expect(upstream.received).toEqual([]);
  });

  it("is a plain call for one", async () => {
    const answer = await ask({ ...asked, model: `${format}-one`, headers: several(1) });
    expect(answer).toMatchObject({ status: 200, text: TEXT, deviation: "none" });
    expect((await written(answer.body)).attempts).toMatchObject([
      { role: "primary", failedChecks: null, score: null, candidateReason: null },
    ]);
  });

  it("breaks off all of them when the caller leaves", async () => {
    script = [
      ["text", 0],
      ["text", NEVER],
      ["text", NEVER],
    ];
    const leaving = new AbortController();
    const asking = fetch(`${service.url}${PATH[format]}`, {
      method: "POST",
      headers: { ...service.headers, ...several(3) },
      body: JSON.stringify({ ...bodyOf(format, `attune/${format}-four`), stream }),
      signal: leaving.signal,
    })
      .then((response) => response.text())
      .catch(() => "left");
    await expect.poll(() => upstream.received.length).toBe(3);
    await delay(100);
    leaving.abort();
    expect(await asking).toBe("left");
    await Promise.all(upstream.received.slice(1).map(({ aborted }) => aborted));
  });

  it("compares calls of tools", async () => {
    const tools = withTool(format, { type: "object", properties: { city: { type: "string" } } }, false);
    script = [
      ["calls", 0],
      ["calls", 20],
      ["text", NEVER],
    ];
    const answer = await ask({ ...asked, members: tools, headers: several(3) });
    expect(answer).toMatchObject({ status: 200, deviation: "best-of-n" });
    expect(answer.body).toContain("get_weather");
    expect((await written(answer.body)).byReason.get("majority")).toMatchObject({ isWinner: true, failedChecks: [] });
  });
});

/** What each format says first of an answer, and how it says that it is still there. */
const BEGINNING = { chat: /^data: {"id"/, responses: /^event: response\.created/, messages: /^event: message_start/ };
const ALIVE = {
  chat: /^: keep-alive$/,
  responses: /^: keep-alive$/,
  messages: /^event: ping$|^data: {"type": ?"ping"}$/,
};
const SIGN = { chat: ": keep-alive\n", responses: ": keep-alive\n", messages: "event: ping\n" };

describe("a stream", () => {
  it.each(UPSTREAM_KINDS)("has nothing but signs of life up to the choice, in the way of %s", async (format) => {
    const heard = Promise.withResolvers<void>();
    script = [
      ["text", 20],
      ["text", heard.promise],
    ];
    const onBody = (soFar: string) => {
      if (soFar.split(SIGN[format]).length > 2) heard.resolve();
    };
    const asked = { format, model: `${format}-four`, stream: true, onBody };
    const { body, deviation } = await ask({ ...asked, headers: several(2) });
    const lines = body.split("\n").filter((line) => line !== "" && !/^: attune-[a-z-]+: /.test(line));
    const before = lines.slice(
      0,
      lines.findIndex((line) => BEGINNING[format].test(line)),
    );
    expect(before.length).toBeGreaterThanOrEqual(2);
    expect(before.filter((line) => !ALIVE[format].test(line))).toEqual([]);
    expect(deviation).toBe("best-of-n");
    // Not before both have ended, of which the second waited for two signs.
    const { row, attempts } = await written(body);
    const ended = attempts.map(({ startedAfterMs, latencyMs }) => startedAfterMs + latencyMs);
    expect(ended).toHaveLength(2);
    expect(row.timeToFirstTokenMs).toBeGreaterThanOrEqual(Math.max(...ended));
  });
});

describe("candidates", () => {
  it("are asked for at different deployments where there are several, and at the first only without optimisations", async () => {
    const places = async (headers: Record<string, string>) => {
      upstream.received.length = 0;
      await ask({ format: "chat", model: "spread", headers });
      return upstream.received.map(({ path }) => path.split("/")[1]).sort();
    };
    expect(await places(several(2))).toEqual(["chat", "chat2"]);
    expect(await places({ ...several(2), "attune-optimize": "off" })).toEqual(["chat", "chat"]);
  });

  it("are made for each of those who ask, however alike", async () => {
    const members = { temperature: 0, seed: 7 };
    const coalescing = [1, 2].map(() => ask({ format: "chat", model: "chat-four", members, headers: several(2) }));
    for (const { optimizations } of await Promise.all(coalescing)) expect(optimizations).toBe("none");
    expect(upstream.received).toHaveLength(4);
  });

  it("are told of over RPC, each with its score and why it was chosen or not", async () => {
    const judged = Promise.withResolvers<void>();
    script = [
      ["text", 0],
      ["json", judged.promise],
    ];
    const client = createClient(InferenceService, createGrpcTransport({ baseUrl: service.url }));
    const messages = [{ role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: "x" } } }] }];
    const outputFormat = {
      kind: { case: "jsonSchema" as const, value: { name: "s", schemaJson: JSON.stringify(SCHEMA) } },
    };
    const input = { model: "attune/chat-four", messages, outputFormat, candidates: 2 };
    const options = { headers: { authorization: `Bearer ${service.key}` } };
    const asking = client.generate({ input }, options);
    await untilOneEnded(2);
    judged.resolve();
    const { id, serving, finished, notChosen } = await asking;
    expect((await readWhenWritten(service.store, id)).content?.output.notChosen).toHaveLength(1);
    const { inference } = await client.getInference({ id }, options);
    // What was not chosen comes with the inference once it is read, and not with the answer.
    expect(notChosen).toEqual([]);
    const other = inference?.output?.notChosen ?? [];
    expect(other.map(({ content, leftOut }) => [content.map(({ kind }) => kind.case), leftOut])).toEqual([
      [["text"], false],
    ]);
    expect(serving?.attempts[other[0]?.attempt ?? -1]?.score).toBe(0.375);
    expect(inference?.input?.candidates).toBe(2);
    expect(serving?.deviation).toBe(Deviation.BEST_OF_N);
    expect(serving?.attempts.map(({ role, score }) => [role, score]).sort()).toEqual([
      [AttemptRole.CANDIDATE, 0.375],
      [AttemptRole.CANDIDATE, 0.5],
    ]);
    expect(serving?.attempts.map(({ candidateReason }) => candidateReason).sort()).toEqual([
      ...[CandidateReason.HIGHEST_SCORE, CandidateReason.LOWER_SCORE],
    ]);
    expect(finished?.savings).toMatchObject([{ kind: SavingKind.CANDIDATES }]);
    const streamed: (string | undefined)[] = [];
    for await (const { events } of client.streamGenerate(
      { input: { ...input, candidates: 0 } },
      {
        headers: { ...options.headers, ...several(2) },
      },
    )) {
      for (const { event } of events) {
        streamed.push(event.case);
        if (event.case === "started") expect(event.value.serving?.deviation).toBe(Deviation.BEST_OF_N);
      }
    }
    expect([streamed.at(0), streamed.at(-1)]).toEqual(["started", "finished"]);
  });

  it("are asked for by the official SDKs with a header", async () => {
    const openai = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: service.key, maxRetries: 0 });
    const anthropic = new Anthropic({ baseURL: service.url, apiKey: service.key, maxRetries: 0 });
    const headers = several(2);
    const messages = [{ role: "user" as const, content: "x" }];
    const chat = await openai.chat.completions
      .create({ model: "attune/chat-four", messages }, { headers })
      .withResponse();
    expect([chat.data.choices[0]?.message.content, chat.response.headers.get("attune-deviation")]).toEqual([
      ...[TEXT, "best-of-n"],
    ]);
    expect(chat.response.headers.get("attune-served-by")).toBe("chat; model=chat-four");
    const response = await openai.responses.create({ model: "attune/responses-four", input: "x" }, { headers });
    expect(response.output_text).toBe(TEXT);
    const stream = anthropic.messages.stream({ model: "attune/messages-four", max_tokens: 100, messages }, { headers });
    expect(await stream.finalText()).toBe(TEXT);
    expect(upstream.received).toHaveLength(6);
  });

  it("take feedback on the inference", async () => {
    const { body } = await ask({ format: "chat", model: "chat-four", headers: several(2) });
    const told = await fetch(`${service.url}/v1/feedback`, {
      method: "POST",
      headers: service.headers,
      body: JSON.stringify([{ id: idOf(body), feedback: { good: true } }]),
    });
    expect(await told.json()).toMatchObject([{ error: null }]);
  });

  it("are made in the background too", async () => {
    script = [
      ["length", 0],
      ["text", 30],
    ];
    const { headers } = service;
    const begun = await fetch(`${service.url}/v1/responses`, {
      method: "POST",
      headers: { ...headers, ...several(2) },
      body: JSON.stringify({ model: "attune/responses-four", input: "x", background: true }),
    });
    const { id } = (await begun.json()) as { id: string };
    const read = async () => (await fetch(`${service.url}/v1/responses/${id}`, { headers })).json();
    await expect.poll(read).toMatchObject({ status: "completed" });
    expect(JSON.stringify(await read())).toContain("Grüße");
    expect((await written(id.replace(/^resp_/, ""))).row).toMatchObject({
      deviation: "best_of_n",
      status: "completed",
    });
  });

  it("are not for compactions", async () => {
    const answer = await fetch(`${service.url}/v1/responses/compact`, {
      method: "POST",
      headers: { ...service.headers, ...several(2) },
      body: JSON.stringify({ model: "attune/responses-four", input: "x" }),
    });
    expect([answer.status, await answer.text()]).toMatchObject([400, expect.stringContaining("not for compactions")]);
  });
});

function yaml(url: string): string {
  const models = UPSTREAM_KINDS.flatMap((kind) =>
    Object.entries({ one: 1, two: 2, four: 4 }).map(([name, candidates]) =>
      modelAt([kind], { name: `${kind}-${name}`, candidates }),
    ),
  );
  return `
upstreams: ${upstreamsAt(url)}
  chat2: { kind: openai-chat, baseUrl: "${url}/chat2/v1" }
models: ${models.join("")}${modelAt(["chat", "chat2"], { name: "spread", candidates: 4 })}
`;
}
