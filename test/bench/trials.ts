/**
 * `npm run bench:trials`: what shadow trials and sparse feedback come to in a service that runs, over HTTP, with
 * scripted models, a scripted judge and scripted people (docs/notes/policy.md has figures). The world `backfill` is an
 * improvement by recorded requests, of a service that is killed twice. With --callers: what callers notice of trials.
 */

import { SeededRandom } from "../../src/learning/bandit/seeded-random.ts";
import { restoreSnapshot } from "../../src/learning/bandit/snapshot.ts";
import { judgeFigures } from "../../src/learning/learner/judge-figures.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { readWorkload } from "../../src/store/learning/workload-reads.ts";
import { describeJudge } from "../../src/vocabulary/judge-figures.ts";
import { readOptions } from "../support/read-options.ts";
import { startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { playBackfill } from "./trials/backfill.ts";
import { measureCallers } from "./trials/measure-callers.ts";
import { answerIn, instructionsOf, type ScriptedRequest, skillIn, WORLDS, type World } from "./trials/world.ts";

const USAGE = `usage: npm run bench:trials -- [--worlds ${WORLDS.map(({ name }) => name).join(",")}] [--calls N] [--seeds N] [--first-seed N]
       npm run bench:trials -- --worlds backfill [--calls N] [--usd N] [--seeds N] [--first-seed N]
       npm run bench:trials -- --callers [--rounds N]`;
const options = readOptions(USAGE, {
  worlds: { type: "string", default: WORLDS.map(({ name }) => name).join(",") },
  calls: { type: "string" },
  seeds: { type: "string", default: "1" },
  "first-seed": { type: "string", default: "1" },
  usd: { type: "string", default: "2" },
  callers: { type: "boolean", default: false },
  rounds: { type: "string", default: "4" },
});
/** Calls under way at a time, and calls of a row. */
const TOGETHER = 4;
const STRETCH = 500;

if (options.callers) {
  await measureCallers(Number(options.rounds));
} else {
  for (const name of options.worlds.split(",")) {
    const isBackfill = name === "backfill";
    const world = WORLDS.find((found) => found.name === (isBackfill ? "sparse" : name));
    if (world === undefined) throw new Error(`there is no world '${name}'`);
    const first = Number(options["first-seed"]);
    for (let seed = first; seed < first + Number(options.seeds); seed++) {
      if (!isBackfill) await play(world, seed);
      else await playBackfill({ world, seed, recorded: Number(options.calls ?? 2000), usd: Number(options.usd) });
    }
  }
}

/** Plays the life of a workload, and prints the true mean score of each stretch of calls. */
async function play(world: World, seed: number): Promise<void> {
  const random = new SeededRandom(seed);
  const upstream = await startScriptedUpstream();
  upstream.answerBy((_, body) => {
    const request = JSON.parse(body) as ScriptedRequest;
    upstream.received.length = 0;
    return { whole: wholeAnswer(chatOf(request.model, answerIn(world, random, request))), streamed: wholeAnswer("") };
  });
  const service = await startTestService({ yaml: yamlOf(world, upstream.url) });
  const calls = Number(options.calls ?? world.calls);
  const scores: number[] = [];
  try {
    for (let from = 0; from < calls; from += STRETCH) {
      let sum = 0;
      for (let at = 0; at < STRETCH; at += TOGETHER) {
        const answers = Array.from({ length: TOGETHER }, () => ask(service, world, random));
        sum += (await Promise.all(answers)).reduce((all, score) => all + score, 0);
      }
      scores.push(sum / STRETCH);
      console.error(`${world.name} ${seed}: ${from + STRETCH} of ${calls} calls, ${(sum / STRETCH).toFixed(3)}`);
    }
    await report(world, seed, { scores, service });
  } finally {
    await service.close();
    await upstream.close();
  }
}

/** Asks once, says at times what people would, and returns the skill of the model that answered. */
async function ask(service: TestService, world: World, random: SeededRandom): Promise<number> {
  const family = Math.floor(random.uniform() * world.families);
  const messages = [
    { role: "system", content: instructionsOf(family) },
    { role: "user", content: `Question ${Math.floor(1e9 * random.uniform())}` },
  ];
  const { id, choices } = await post(service, "/v1/chat/completions", { model: "attune/base", messages });
  const text = choices[0]?.message.content ?? "";
  const isRight = text.includes("right");
  if (random.uniform() < world.feedbackOn(isRight)) {
    await post(service, "/v1/feedback", [{ id, feedback: { correct: isRight } }]);
  }
  return world.skills[/^\w+/.exec(text)?.[0] ?? ""]?.(family) ?? 0;
}

interface Chat {
  readonly id: string;
  readonly choices: readonly { readonly message: { readonly content: string } }[];
}

async function post({ url, headers }: TestService, path: string, body: object): Promise<Chat> {
  const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (response.status !== 200) throw new Error(`${path} is answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Chat;
}

async function report(
  world: World,
  seed: number,
  { scores, service }: { readonly scores: readonly number[]; readonly service: TestService },
): Promise<void> {
  const [base, best] = [skillIn(world, "base"), skillIn(world)];
  const lost = scores.reduce((sum, score) => sum + STRETCH * (base - score), 0);
  const rows = await service.store.query().selectFrom("ShadowTrial").select(["kind", "costNanos"]).execute();
  const cost = rows.reduce((sum, { costNanos }) => sum + (costNanos ?? 0), 0);
  const own = 145_000 * scores.length * STRETCH;
  const counts = `${rows.filter(({ kind }) => kind === "trial").length} trials, ${rows.filter(({ kind }) => kind !== "trial").length} checks`;
  const projectId = DEFAULT_PROJECT.id;
  const known = await readWorkload(service.store, { projectId, model: "base" });
  const judge = known?.learned === undefined ? null : judgeFigures(restoreSnapshot(known.learned.policy));
  console.log(
    `${world.name} ${seed}: base ${base.toFixed(2)}, best ${best.toFixed(2)}, half way ${((base + best) / 2).toFixed(3)}\n` +
      `  by ${STRETCH} calls: ${scores.map((score) => score.toFixed(3)).join(" ")}\n` +
      `  against base ${(-lost).toFixed(1)} answers; ${counts}, x${(cost / own).toFixed(2)} of base's bill\n` +
      `  judge: ${describeJudge(judge)}`,
  );
}

function chatOf(model: string, content: string): string {
  return JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_700_000_000,
    model,
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 120, completion_tokens: 5, total_tokens: 125 },
  });
}

/** A configuration with the world's models and its judge. Each answer costs 145,000 nanodollars. */
function yamlOf({ skills }: World, url: string): string {
  const models = [...Object.keys(skills), "judge"].map((name) => ({
    name,
    family: "chat",
    contextWindow: 200_000,
    maxOutputTokens: 4096,
    price: { input: 1, output: 5 },
    deployments: [{ upstream: "chat", model: name }],
  }));
  // JSON is YAML; a test service observes unless the mode is said in YAML's own way.
  return `
learning:
  mode: on
  unit: request
  shadow: { share: 0.1, judge: judge, usdPerDay: 1000 }
upstreams:
  chat: { kind: openai-chat, baseUrl: "${url}/v1", apiKey: scripted }
models: ${JSON.stringify(models)}
`;
}
