import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Agent, request } from "undici";
import { createRandom } from "../../../src/lib/hash.ts";
import { quantile } from "../../support/quantile.ts";
import { type MeasuredProcess, startServing } from "../measured-process.ts";
import { openLoop } from "../open-loop.ts";
import { type Behaviour, type FaultScript, PLACES, type PlaceName } from "./fault-scripts.ts";
import { callStream, type StreamOutcome } from "./stream-call.ts";

/** What a script is run with. */
export interface RunOptions {
  readonly places: MeasuredProcess;
  /** Empty folder for the service's configuration and database. */
  readonly folder: string;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly rate: number;
  readonly seed: string;
  /** Whether the optimisations are on. */
  readonly isOptimized: boolean;
}

/** What a run showed. */
export interface RunResult {
  readonly requests: number;
  readonly successPercent: number;
  /** Answers that broke off when a part of them had been read: nobody can save them. */
  readonly brokenLate: number;
  /** Of those that did not break late, in percent. */
  readonly savablePercent: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How late the calls were sent: where this is much, the machine was too busy to tell anything of the slowest. */
  readonly lateP99Ms: number;
  readonly extraCallsPercent: number;
  readonly hedges: number;
  /** Parts of the answers, in percent. */
  readonly servedPercent: Readonly<Record<PlaceName, number>>;
  /** Calls that each place got. */
  readonly calls: Readonly<Record<PlaceName, number>>;
  /** What went wrong, and how often. */
  readonly problems: Readonly<Record<string, number>>;
}

/** A line of the metrics that counts the calls of a place by how they ended. */
const ATTEMPTS = /^attune_attempts_total\{[^}]*upstream="(\w+)"[^}]*\} (\d+)$/gm;

type Told = Record<PlaceName, { readonly url: string; readonly calls: number }>;

/**
 * Runs a script against a service of its own: all places are healthy while it warms up and gets to know them; then the
 * trouble begins, and what happens from then on is measured.
 */
export async function runScript(script: FaultScript, options: RunOptions): Promise<RunResult> {
  const { places, folder, seconds, warmUpSeconds, rate, seed, isOptimized } = options;
  await direct(places, { kind: "healthy" });
  writeConfig(folder, await told(places), isOptimized);
  // Failures are what is made here, thousands of them.
  const attune = await startServing("serving-process.ts", { BENCH_FOLDER: folder, BENCH_QUIET: "1" });
  const dispatcher = new Agent();
  const headers = { "content-type": "application/json", authorization: `Bearer ${attune.key}` };
  let sent = 0;
  const call = (dueMs: number): Promise<StreamOutcome> =>
    callStream({ dispatcher, url: attune.url, headers, body: bodyOf(sent++), dueMs });
  try {
    await openLoop({ rate, seconds: warmUpSeconds, random: createRandom(`${seed}-warm-up`) }, call);
    await direct(places, script.first(rate));
    const before = await attemptsAt(attune);
    const outcomes = await openLoop({ rate, seconds, random: createRandom(seed) }, call);
    const [counted, attempts] = [await told(places), await attemptsAt(attune)];
    // Where nobody listens, nobody counts.
    const calls = perPlace((name) => Math.max(counted[name].calls, attempts[name] - before[name]));
    return summarize(outcomes, calls);
  } finally {
    await dispatcher.destroy();
    await attune.stop();
  }
}

function perPlace(of: (name: PlaceName) => number): Record<PlaceName, number> {
  return Object.fromEntries(PLACES.map((name) => [name, of(name)])) as Record<PlaceName, number>;
}

async function attemptsAt(attune: MeasuredProcess): Promise<Record<PlaceName, number>> {
  const metrics = await (await request(`${attune.url}/metrics`)).body.text();
  const lines = [...metrics.matchAll(ATTEMPTS)];
  return perPlace((name) => lines.reduce((sum, [, of, count]) => sum + (of === name ? Number(count) : 0), 0));
}

async function told(places: MeasuredProcess): Promise<Told> {
  return (await (await request(places.url)).body.json()) as Told;
}

async function direct(places: MeasuredProcess, first: Behaviour): Promise<void> {
  const behaviours = Object.fromEntries(PLACES.map((name, index) => [name, index === 0 ? first : { kind: "healthy" }]));
  await (await request(places.url, { method: "PUT", body: JSON.stringify(behaviours) })).body.dump();
}

function writeConfig(folder: string, urls: Told, isOptimized: boolean): void {
  mkdirSync(folder, { recursive: true });
  const upstreams = PLACES.map(
    (name) => `  ${name}: { kind: openai-chat, baseUrl: "${urls[name].url}", apiKey: bench }`,
  );
  const deployments = PLACES.map((name) => `{ upstream: ${name}, model: bench }`);
  const text = `
server: { port: 0 }
database: { url: "sqlite:${join(folder, "attune.db")}" }
upstreams:
${upstreams.join("\n")}
models:
  - name: bench
    family: chat
    contextWindow: 100000
    maxOutputTokens: 4096
    price: { input: 1.25, output: 10 }
    deployments: [${deployments.join(", ")}]
    optimizations: { choice: ${isOptimized}, failover: ${isOptimized}, hedging: ${isOptimized} }
`;
  writeFileSync(join(folder, "attune.yaml"), text);
}

/** No two requests are the same, so that none can share another's answer. */
function bodyOf(number: number): string {
  const content = `Question ${number}. ${"All of this text stands for a prompt of ordinary length. ".repeat(16)}`;
  return JSON.stringify({ model: "attune/bench", messages: [{ role: "user", content }], stream: true });
}

function summarize(outcomes: readonly StreamOutcome[], calls: RunResult["calls"]): RunResult {
  const requests = outcomes.length;
  const percent = (count: number, of = requests): number => (100 * count) / of;
  const whole = outcomes.filter(({ isWhole }) => isWhole);
  const brokenLate = outcomes.filter(({ isBrokenLate }) => isBrokenLate).length;
  const times = outcomes.flatMap(({ firstTokenMs }) => firstTokenMs ?? []);
  const problems: Record<string, number> = {};
  for (const { problem } of outcomes) if (problem !== undefined) problems[problem] = (problems[problem] ?? 0) + 1;
  return {
    requests,
    successPercent: percent(whole.length),
    brokenLate,
    savablePercent: percent(whole.length, requests - brokenLate),
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    lateP99Ms: quantile(
      outcomes.map(({ lateMs }) => lateMs),
      0.99,
    ),
    extraCallsPercent: percent(PLACES.reduce((sum, name) => sum + calls[name], 0) - requests),
    hedges: outcomes.filter(({ wasHedged }) => wasHedged).length,
    servedPercent: perPlace((name) => percent(whole.filter(({ servedBy }) => servedBy === name).length)),
    calls,
    problems,
  };
}
