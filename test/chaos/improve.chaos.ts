import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SeededRandom } from "../../src/learning/bandit/seeded-random.ts";
import { createAdminKey } from "../../src/store/admin-keys/admin-key-repository.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import type { Store } from "../../src/store/types/store.ts";
import { ADMIN_SCOPES } from "../../src/vocabulary/administrator.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { report } from "./report.ts";
import { type Served, startServed } from "./served.ts";

const KEY = "a-bootstrap-key-of-this-test";
/** How often each model is right, and how often a grade of the judge is. */
const SKILLS: Readonly<Record<string, number>> = { base: 0.6, poor: 0.4, good: 0.95 };
const JUDGE_ACCURACY = 0.9;
const RECORDED = 500;
/** People rate one answer of so many. */
const RATED_EACH = 11;
const RATED = Math.ceil(RECORDED / RATED_EACH);
/** Pairs that a person judges. */
const LOOKED = 80;
const CALLS = 200;
const KILLS = 2;
const MAX_USD = 5;
/** Tokens of every call, and prices of a token in nano-USD. */
const [PROMPT, ANSWER] = [100, 10];
const NANOS_OF_CALL = PROMPT * 1000 + ANSWER * 5000;

const yamlOf = (url: string): string => `
bootstrapKey: ${KEY}
learning: { mode: on, unit: request, shadow: { share: 0, judge: judge } }
upstreams:
  chat: { kind: openai-chat, baseUrl: "${url}/v1", apiKey: "sk-upstream-chat-secret" }
models:${[...Object.keys(SKILLS), "judge"]
  .map(
    (name) => `
  - name: ${name}
    family: chat
    contextWindow: 200000
    maxOutputTokens: 200
    price: { input: 1, output: 5 }
    deployments: [ { upstream: chat, model: ${name} } ]`,
  )
  .join("")}
`;

/** The material has examples beside the answer. */
function grade(material: string, isMistaken: boolean): string {
  const { answer } = JSON.parse(material) as { readonly answer: string };
  return JSON.stringify({ satisfactory: answer.includes("right") !== isMistaken, reason: "As it says." });
}

