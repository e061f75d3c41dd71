/**
 * `npm run bench`: what a request costs in Attune (authentication, recording and cost on) against a bare node:http
 * pipe, in interleaved rounds of one run. Ratios hold on a busy machine, absolute numbers do not.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { startDashboardBuild } from "../../src/dashboard/build/dashboard-build.ts";
import { startPostgres } from "../support/postgres.ts";
import { median } from "../support/quantile.ts";
import { readOptions } from "../support/read-options.ts";
import { callAtRate, type RateSample } from "./call-at-rate.ts";
import { callFreely } from "./call-freely.ts";
import { type MeasuredProcess, startMeasured, startServing, TRACE_GARBAGE } from "./measured-process.ts";
import { startProgram } from "./serve-program.ts";
import { SHAPES, type Shape } from "./shapes.ts";

const USAGE = `usage: npm run bench -- [--rounds 5] [--seconds 4] [--connections 16 | --rate N] [--warm 40000] [--engine sqlite|postgres|sqlite,postgres] [--shapes WORD] [--against FOLDER] [--garbage] [--plain-memory] [--without-learning] [--workers N,M] [--flags="FLAG ..."] [--floor]

  --rate N          so many requests a second, on average, and not as many as connections can make: how long callers wait then
  --warm N          requests before anything is counted, for at most 30 seconds: until then V8 compiles what it runs
  --engine ENGINE   where records are written; a checkout that is older than this option writes to SQLite all the same. Of two engines, the service is measured on each in the same rounds, and what else there is on the first
  --shapes WORD     only the request of this name; if none has it, those whose names have this word
  --against FOLDER  a checkout of another commit with its packages installed: its service is measured in the same rounds
  --garbage         tell what of a request's memory outlives it: KB that collections move to the old objects
  --plain-memory    the service with the heaps that Node has by itself is measured in the same rounds
  --without-learning  the service that neither decides nor learns is measured in the same rounds; otherwise it observes, as by default
  --workers N,M     attune serve --workers N, as users start it, and with M, are measured in the same rounds: the sum over their processes; 0 is attune serve without workers
  --flags="FLAG ..."  the service with these flags of Node as well, which go before its own, is measured in the same rounds
  --floor           the least that the same promises cost by hand is measured in the same rounds: key, JSON both ways, cost, record in a file; and then in SQLite as well`;
const options = readOptions(USAGE, {
  rounds: { type: "string", default: "5" },
  seconds: { type: "string", default: "4" },
  connections: { type: "string", default: "16" },
  rate: { type: "string" },
  warm: { type: "string", default: "40000" },
  against: { type: "string" },
  engine: { type: "string", default: "sqlite" },
  shapes: { type: "string", default: "" },
  garbage: { type: "boolean", default: false },
  "plain-memory": { type: "boolean", default: false },
  "without-learning": { type: "boolean", default: false },
  workers: { type: "string", default: "" },
  flags: { type: "string" },
  floor: { type: "boolean", default: false },
});
const isNamed = SHAPES.some(({ name }) => name === options.shapes);
const shapes = SHAPES.filter(({ name }) => (isNamed ? name === options.shapes : name.includes(options.shapes)));
if (shapes.length === 0) {
  console.error(`--shapes: no name has '${options.shapes}'; there are: ${SHAPES.map(({ name }) => name).join("; ")}`);
  process.exit(2);
}

const engines = options.engine.split(",");
const [engine = "", ...otherEngines] = engines;
for (const name of engines) {
  if (name === "sqlite" || name === "postgres") continue;
  console.error(`--engine: there is no '${name}'; there are sqlite and postgres`);
  process.exit(2);
}

interface Sample extends Omit<RateSample, "calls"> {
  readonly cpuMicros: number;
  /** Of that the part of the thread that serves. */
  readonly mainCpuMicros: number;
  readonly rssMiB: number;
  readonly promotedKb: number;
  /** How late timers of the serving process were. */
  readonly loopP99Ms: number;
}

interface Target {
  readonly name: string;
  readonly process: MeasuredProcess;
}

/** What a target is asked. */
function asked(target: Target, { path, body, pipePath, pipeBody }: Shape) {
  return target.process === pipe ? { path: pipePath, body: pipeBody } : { path, body };
}

/** What callers noticed of as many requests as they can make. */
function callAsCan(target: Target, shape: Shape): Promise<RateSample> {
  const connections = shape.connections ?? Number(options.connections);
  return callFreely(target.process, { ...asked(target, shape), connections, seconds: Number(options.seconds) });
}

/** The same, or of those of a rate. */
function call(target: Target, shape: Shape): Promise<RateSample> {
  if (options.rate === undefined) return callAsCan(target, shape);
  const [rate, seconds] = [Number(options.rate), Number(options.seconds)];
  return callAtRate(target.process, { ...asked(target, shape), rate, seconds });
}

async function measure(target: Target, shape: Shape): Promise<Sample> {
  const before = await target.process.read();
  const { calls: done, ...called } = await call(target, shape);
  const after = await target.process.read();
  return {
    ...called,
    cpuMicros: (after.cpuMicros - before.cpuMicros) / done,
    mainCpuMicros: ((after.mainCpuMicros ?? Number.NaN) - (before.mainCpuMicros ?? Number.NaN)) / done,
    rssMiB: after.rssBytes / 1024 / 1024,
    promotedKb: ((after.promotedBytes ?? Number.NaN) - (before.promotedBytes ?? Number.NaN)) / 1024 / done,
    loopP99Ms: after.loopDelay?.p99Ms ?? Number.NaN,
  };
}

