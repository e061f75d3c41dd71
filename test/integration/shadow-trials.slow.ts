import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SeededRandom } from "../../src/learning/bandit/seeded-random.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import {
  type AnswerAsAsked,
  type ScriptedUpstream,
  startScriptedUpstream,
  wholeAnswer,
} from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** How often each model is right: base is ordinary. */
const SKILLS: Readonly<Record<string, number>> = { base: 0.6, poor: 0.4, good: 0.95 };
/** How often a grade of the judge is right. */
const JUDGE_ACCURACY = 0.8;

/**
 * How likely people are to say something of an answer, and after how many calls a better model answers at the latest:
 * three times what most orders of the calls take.
 */
const PEOPLE = [
  { name: "who seldom say anything", feedbackOn: () => 0.05, mostCalls: 9000 },
  {
    name: "who only complain, of one bad answer in ten",
    feedbackOn: (isRight: boolean) => (isRight ? 0 : 0.1),
    mostCalls: 9000,
  },
];
/** Base, and half of what the best model is better. */
const BAR = 0.775;

/** Models that are right or wrong by chance, and a judge that mistakes one for the other. */
function answerBy(random: SeededRandom): (path: string, body: string) => AnswerAsAsked {
  return (_, body) => {
    const { model, messages } = JSON.parse(body) as { model: string; messages: { content: string }[] };
    const content = messages.at(-1)?.content ?? "";
    // Were the judge asked by users, it would never be right.
    const isGrading = model === "real-judge" && content.startsWith("{");
    const { text, tokens } = isGrading ? grade(content, random) : say(model, random);
    const answer = {
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1_700_000_000,
      model,
      choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
      usage: { prompt_tokens: 100, completion_tokens: tokens, total_tokens: 100 + tokens },
    };
    return { whole: wholeAnswer(JSON.stringify(answer)), streamed: wholeAnswer("") };
  };
}

function say(model: string, random: SeededRandom) {
  const isRight = random.uniform() < (SKILLS[model.replace("real-", "")] ?? 0);
  return { text: isRight ? "It is right." : "It is wrong.", tokens: 5 };
}

function grade(material: string, random: SeededRandom) {
  const { answer } = JSON.parse(material) as { answer: string };
  const isMistaken = random.uniform() >= JUDGE_ACCURACY;
  const satisfactory = answer.includes("right") !== isMistaken;
  return { text: JSON.stringify({ satisfactory, reason: "As it says." }), tokens: 20 };
}

function yamlOf(url: string): string {
  const model = (name: string): string => `
  - name: ${name}
    family: chat
    contextWindow: 200000
    maxOutputTokens: 4096
    price: { input: 1, output: 5 }
    deployments: [ { upstream: chat, model: real-${name} } ]`;
  return `
learning:
  mode: on
  unit: request
  shadow: { share: 0.1, judge: judge, usdPerDay: 1000 }
upstreams:
  chat: { kind: openai-chat, baseUrl: "${url}/v1", apiKey: "sk-upstream-chat-secret" }
models:${[...Object.keys(SKILLS), "judge"].map(model).join("")}
`;
}

describe.each(PEOPLE)("shadow trials, with people $name", ({ feedbackOn, mostCalls }) => {
  let calls = 0;
  const random = new SeededRandom(36);
  let upstream: ScriptedUpstream;
  let service: TestService;

  beforeAll(async () => {
    upstream = await startScriptedUpstream();
    upstream.answerBy(answerBy(random));
    service = await startTestService({ yaml: yamlOf(upstream.url) });
  });
  afterAll(async () => {
    await service.close();
    await upstream.close();
  });

  const post = async (path: string, body: object) => {
    const { url, headers } = service;
    const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    expect(response.status).toBe(200);
    return (await response.json()) as { id: string; choices: { message: { content: string } }[] };
  };

  /** Asks, and gives feedback on some answers. Returns whether the answer was right. */
  async function call(): Promise<boolean> {
    const messages = [{ role: "user", content: `Question ${calls++}` }];
    const { id, choices } = await post("/v1/chat/completions", { model: "attune/base", messages });
    const isRight = choices[0]?.message.content.includes("right") === true;
    if (random.uniform() < feedbackOn(isRight)) {
      await post("/v1/feedback", [{ id, feedback: { correct: isRight } }] as object);
    }
    return isRight;
  }

  /** Returns the part of the next 500 answers that is right. */
  async function rightOfNext(): Promise<number> {
    let right = 0;
    for (let at = 0; at < 500; at += 4)
      right += (await Promise.all([call(), call(), call(), call()])).filter(Boolean).length;
    return right / 500;
  }

  it(`finds a better model within ${mostCalls} calls`, { timeout: 300_000 }, async () => {
    const parts = [await rightOfNext()];
    while ((parts.at(-1) ?? 0) < BAR && calls < mostCalls) parts.push(await rightOfNext());
    expect(parts.at(-1), parts.join(", ")).toBeGreaterThan(BAR);
  });

  it("tells what trials and checks have cost, apart from what the calls did", async () => {
    const { url, store, headers } = service;
    const sums = async () => {
      const rows = await store.query().selectFrom("ShadowTrial").selectAll().execute();
      const costNanos = rows.reduce((sum, row) => sum + (row.costNanos ?? 0), 0);
      return { trials: rows.filter(({ kind }) => kind === "trial").length, rows: rows.length, costNanos };
    };
    // What was set aside is settled once the last call is through.
    const spent = async () =>
      (await store.query().selectFrom("ShadowDay").select("spentNanos").execute()).map((day) => day.spentNanos);
    await expect
      .poll(async () => (await spent()).reduce((sum, nanos) => sum + nanos, 0) - (await sums()).costNanos)
      .toBe(0);
    const { trials, rows, costNanos } = await sums();
    const { key } = await createKey(store, { name: "reader", permissions: ["read:project"] });
    const read = async (authorization: string) =>
      (await (await fetch(`${url}/v1/usage`, { headers: { authorization } })).json()) as { total: { calls: number } };
    await service.flush();
    const report = await read(`Bearer ${key}`);
    expect(report).toMatchObject({ total: { calls } });
    expect(report).toMatchObject({ shadow_trials: { trials, checks: rows - trials, cost_usd: costNanos / 1e9 } });
    expect(await read(headers["authorization"] ?? "")).not.toHaveProperty("shadow_trials");
    expect(trials).toBeGreaterThan(0);
  });
});
