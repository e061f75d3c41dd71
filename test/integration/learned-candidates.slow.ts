import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { FeedbackService } from "../../gen/attune/feedback/v1/feedback_pb.ts";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { LatencyKind, WorkloadService } from "../../gen/attune/workload/v1/workload_pb.ts";
import { readAttempts } from "../../src/store/dashboard/reads/read-attempts.ts";
import { askInFormat, idOf } from "../support/ask-in-format.ts";
import { readWhenWritten } from "../support/read-when-written.ts";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";

const SHORT = 300;
const LONG = 600;

let upstream: ScriptedUpstream;
let services: Record<"on" | "observe", TestService>;
/** Calls that the upstream has answered. */
let calls = 0;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  upstream.answerBy((_, body) => answerOf(calls++, body.includes('"logprobs":true')));
  const start = (mode: "on" | "observe") => startTestService({ yaml: yaml(upstream.url, mode) });
  services = { on: await start("on"), observe: await start("observe") };
});
beforeEach(() => {
  calls = 0;
});
afterAll(async () => {
  for (const service of Object.values(services)) await service.close();
  await upstream.close();
});

/** Says whether a short answer is good of nine in ten. */
const isGood = (isShort: boolean, at: number): boolean => isShort === (at % 10 !== 4);

/** Of two calls one is answered shortly and one at length, either one first; no two answers have a word in common. */
function answerOf(call: number, hasNews: boolean) {
  const isShort = (Math.floor(call / 2) % 2 === 0) === (call % 2 === 0);
  const text = `w${call} `.repeat(1000).slice(0, (isShort ? SHORT : LONG) + (call % 7));
  const message = { role: "assistant", content: text, refusal: null };
  // The second of each two is the surer one.
  const tokens = [{ token: "w", logprob: call % 2 === 0 ? -0.7 : -0.1, bytes: null, top_logprobs: [] }];
  const body = {
    id: "chatcmpl-up",
    object: "chat.completion",
    created: 1,
    model: "real-model",
    choices: [
      { index: 0, message, logprobs: hasNews ? { content: tokens, refusal: null } : null, finish_reason: "stop" },
    ],
    usage: { prompt_tokens: 120, completion_tokens: 15, total_tokens: 135 },
  };
  const whole = wholeAnswer(JSON.stringify(body));
  // Who comes first is not chance, but as it is scripted.
  return { ...whole, steps: [{ waitMs: call % 2 === 0 ? 0 : 40 }, ...whole.steps] };
}

/** Of the next two answers one is short. */
function alignCalls(): void {
  calls += calls % 2;
}

/** Asks for two answers; returns the id of the inference and whether the short one came back. */
async function ask(service: TestService, model: string) {
  alignCalls();
  const headers = { "attune-candidates": "2" };
  const { body, text, deviation } = await askInFormat(service, { format: "chat", model, members: {}, headers });
  expect(deviation).toBe("best-of-n");
  return { id: idOf(body), isShort: text.length < (SHORT + LONG) / 2 };
}

async function tell(service: TestService, id: string, isGood: boolean): Promise<void> {
  await sendAll(service, [id], isGood);
}

async function sendAll({ url, headers }: TestService, ids: readonly string[], isGood = true): Promise<unknown> {
  const body = JSON.stringify(ids.map((id) => ({ id, feedback: { good: isGood } })));
  const response = await fetch(`${url}/v1/feedback`, { method: "POST", headers, body });
  expect(response.status).toBe(200);
  return await response.json();
}

/** Nine of ten short answers are good, and one of ten long ones; returns what was learned once that is all learned. */
async function teach(service: TestService, model: string, count: number) {
  const before = (await learnedOf(service, model))?.rewards ?? 0n;
  for (let at = 0; at < count; at++) {
    const { id, isShort } = await ask(service, model);
    await tell(service, id, isGood(isShort, at));
  }
  const rewards = async () => (await learnedOf(service, model))?.rewards;
  await expect.poll(rewards).toBeGreaterThanOrEqual(before + BigInt(count));
  return await learnedOf(service, model);
}

/** Teaches with so many answers, and then until the selector is proven; chance says how long that takes. */
async function prove(service: TestService, model: string, count: number) {
  let selector = await teach(service, model, count);
  for (let more = 0; more < 30 && selector?.isProven !== true; more++) selector = await teach(service, model, 10);
  expect(selector?.isProven).toBe(true);
  return selector;
}

async function learnedOf(service: TestService, model: string) {
  return (await workloadOf(service, model))?.selector;
}

async function workloadOf(service: TestService, model: string) {
  const client = createClient(WorkloadService, createGrpcTransport({ baseUrl: service.url }));
  const options = { headers: { authorization: `Bearer ${service.key}` } };
  return (await client.getWorkload({ model: `attune/${model}` }, options)).workload;
}

