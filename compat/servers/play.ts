import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { type Caller, createCallers } from "./callers.ts";
import { CHECKS } from "./checks.ts";
import { crash } from "./crash.ts";
import { errorText, NOTHING_TO_ASK, type Outcome, outcomeOf } from "./outcome.ts";
import { type Recorder, startRecorder } from "./recorder.ts";
import {
  freePort,
  type Prompts,
  ROUTES,
  type Route,
  type Running,
  sleep,
  type TestedServer,
  untilReady,
} from "./server.ts";

/** Outcomes by check, then by `format over route`. */
export type Result = Readonly<Record<string, Readonly<Record<string, Outcome>>>>;

const KEY = "att_compat_0123456789abcdef0123456789abcdef";
const EMBEDDER = "embedder";
const FORMATS = Object.keys(ROUTES) as Route[];

/** Installs and starts a server, puts Attune before each of its routes, and makes all checks by each format. */
export async function playServer(server: TestedServer, folder: string, isRecording: boolean): Promise<Result> {
  const running = await server.start(join(folder, "server"));
  const recorder = await startRecorder(running.routes);
  let attune: Awaited<ReturnType<typeof startAttune>> | undefined;
  try {
    attune = await startAttune(folder, configOf(server, running, recorder));
    const result = await check(server, running, { base: attune.base, recorder });
    if (isRecording) recorder.write(server);
    return result;
  } finally {
    attune?.stop();
    recorder.stop();
    running.stop();
  }
}

function configOf(
  { profile }: TestedServer,
  { embedder, headers = {}, routes, model = "tiny" }: Running,
  recorder: Recorder,
): string {
  const upstreams = Object.keys(routes).map((route) => [
    route,
    { kind: ROUTES[route as Route], baseUrl: recorder.bases[route as Route], apiKey: "none", profile, headers },
  ]);
  const names = Object.keys(routes).flatMap((route) => [
    { name: `over-${route}`, upstream: route, upstreamModel: model },
    { name: `absent-over-${route}`, upstream: route, upstreamModel: "absent" },
  ]);
  const models = names.map(({ name, upstream, upstreamModel }) => ({
    name,
    family: "messages",
    purpose: "compat",
    price: { input: 1, output: 2 },
    deployments: [{ upstream, model: upstreamModel }],
  }));
  const embedders = [embedder]
    .filter((name) => name !== undefined)
    .map((name) => ({
      name: EMBEDDER,
      family: "chat",
      embeddings: true,
      purpose: "compat",
      price: { input: 1, output: 0 },
      deployments: [{ upstream: "chat", model: name }],
    }));
  return JSON.stringify({
    prefix: "attune",
    upstreams: Object.fromEntries(upstreams),
    models: [...models, ...embedders],
  });
}

async function startAttune(folder: string, config: string) {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  writeFileSync(join(folder, "attune.yaml"), config);
  const cli = join(import.meta.dirname, "../../src/cli.ts");
  const program = spawn(process.execPath, [cli, "serve"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      ATTUNE_HOST: "127.0.0.1",
      ATTUNE_PORT: `${port}`,
      ATTUNE_CONFIG: join(folder, "attune.yaml"),
      ATTUNE_DATABASE_URL: `sqlite:${join(folder, "attune.db")}`,
      ATTUNE_BOOTSTRAP_KEY: KEY,
    },
  });
  await untilReady(`${base}/readyz`, 180);
  return { base, stop: () => void program.kill() };
}

async function check(
  { prompts, window }: TestedServer,
  running: Running,
  { base, recorder }: { readonly base: string; readonly recorder: Recorder },
): Promise<Result> {
  const { isIdle, model: served = "tiny", embedder } = running;
  const callers = createCallers(base, KEY);
  const result: Record<string, Record<string, Outcome>> = {};
  const note = (name: string, cell: string, outcome: Outcome): void => {
    result[name] = { ...result[name], [cell]: outcome };
  };
  for (const route of routesOfText(running)) {
    for (const format of FORMATS) {
      const cell = `${format} over ${route}`;
      const model = `attune/over-${route}`;
      for (const { name, formats = FORMATS, ask, holds, fails, isForAbsentModel } of CHECKS) {
        const asked = formats.includes(format) ? ask(prompts, window) : undefined;
        if (asked === undefined) {
          note(name, cell, NOTHING_TO_ASK);
          continue;
        }
        recorder.label(`${name}, ${cell}`, isForAbsentModel ? "absent" : served);
        let losses = "";
        const heard = (headers: Headers): void => {
          losses = headers.get("attune-translation-loss") ?? "";
        };
        const askedModel = isForAbsentModel ? `attune/absent-over-${route}` : model;
        const told = await callers[format](askedModel, asked, heard).then(
          (got) => (holds?.(got) ? "" : JSON.stringify({ ...got, id: undefined })),
          (error: unknown) => (fails?.test(errorText(error)) ? "" : errorText(error)),
        );
        note(name, cell, outcomeOf(told, losses));
      }
      recorder.label("", served);
      note("leaving in the middle", cell, await leave(callers[format], { model, prompts, isIdle }));
      note("cost and feedback", cell, await judge(callers[format], { model, prompts, base }));
    }
    const outcomes = await checkRoute(callers, { prompts, running, base, route });
    for (const [name, cell, outcome] of outcomes) note(name, cell, outcome);
  }
  if (embedder !== undefined) note("embeddings", "chat over chat", await embed(base));
  return result;
}