const MOST_WARMING_MS = 30_000;

/** Calls a target without counting, until its code is compiled. */
async function warmUp(target: Target, shape: Shape): Promise<void> {
  const end = performance.now() + MOST_WARMING_MS;
  for (let calls = 0; calls < Number(options.warm) && performance.now() < end; )
    calls += (await callAsCan(target, shape)).calls;
}

const folder = mkdtempSync(join(tmpdir(), "attune-bench-"));
const upstream = await startMeasured("upstream-process.ts");
const pipe = await startMeasured("pipe-process.ts", { BENCH_UPSTREAM: upstream.url });
const postgres = engines.includes("postgres") ? await startPostgres() : undefined;
/**
 * A database of its own on an engine, as the environment of a service names it; a file of its folder where it names
 * none.
 */
const databaseOn = (name: string) => ({
  BENCH_DATABASE: name === "postgres" ? postgres?.createDatabaseUrl() : undefined,
});
const flags = options.garbage ? [TRACE_GARBAGE] : [];
const targets: Target[] = [{ name: "bare pipe", process: pipe }];

/** Starts a service with a folder and a database of its own. */
async function addAttune(name: string, start: typeof startServing, environment = {}, module = "attune-process.ts") {
  const own = {
    BENCH_UPSTREAM: upstream.url,
    BENCH_FOLDER: mkdtempSync(join(folder, "service-")),
    ...databaseOn(engine),
  };
  targets.push({ name, process: await start(module, { ...own, ...environment }, flags) });
}

await addAttune("attune", startServing);
for (const on of otherEngines) await addAttune(`attune on ${on}`, startServing, databaseOn(on));
if (options.against !== undefined) {
  const module = pathToFileURL(resolve(options.against, "test/bench/attune-process.ts")).href;
  await addAttune("the other checkout", startServing, {}, module);
}
if (options.flags !== undefined) {
  const more = options.flags.split(" ");
  await addAttune(`attune ${options.flags}`, (module, own, given = []) =>
    startServing(module, own, [...given, ...more]),
  );
}
if (options.floor) {
  await addAttune("floor, record in a file", startServing, {}, "floor-process.ts");
  await addAttune("floor, record in SQLite", startServing, { BENCH_FLOOR: "database" }, "floor-process.ts");
}
if (options["plain-memory"]) await addAttune("attune, plain memory", startMeasured, { BENCH_MEMORY: "plain" });
if (options["without-learning"]) await addAttune("attune, without learning", startServing, { BENCH_LEARNING: "off" });

for (const workers of options.workers.split(",").filter(Boolean)) {
  // Its build would be counted otherwise.
  await startDashboardBuild((line) => console.error(line)).done;
  const { BENCH_DATABASE: database } = databaseOn(engine);
  const process = await startProgram(Number(workers), { upstream: upstream.url, database });
  targets.push({ name: workers === "0" ? "attune serve" : `attune serve --workers ${workers}`, process });
}

const samples = new Map<string, Sample[]>();
for (let round = 0; round <= Number(options.rounds); round++) {
  for (const shape of shapes) {
    for (const target of targets) {
      if (round === 0) {
        await warmUp(target, shape);
        continue;
      }
      const key = `${target.name}|${shape.name}`;
      samples.set(key, [...(samples.get(key) ?? []), await measure(target, shape)]);
    }
  }
  console.error(`round ${round} of ${options.rounds}${round === 0 ? " (warm-up)" : ""}`);
}

const rows = shapes.flatMap(({ name: shape }) =>
  targets.flatMap(({ name }) => {
    const own = samples.get(`${name}|${shape}`) ?? [];
    if (own.length === 0) return [];
    const base = samples.get(`bare pipe|${shape}`) ?? [];
    const ratios = own.map((sample, round) => sample.cpuMicros / (base[round]?.cpuMicros ?? Number.NaN));
    const of = (pick: (sample: Sample) => number) => Number(median(own.map(pick)).toFixed(2));
    return {
      shape,
      target: name,
      "CPU us/request": of((sample) => sample.cpuMicros),
      "of that the serving thread": of((sample) => sample.mainCpuMicros),
      "CPU against pipe": Number(median(ratios).toFixed(2)),
      "requests/s": of((sample) => sample.requestsPerSecond),
      "p50 ms": of((sample) => sample.p50Ms),
      "p99 ms": of((sample) => sample.p99Ms),
      "loop delay p99 ms": of((sample) => sample.loopP99Ms),
      "RSS MiB": of((sample) => sample.rssMiB),
      ...(options.garbage && { "promoted KB/request": of((sample) => sample.promotedKb) }),
      failed: own.reduce((sum, sample) => sum + sample.failed, 0),
    };
  }),
);
console.table(rows);
console.log(
  JSON.stringify({
    rounds: Number(options.rounds),
    ...(options.rate === undefined ? { connections: Number(options.connections) } : { rate: Number(options.rate) }),
    engine: options.engine,
    rows,
  }),
);

await Promise.all([...targets.map((target) => target.process.stop()), upstream.stop()]);
await postgres?.stop();
rmSync(folder, { recursive: true, force: true });