/** Asks so often, and returns how often the short answer came back. */
async function shortOf(service: TestService, model: string, count: number): Promise<number> {
  let short = 0;
  for (let at = 0; at < count; at++) short += Number((await ask(service, model)).isShort);
  return short;
}

async function attemptsOf(service: TestService, id: string) {
  await readWhenWritten(service.store, id);
  return (await readAttempts(service.store, [id])).get(id) ?? [];
}

describe("the choice among candidates", () => {
  it("follows what feedback prefers, once that is proven where learning is on", async () => {
    const { on } = services;
    await ask(on, "taught");
    const selector = await prove(on, "taught", 60);
    // It is proven from 0.75 on, and then down to 0.72.
    expect(selector?.accuracy?.low).toBeGreaterThanOrEqual(0.72);
    // Equals were left to chance until it was proven.
    expect(selector?.measured).toBeGreaterThan(15);
    const byLength = selector?.weights.find(({ signal }) => signal === "length");
    expect(byLength?.weight).toBeLessThan(-1);

    const reasons = async () =>
      (await attemptsOf(on, (await ask(on, "taught")).id)).map(({ candidateReason }) => candidateReason).sort();
    await expect.poll(reasons).toEqual(["learned", "lower_rank"]);
    // One of forty long ones is to be expected. Sixteen of sixty come by chance once in 10^11 times.
    expect(await shortOf(on, "taught", 60)).toBeGreaterThanOrEqual(45);
  });

  it("has its signals, chances and expected rewards on record", async () => {
    const { on } = services;
    await expect.poll(async () => (await learnedOf(on, "taught"))?.isProven).toBe(true);
    const attempts = await attemptsOf(on, (await ask(on, "taught")).id);
    const [winner, loser] = [true, false].map((isWinner) => attempts.find((each) => each.isWinner === isWinner));
    expect((winner?.ranking?.chance ?? 0) + (loser?.ranking?.chance ?? 0)).toBeCloseTo(1, 10);
    const [short, long] = attempts
      .flatMap(({ ranking }) => ranking ?? [])
      .sort((a, b) => a.signals.characters - b.signals.characters);
    expect(short?.signals.length).toBeLessThan(-0.6);
    expect(long?.signals.length).toBeGreaterThan(0.6);
    expect(short?.expectedReward).toBeGreaterThan(long?.expectedReward ?? 1);
  });

  it("stays as it is where what is learned is only observed, which says what it expects", async () => {
    const { observe } = services;
    await ask(observe, "taught");
    const selector = await teach(observe, "taught", 30);
    expect(selector).toMatchObject({ isProven: false, measured: 0 });
    expect(selector?.accuracy).toBeUndefined();
    expect(selector?.weights.find(({ signal }) => signal === "length")?.weight).toBeLessThan(-0.5);
    calls = 0;
    // Who comes first is short in every other request.
    expect(await shortOf(observe, "taught", 10)).toBe(5);
    const attempts = await attemptsOf(observe, (await ask(observe, "taught")).id);
    expect(attempts.map(({ candidateReason, ranking }) => [candidateReason, ranking?.chance]).sort()).toEqual([
      ["first_of_equals", 1],
      ["later", 0],
    ]);
    expect(attempts.every(({ ranking }) => ranking?.expectedReward !== undefined)).toBe(true);
  });

  it("learns of what is said of an answer that was not given, by the id of its own", async () => {
    const { on } = services;
    await ask(on, "looked-at");
    const transport = createGrpcTransport({ baseUrl: on.url });
    const options = { headers: { authorization: `Bearer ${on.key}` } };
    const input = {
      model: "attune/looked-at",
      messages: [{ role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: "Hi" } } }] }],
    };
    const inferences = createClient(InferenceService, transport);
    const { id, serving } = await inferences.generate({ input: { ...input, candidates: 2 } }, options);
    const ids = (serving?.attempts ?? []).map(({ answerId }) => answerId);
    const other = ids.find((each) => each !== id) ?? "";
    expect(ids).toContain(id);
    expect(ids).toContain(`${id}.${ids.indexOf(other)}`);
    // At once: its record is on its way.
    expect(await sendAll(on, [other, `${id}.${1 - ids.indexOf(other)}`, `${id}.2`, id])).toEqual([
      { feedback_ids: { good: expect.any(String) }, error: null },
      // The answer that was given goes by the id of the inference.
      ...[1 - ids.indexOf(other), 2].map((position) => ({
        feedback_ids: null,
        error: { status_code: 400, message: `id: the inference '${id}.${position}' does not exist` },
      })),
      { feedback_ids: { good: expect.any(String) }, error: null },
    ]);
    const feedback = createClient(FeedbackService, transport);
    await feedback.createMetric({ inferenceId: other, name: "stars", value: { case: "number", value: 4 } }, options);
    await expect.poll(async () => (await learnedOf(on, "looked-at"))?.rewards).toBe(3n);
    // Figures of the model are those of answers that it gave.
    const counted = on.store.query().selectFrom("FeedbackDay").select(["name", "entries"]);
    expect(await counted.where("model", "=", "looked-at").execute()).toEqual([{ name: "good", entries: 1 }]);
    const kept = on.store.query().selectFrom("FeedbackEntry").select(["attempt", "name"]);
    expect(await kept.where("inferenceId", "=", id).orderBy("id").execute()).toEqual([
      { attempt: ids.indexOf(other), name: "good" },
      { attempt: null, name: "good" },
      { attempt: ids.indexOf(other), name: "stars" },
    ]);
  });

  it("compares how probable the answers were where the caller has asked for that, and asks for it no more than the caller", async () => {
    const { on } = services;
    const confidenceOf = async (members: Record<string, unknown>) => {
      upstream.received.length = 0;
      const headers = { "attune-candidates": "2" };
      const { body } = await askInFormat(on, { format: "chat", model: "taught", members, headers });
      const attempts = await attemptsOf(on, idOf(body));
      return attempts.map(({ ranking }) => ranking?.signals.confidence ?? Number.NaN).sort((a, b) => a - b);
    };
    const told = await confidenceOf({ logprobs: true });
    expect(told).toEqual([expect.closeTo(-0.3, 10), expect.closeTo(0.3, 10)]);
    expect(await confidenceOf({})).toEqual([0, 0]);
    expect(upstream.received.map(({ body }) => body.includes("logprobs"))).toEqual([false, false]);
  });

  it("leaves equals to who came first, and records nothing, with attune-optimize: off", async () => {
    const { on } = services;
    const headers = { "attune-candidates": "2", "attune-optimize": "off" };
    const { body, text } = await askInFormat(on, { format: "chat", model: "taught", members: {}, headers });
    expect(text.startsWith("w0 ")).toBe(true);
    const attempts = await attemptsOf(on, idOf(body));
    expect(attempts.map(({ candidateReason, ranking }) => [candidateReason, ranking]).sort()).toEqual([
      ["first_of_equals", null],
      ["later", null],
    ]);
  });
});

