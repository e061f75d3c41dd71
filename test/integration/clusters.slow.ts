import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readWorkload } from "../../src/store/learning/workload-reads.ts";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { UPSTREAM_HEADERS } from "../support/upstream-frames.ts";
import { wholeSaying } from "../support/upstream-wholes.ts";

/** What is asked, without any instructions: only the prompts tell the two apart. */
const TASKS = {
  poem: (number: number) => `Please write a poem of four lines on the river that froze in the year ${1500 + number}.`,
  sum: (number: number) => `${number} * 17 + ${number * 3} = ?`,
} as const;
type Task = keyof typeof TASKS;

/** How often each model is right: base is middling at both, the others are good at one. */
const SKILLS: Record<string, Record<Task, number>> = {
  steady: { poem: 0.6, sum: 0.4 },
  poet: { poem: 0.95, sum: 0.05 },
  clerk: { poem: 0.05, sum: 0.95 },
};
const MODELS = Object.keys(SKILLS);
const AT_ONCE = 10;

const yamlOf = (url: string): string => `
learning: { mode: on }
upstreams:
  chat: { kind: openai-chat, baseUrl: "${url}/v1", apiKey: "sk-upstream-chat-secret" }
models:${MODELS.map(
  (name) => `
  - name: ${name}
    family: chat
    contextWindow: 200000
    maxOutputTokens: 4096
    price: { input: 3, output: 15 }
    deployments: [ { upstream: chat, model: real-${name} } ]`,
).join("")}
`;

describe("calls without instructions", () => {
  let upstream: ScriptedUpstream;
  let service: TestService;
  let projectId: string;
  let calls = 0;

  beforeEach(async () => {
    calls = 0;
    upstream = await startScriptedUpstream();
    const asked = new Map<string, number>();
    upstream.answerBy((_path, body) => {
      const { model } = JSON.parse(body) as { model: string };
      const task: Task = body.includes("poem") ? "poem" : "sum";
      const key = `${model} ${task}`;
      const count = (asked.get(key) ?? 0) + 1;
      asked.set(key, count);
      const isRight = (count * 0.618034) % 1 < (SKILLS[model.replace("real-", "")]?.[task] ?? 0);
      const whole = wholeSaying("chat", { text: isRight ? "right" : "wrong", calls: [] });
      return wholeAnswer(whole, UPSTREAM_HEADERS);
    });
    service = await startTestService({ yaml: yamlOf(upstream.url) });
    ({ id: projectId } = await service.store.query().selectFrom("Project").select("id").executeTakeFirstOrThrow());
  });

  afterEach(async () => {
    await service.close();
    await upstream.close();
  });

  async function call(): Promise<boolean> {
    const number = calls++;
    const { url, headers } = service;
    const content = TASKS[number % 2 === 0 ? "poem" : "sum"](number);
    const asked = JSON.stringify({ model: "attune/steady", messages: [{ role: "user", content }] });
    const response = await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body: asked });
    const { id, choices } = (await response.json()) as { id: string; choices: { message: { content: string } }[] };
    const isRight = choices[0]?.message.content === "right";
    const body = JSON.stringify([{ id, feedback: { correct: isRight } }]);
    const told = await fetch(`${url}/v1/feedback`, { method: "POST", headers, body });
    expect(await told.json()).toMatchObject([{ error: null }]);
    return isRight;
  }

  /** The share of answers that are right. */
  async function callMany(times: number): Promise<number> {
    let right = 0;
    for (let done = 0; done < times; done += AT_ONCE) {
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, call));
      right += answers.filter(Boolean).length;
    }
    return right / times;
  }

  const latestRouted = () =>
    service.store
      .query()
      .selectFrom("Inference")
      .select(["family", "servedModel", "decision"])
      .where("deviation", "=", "routed")
      .orderBy("id", "desc")
      .limit(50)
      .execute();

  const divisions = async () =>
    (await readWorkload(service.store, { projectId, model: "steady" }))?.learned?.familySplits ?? [];

  // Which calls try another model is left to chance. Of the thousand streams that `npm run bench:policy -- --safety`
  // plays of this, 992 have arrived after eight thousand calls and 996 after ten thousand; the few that are left are
  // given three times as many here.
  it("are told apart by their prompts, and answered by who is best at each kind", {
    timeout: 900_000,
  }, async () => {
    for (let more = 0; more < 40 && (await divisions())[0]?.outcome !== "won"; more++) await callMany(100);
    expect(await divisions()).toMatchObject([{ whole: "auto:plain", outcome: "won" }]);
    let right = 0;
    let rows = await latestRouted();
    const served = () => new Set(rows.map(({ servedModel }) => servedModel));
    // With one of the two found, so many of 200 are right by chance once in some hundred times.
    for (let more = 0; more < 150 && (right <= 0.85 || served().size < 2); more++) {
      right = await callMany(200);
      rows = await latestRouted();
    }
    // Base is right in half of the calls and so is each other model; who is best at each kind, in 95 of 100.
    expect(right).toBeGreaterThan(0.85);
    for (const { family, decision } of rows) {
      expect(family).toMatch(/^auto:plain#\d+\.\d+$/);
      expect(decision?.family).toBe(family);
    }
    expect(served()).toEqual(new Set(["poet", "clerk"]));
  });
});