function routesOfText({ routes, embedsAlone }: Running): readonly string[] {
  return embedsAlone ? [] : Object.keys(routes);
}

/** Makes the checks that are for a route, and not for each format by itself. */
async function checkRoute(
  callers: ReturnType<typeof createCallers>,
  {
    prompts,
    running: { countsTokens, crash: kill, revive, stop },
    base,
    route,
  }: { readonly prompts: Prompts; readonly running: Running; readonly base: string; readonly route: string },
): Promise<[name: string, cell: string, outcome: Outcome][]> {
  const model = `attune/over-${route}`;
  const isExact = route === "messages" && countsTokens === true;
  const counted = await count(callers.messages, { model, prompts, base, isExact });
  const outcomes: [name: string, cell: string, outcome: Outcome][] = [
    ["a count of tokens", `messages over ${route}`, counted],
  ];
  if (prompts.endless === undefined || kill === undefined || revive === undefined) return outcomes;
  const crashed = await crash(callers, { model, prompts, program: { crash: kill, revive, stop } });
  for (const format of FORMATS) {
    const { killed, starting } = crashed[format];
    outcomes.push(["killed in mid-stream", `${format} over ${route}`, killed]);
    outcomes.push(["asked while it starts again", `${format} over ${route}`, starting]);
  }
  return outcomes;
}

/** Two texts have to get two vectors of numbers, and their tokens have to be counted. */
async function embed(base: string): Promise<Outcome> {
  const client = new OpenAI({ baseURL: `${base}/v1`, apiKey: KEY, maxRetries: 0 });
  const told = await client.embeddings
    .create({ model: `attune/${EMBEDDER}`, input: ["Hi there", "Hm"] })
    .then(({ data, usage }) => {
      const holds = data.length === 2 && data.every(({ embedding }) => embedding.some((number) => number !== 0));
      return holds && usage.prompt_tokens > 0 ? "" : JSON.stringify({ vectors: data.length, usage });
    }, errorText);
  return outcomeOf(told, "");
}

/** A prompt has to be counted, and as the answer's usage has it where the server counts it. */
async function count(
  caller: Caller,
  {
    model,
    prompts: { greet },
    base,
    isExact,
  }: { readonly model: string; readonly prompts: Prompts; readonly base: string; readonly isExact: boolean },
): Promise<Outcome> {
  const client = new Anthropic({ baseURL: base, apiKey: KEY, maxRetries: 0 });
  try {
    const { input_tokens: counted } = await client.messages.countTokens({
      model,
      messages: [{ role: "user", content: greet }],
    });
    const { inputTokens } = await caller(model, { prompt: greet }, () => {});
    const holds = isExact ? counted === inputTokens : counted > 0;
    return outcomeOf(holds ? "" : `${counted} counted, ${inputTokens} used`, "");
  } catch (error) {
    return outcomeOf(errorText(error), "");
  }
}

/** The server has to notice within three seconds that its caller has left. */
async function leave(
  caller: Caller,
  { model, prompts, isIdle }: { readonly model: string; readonly prompts: Prompts; readonly isIdle: Running["isIdle"] },
): Promise<Outcome> {
  if (prompts.endless === undefined || isIdle === undefined) return NOTHING_TO_ASK;
  const asked = { prompt: prompts.endless, limit: 1500, streamed: true, atText: (leave: () => void) => leave() };
  const left = await caller(model, asked, () => {}).then(() => "it ended before", errorText);
  if (!/abort/i.test(left)) return { is: "fails", told: left };
  for (let tries = 0; tries < 30; tries++, await sleep(100)) if (await isIdle()) return { is: "holds", told: "" };
  return { is: "fails", told: "it went on for three seconds" };
}

/** The list of calls has to have the cost of an answer, and feedback has to be taken by the id that the client shows. */
async function judge(
  caller: Caller,
  { model, prompts, base }: { readonly model: string; readonly prompts: Prompts; readonly base: string },
): Promise<Outcome> {
  const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
  try {
    const { id } = await caller(model, { prompt: prompts.greet }, () => {});
    const event = JSON.stringify({ id, feedback: { good: true } });
    const sent = await fetch(`${base}/v1/feedback`, { method: "POST", headers, body: event });
    const list = await (await fetch(`${base}/v1/inferences`, { headers })).text();
    const found = list.includes(id) && /"cost[^"]*":\s*"?0*[.]?0*[1-9]/i.test(list);
    return sent.ok && found ? { is: "holds", told: "" } : { is: "fails", told: `${sent.status} ${list.slice(0, 200)}` };
  } catch (error) {
    return { is: "fails", told: errorText(error) };
  }
}