/** Asks without a word of how many answers, and tells what the one that came was worth. */
async function serve(service: TestService, model: string, { at, stream = false }: { at: number; stream?: boolean }) {
  alignCalls();
  const answer = await askInFormat(service, { format: "chat", model, members: {}, stream });
  const isShort = answer.text.length < (SHORT + LONG) / 2;
  const id = idOf(answer.body);
  await tell(service, id, isGood(isShort, at));
  return { id, isShort, isSeveral: answer.deviation === "best-of-n" };
}

async function serveMany(service: TestService, model: string, count: number) {
  const served: Awaited<ReturnType<typeof serve>>[] = [];
  for (let at = 0; at < count; at++) served.push(await serve(service, model, { at }));
  return served;
}

/**
 * Serves with a selector that is proven. It is by so little that a bad answer can undo it, and then nothing but `teach`
 * measures it: there are no trials.
 */
async function serveProven(service: TestService, model: string, count: number) {
  if ((await learnedOf(service, model))?.isProven !== true) await prove(service, model, 10);
  return await serveMany(service, model, count);
}

/** Has so many requests answered at the same time, and all of them praised. */
async function serveAtOnce(service: TestService, model: string, count: number): Promise<void> {
  const all = await Promise.all(
    Array.from({ length: count }, () => askInFormat(service, { format: "chat", model, members: {} })),
  );
  const ids = all.map(({ body }) => idOf(body));
  await sendAll(service, ids, true);
}