describe.each(ENGINES)("an improvement of a process that is killed, on %s", (engine) => {
  const databases = useDatabases(engine);
  const random = new SeededRandom(5);
  /** Calls of each model. */
  const asked = new Map<string, number>();
  let folder: CliFolder;
  let upstream: ScriptedUpstream;
  let store: Store;
  let url: string;
  let adminKey: string;
  let served: Served;

  function answer(body: string) {
    const { model, messages } = JSON.parse(body) as { model: string; messages: { content: string }[] };
    asked.set(model, (asked.get(model) ?? 0) + 1);
    const material = messages.at(-1)?.content ?? "";
    const isMistaken = random.uniform() >= JUDGE_ACCURACY;
    const content =
      // Were the judge asked by users, it would never be right.
      model === "judge" && material.startsWith("{")
        ? grade(material, isMistaken)
        : random.uniform() < (SKILLS[model] ?? 0)
          ? "It is right."
          : "It is wrong.";
    const whole = {
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1_700_000_000,
      model,
      choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
      usage: { prompt_tokens: PROMPT, completion_tokens: ANSWER, total_tokens: PROMPT + ANSWER },
    };
    return { whole: wholeAnswer(JSON.stringify(whole)), streamed: wholeAnswer("") };
  }

  beforeAll(async () => {
    upstream = await startScriptedUpstream();
    upstream.answerBy((_, body) => answer(body));
    url = await databases.newMigratedUrl();
    store = await openStore(url);
    const settings = { name: "test", scopes: ADMIN_SCOPES, projectId: undefined, expiresAt: null };
    adminKey = (await createAdminKey(store, settings)).key;
    folder = createCliFolder();
    writeFileSync(join(folder.path, "attune.yaml"), yamlOf(upstream.url));
    served = await start();
  });
  afterAll(async () => {
    await folder.remove();
    await store.close();
    await upstream.close();
  });

  const start = (): Promise<Served> => startServed(folder, { ATTUNE_DATABASE_URL: url });

  async function send(
    path: string,
    { key = KEY, body, method = "POST" }: { key?: string; body?: object; method?: string },
  ) {
    const response = await fetch(`${served.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(response.status, await response.clone().text()).toBe(200);
    return (await response.json()) as Record<string, unknown> & {
      id: string;
      choices: { message: { content: string } }[];
    };
  }

  /** Asks base, and returns whether the answer is right. */
  async function call(number: number, isRated: boolean): Promise<boolean> {
    const messages = [{ role: "user", content: `Question ${number}` }];
    const { id, choices } = await send("/v1/chat/completions", { body: { model: "attune/base", messages } });
    const isRight = choices[0]?.message.content.includes("right") === true;
    if (isRated) await send("/v1/feedback", { body: [{ id, feedback: { correct: isRight } }] });
    return isRight;
  }

  const WORKLOAD = `/v1/admin/projects/${DEFAULT_PROJECT.id}/workloads/base`;
  const IMPROVEMENT = `${WORKLOAD}/improvement`;
  const read = () => send(IMPROVEMENT, { method: "GET", key: adminKey });

  /** The sum of what is on record, and of what was set aside and never settled. */
  async function spent() {
    const rows = await store.query().selectFrom("ShadowTrial").select("costNanos").execute();
    const days = await store.query().selectFrom("ShadowDay").select("spentNanos").execute();
    return {
      recorded: rows.reduce((sum, { costNanos }) => sum + Number(costNanos ?? 0), 0),
      setAside: days.reduce((sum, { spentNanos }) => sum + Number(spentNanos), 0),
    };
  }

  it("goes on after each kill, asks nothing twice, and has the better model answer", async () => {
    for (let number = 0; number < RECORDED; number += 10) {
      await Promise.all(Array.from({ length: 10 }, (_, at) => call(number + at, (number + at) % RATED_EACH === 0)));
    }
    asked.clear();
    const before = await send(IMPROVEMENT, { key: adminKey, body: { dry_run: true } });
    expect(before).toMatchObject({ plan: { judge: "attune/judge", models: ["attune/poor", "attune/good"] } });
    expect([...asked.keys()]).toEqual([]);
    await send(IMPROVEMENT, { key: adminKey, body: { max_usd: MAX_USD, max_calls: CALLS } });
    for (let kill = 1; kill <= KILLS; kill++) {
      const others = () => (asked.get("poor") ?? 0) + (asked.get("good") ?? 0);
      await expect.poll(others, { timeout: 120_000 }).toBeGreaterThan((kill * CALLS) / 4);
      await served.kill();
      served = await start();
    }
    await expect.poll(read, { timeout: 180_000, interval: 500 }).toMatchObject({ state: "done" });
    const { end, calls } = await read();
    const trials = await store.query().selectFrom("ShadowTrial").selectAll().where("kind", "=", "trial").execute();
    // It ends before where nothing is left to find out: the order of the judge's mistakes is another one in each run.
    expect(["calls", "settled"]).toContain(end);
    expect([trials.length, end === "calls" || trials.length < CALLS]).toEqual([end === "calls" ? CALLS : calls, true]);
    expect(new Set(trials.map(({ inferenceId }) => inferenceId)).size).toBe(trials.length);
    const byUpstream = [...asked.values()].reduce((sum, calls) => sum + calls, 0) * NANOS_OF_CALL;
    const { recorded, setAside } = await spent();
    // What was under way at a kill was paid and is on no record: it stays set aside.
    expect(recorded).toBeLessThanOrEqual(byUpstream);
    expect(setAside).toBeGreaterThanOrEqual(byUpstream);
    expect(await read()).toMatchObject({ calls: trials.length, max_usd: MAX_USD, spent_usd: recorded / 1e9 });
    // A person looks at many, those of the worse model among them: that settles whether the judge favors one.
    for (let looked = 0; looked < LOOKED; looked++) {
      const pair = await send(`${WORKLOAD}/pair`, { method: "GET", key: adminKey });
      const [first, second] = ["first_answer", "second_answer"].map((name) => String(pair[name]).includes("right"));
      const verdict = first ? (second ? "both" : "first") : second ? "second" : "neither";
      await send(`/v1/admin/projects/${DEFAULT_PROJECT.id}/pairs/${pair.id}`, { key: adminKey, body: { verdict } });
    }
    await expect
      .poll(async () => (await send(WORKLOAD, { method: "GET", key: adminKey }))["rewards"])
      .toBeGreaterThan(RATED + LOOKED / 2);
    // The last of what was said is learned later, and weighed with what comes then.
    let next = 1000;
    const goodOfNext = async () => {
      asked.clear();
      for (let at = 0; at < 50; at++) await call(next++, false);
      return asked.get("good") ?? 0;
    };
    await expect.poll(goodOfNext, { timeout: 120_000, interval: 1000 }).toBeGreaterThan(35);
    report(
      `an improvement in ${KILLS} kills, ${engine}: ${trials.length} trials, the upstream counted ${byUpstream / 1e9} USD, ${recorded / 1e9} are on record, ${setAside / 1e9} are spent or set aside; good answers ${asked.get("good")} of the next 50`,
    );
    await served.kill();
  });
});
