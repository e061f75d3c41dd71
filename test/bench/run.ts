/**
 * `npm run bench`: what a request costs in Attune (authentication, recording and cost on) against a bare node:http pipe, in
 * interleaved rounds of one run. Ratios hold on a busy machine, absolute numbers do not.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import autocannon from "autocannon";
import { startPostgres } from "../support/postgres.ts";
import { type MeasuredProcess, startMeasured, startServing, TRACE_GARBAGE } from "./measured-process.ts";
import { SHAPES, type Shape } from "./shapes.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "4" },
    connections: { type: "string", default: "16" },
    against: { type: "string" },
    engine: { type: "string", default: "sqlite" },
    shapes: { type: "string", default: "" },
    garbage: { type: "boolean", default: false },
    "plain-memory": { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (options.help) {
  console.log(`usage: npm run bench -- [--rounds 5] [--seconds 4] [--connections 16] [--engine sqlite|postgres] [--shapes WORD] [--against FOLDER] [--garbage] [--plain-memory]

  --engine ENGINE   where records are written; one that is older than this option writes to SQLite all the same
  --shapes WORD     only requests whose names have this word
  --against FOLDER  a checkout of another commit with its packages installed: its service is measured in the same rounds
  --garbage         tell what of a request's memory outlives it: KB that collections move to the old objects
  --plain-memory    the service with the heaps that Node has by itself is measured in the same rounds`);
  process.exit(0);
}
const shapes = SHAPES.filter(({ name }) => name.includes(options.shapes));
if (shapes.length === 0) {
  console.error(`--shapes: no name has '${options.shapes}'; there are: ${SHAPES.map(({ name }) => name).join("; ")}`);
  process.exit(2);
}

interface Sample {
  readonly cpuMicros: number;
  /** Of that the part of the thread that serves. */
  readonly mainCpuMicros: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly rssMiB: number;
  readonly promotedKb: number;
  readonly failed: number;
}

interface Target {
  readonly name: string;
  readonly process: MeasuredProcess;
}

async function measure({ process: target }: Target, shape: Shape): Promise<Sample> {
  const before = await target.read();
  const result = await autocannon({
    url: target.url + (target === pipe ? "/chat/completions" : shape.path),
    method: "POST",
    connections: Number(options.connections),
    duration: Number(options.seconds),
    headers: { "content-type": "application/json", authorization: `Bearer ${target.key}` },
    body: target === pipe ? shape.pipeBody : shape.body,
  });
  const after = await target.read();
  const done = result["2xx"];
  return {
    cpuMicros: (after.cpuMicros - before.cpuMicros) / done,
    mainCpuMicros: ((after.mainCpuMicros ?? Number.NaN) - (before.mainCpuMicros ?? Number.NaN)) / done,
    requestsPerSecond: done / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    rssMiB: after.rssBytes / 1024 / 1024,
    promotedKb: ((after.promotedBytes ?? Number.NaN) - (before.promotedBytes ?? Number.NaN)) / 1024 / done,
    failed: result.non2xx + result.errors,
  };
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

const folder = mkdtempSync(join(tmpdir(), "attune-bench-"));
const upstream = await startMeasured("upstream-process.ts");
const pipe = await startMeasured("pipe-process.ts", { BENCH_UPSTREAM: upstream.url });
const postgres = options.engine === "postgres" ? await startPostgres() : undefined;
const environmentOf = (folder: string) => ({
  BENCH_UPSTREAM: upstream.url,
  BENCH_FOLDER: folder,
  ...(postgres && { BENCH_DATABASE: postgres.createDatabaseUrl() }),
});
const flags = options.garbage ? [TRACE_GARBAGE] : [];
const attune = await startServing("attune-process.ts", environmentOf(folder), flags);
const targets: Target[] = [
  { name: "bare pipe", process: pipe },
  { name: "attune", process: attune },
];
const otherFolder = mkdtempSync(join(tmpdir(), "attune-bench-"));
if (options.against !== undefined) {
  const module = pathToFileURL(resolve(options.against, "test/bench/attune-process.ts")).href;
  const other = await startServing(module, environmentOf(otherFolder), flags);
  targets.push({ name: "the other checkout", process: other });
}
const plainFolder = mkdtempSync(join(tmpdir(), "attune-bench-"));
if (options["plain-memory"]) {
  const environment = { ...environmentOf(plainFolder), BENCH_MEMORY: "plain" };
  const plain = await startMeasured("attune-process.ts", environment);
  targets.push({ name: "attune, plain memory", process: plain });
}

const samples = new Map<string, Sample[]>();
// The first round warms the code up and is not counted.
for (let round = 0; round <= Number(options.rounds); round++) {
  for (const shape of shapes) {
    for (const target of targets) {
      // An older commit knows one model of the bench.
      if (target.name === "the other checkout" && !shape.isKnownBefore) continue;
      const sample = await measure(target, shape);
      const key = `${target.name}|${shape.name}`;
      if (round > 0) samples.set(key, [...(samples.get(key) ?? []), sample]);
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
      "RSS MiB": of((sample) => sample.rssMiB),
      ...(options.garbage && { "promoted KB/request": of((sample) => sample.promotedKb) }),
      failed: own.reduce((sum, sample) => sum + sample.failed, 0),
    };
  }),
);
console.table(rows);
const { engine } = options;
console.log(JSON.stringify({ rounds: Number(options.rounds), connections: Number(options.connections), engine, rows }));

await Promise.all([...targets.map((target) => target.process.stop()), upstream.stop()]);
await postgres?.stop();
for (const made of [folder, otherFolder, plainFolder]) rmSync(made, { recursive: true, force: true });
