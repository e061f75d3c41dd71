import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SeededRandom } from "../../src/learning/bandit/random.ts";
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
const FEEDBACK_SHARE = 0.05;

/** Models that are right or wrong by chance, and a judge that mistakes one for the other. */
function answerBy(random: SeededRandom): (path: string, body: string) => AnswerAsAsked {
  return (_, body) => {
    const { model, messages } = JSON.parse(body) as { model: string; messages: { content: string }[] };
    const { text, tokens } =
      model === "real-judge" ? grade(messages.at(-1)?.content ?? "", random) : say(model, random);
    const answer = {
      ...{ id: "chatcmpl-1", object: "chat.completion", created: 1_700_000_000, model },
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

describe("shadow trials", () => {
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
  async function call(number: number): Promise<boolean> {
    const messages = [{ role: "user", content: `Question ${number}` }];
    const { id, choices } = await post("/v1/chat/completions", { model: "attune/base", messages });
    const isRight = choices[0]?.message.content.includes("right") === true;
    if (random.uniform() < FEEDBACK_SHARE)
      await post("/v1/feedback", [{ id, feedback: { correct: isRight } }] as object);
    return isRight;
  }

  it("finds a better model with feedback on a twentieth of the calls", { timeout: 300_000 }, async () => {
    for (let number = 0; number < 1500; number += 2) await Promise.all([call(number), call(number + 1)]);
    let right = 0;
    for (let number = 1500; number < 2000; number++) if (await call(number)) right++;
    // Base, and half of what the best model is better.
    expect(right / 500).toBeGreaterThan(0.775);
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
    expect(report).toMatchObject({ total: { calls: 2000 } });
    expect(report).toMatchObject({ shadow_trials: { trials, checks: rows - trials, cost_usd: costNanos / 1e9 } });
    expect(await read(headers["authorization"] ?? "")).not.toHaveProperty("shadow_trials");
    expect(trials).toBeGreaterThan(20);
  });
});