describe("several answers that nobody asked for", () => {
  it("are given where the selector is proven and they earn more, and learned from by policy and selector", async () => {
    const { on } = services;
    await ask(on, "paying");
    const selector = await prove(on, "paying", 60);
    // The policy has yet to learn what a single answer of base is worth.
    let latest = await serveMany(on, "paying", 40);
    const isUsed = () => latest.filter(({ isSeveral }) => isSeveral).length > latest.length / 2;
    // That takes it some two hundred answers, and chance says how many.
    for (let round = 0; round < 60 && !isUsed(); round++) latest = await serveProven(on, "paying", 20);
    expect(isUsed()).toBe(true);

    const all = await serveMany(on, "paying", 40);
    const severalOf = () => all.filter(({ isSeveral }) => isSeveral);
    // How many of them are several is left to what the policy is unsure of; an account may close for a while.
    for (let round = 0; round < 30 && severalOf().length < 60; round++)
      all.push(...(await serveProven(on, "paying", 20)));
    const of = severalOf();
    expect(of.length).toBeGreaterThanOrEqual(60);
    // Single answers are short half of the time: chance would have more than three quarters of sixty short once in
    // 40,000 times.
    expect(of.filter(({ isShort }) => isShort).length).toBeGreaterThan(0.75 * of.length);
    const id = of.at(-1)?.id ?? "";
    expect((await attemptsOf(on, id)).map(({ role }) => role)).toEqual(["candidate", "candidate"]);
    const known = await workloadOf(on, "paying");
    // Mostly it is those of two models, of which there is more to choose. Where these had bad luck at first it is those
    // of one.
    const several = (known?.arms ?? []).filter(({ model }) => model.startsWith("best,"));
    const [most] = several.toSorted((a, b) => b.rewards - a.rewards);
    expect(several.map(({ model }) => model).sort()).toEqual(["best,best", "best,second"]);
    expect(most?.rewards).toBeGreaterThan(20);
    expect(known?.selector?.rewards).toBeGreaterThan(selector?.rewards ?? 0n);
    // How long callers wait for both is measured beside base.
    const whole = known?.latencies.filter(({ kind }) => kind === LatencyKind.UNARY) ?? [];
    expect([whole[0]?.model, whole[0]?.slowdown]).toEqual(["attune/paying", undefined]);
    const wait = whole.find(({ model }) => model === most?.model);
    expect(wait?.answers).toBeGreaterThan(10);
    // The second answer of each pair takes 40 ms more than a single one, which may be long in coming itself where the
    // machine is busy.
    expect(Number(wait?.mean?.nanos)).toBeGreaterThanOrEqual(40e6);
    expect(wait?.slowdown?.value).toBeGreaterThan(1);
  }, 300_000);

  it("are not given where it is not proven, where answers are streamed, and where it is only observed", async () => {
    const { on, observe } = services;
    const taken = [
      ...(await serveMany(on, "unproven", 30)),
      ...(await serveMany(observe, "paying", 10)),
      await serve(on, "paying", { at: 0, stream: true }),
    ];
    expect(taken.filter(({ isSeveral }) => isSeveral)).toEqual([]);
  });
});

describe("trials", () => {
  it("begin where there is feedback, are left to chance, teach the selector and nothing else, and end once it is proven", async () => {
    const { on } = services;
    // Rewards that are all alike leave little doubt, so that the accounts have room soon.
    await serveAtOnce(on, "trying", 60);
    const policyRewards = async () =>
      (await workloadOf(on, "trying"))?.arms.reduce((sum, { rewards }) => sum + rewards, 0);
    await expect.poll(policyRewards).toBeGreaterThan(20);
    const served = await serveMany(on, "trying", 10);
    const isProven = async () => (await learnedOf(on, "trying"))?.isProven === true;
    // Chance says how many it takes: sixty, mostly.
    let wasProven = false;
    for (let round = 0; round < 40 && !wasProven; round++) {
      served.push(...(await serveMany(on, "trying", 10)));
      wasProven = await isProven();
    }
    expect(wasProven).toBe(true);
    const trials = served.filter(({ isSeveral }) => isSeveral);
    expect(trials.length).toBeGreaterThan(20);
    const attempts = await attemptsOf(on, trials[0]?.id ?? "");
    expect(attempts.map(({ candidateReason, ranking }) => [candidateReason, ranking?.chance]).sort()).toEqual([
      ["not_drawn", 0.5],
      ["random", 0.5],
    ]);
    await expect.poll(async () => (await learnedOf(on, "trying"))?.rewards).toBe(BigInt(trials.length));
    await expect.poll(async () => (await serve(on, "trying", { at: 0 })).isSeveral).toBe(false);
  }, 300_000);
});

function yaml(url: string, mode: string): string {
  const model = (name: string, learned: string) => `
  - name: ${name}
    family: chat
    contextWindow: 200000
    maxOutputTokens: 4096
    candidates: { max: 2, ${learned} }
    deployments: [ { upstream: chat, model: real } ]`;
  return `
learning: { mode: ${mode}, priors: { paying: 0, unproven: 0 } }
upstreams:
  chat: { kind: openai-chat, baseUrl: "${url}/chat/v1" }
models:${["taught", "looked-at"].map((name) => model(name, "learned: off")).join("")}${["paying", "unproven"].map((name) => model(name, "learned: unary, selectorTrials: 0")).join("")}${model("trying", "learned: unary, selectorTrials: 1")}
`;
}
