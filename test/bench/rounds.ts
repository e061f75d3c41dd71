import { median } from "../support/quantile.ts";
import { callAtRate, type RateSample } from "./call-at-rate.ts";
import { callFreely } from "./call-freely.ts";
import { requestsOf, type Shape } from "./shapes.ts";
import type { Target } from "./targets.ts";

/** How a target is loaded, and how often it is measured. */
export interface RoundOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  /** Requests a second; as many as connections can make if absent. */
  readonly rate?: number | undefined;
  /** Requests before anything is counted. */
  readonly warm: number;
  readonly garbage: boolean;
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

const MOST_WARMING_MS = 30_000;

/** What is told of a target under a shape: medians over the rounds. */
type BenchRow = Readonly<Record<"shape" | "target", string> & Record<string, string | number>>;

/** Measures targets by turns in rounds, the first of which warms them up; prints and returns medians. */
export async function measureRounds(
  targets: readonly Target[],
  shapes: readonly Shape[],
  options: RoundOptions,
): Promise<readonly BenchRow[]> {
  const samples = new Map<string, Sample[]>();
  for (let round = 0; round <= options.rounds; round++) {
    for (const shape of shapes) {
      for (const target of targets) {
        if (round === 0) {
          await warmUp(target, shape, options);
          continue;
        }
        const key = `${target.name}|${shape.name}`;
        samples.set(key, [...(samples.get(key) ?? []), await measure(target, shape, options)]);
      }
    }
    console.error(`round ${round} of ${options.rounds}${round === 0 ? " (warm-up)" : ""}`);
  }
  return print(targets, shapes, options, samples);
}

/** What callers noticed of as many requests as they can make. */
function callAsCan(target: Target, shape: Shape, options: RoundOptions): Promise<RateSample> {
  const connections = shape.connections ?? options.connections;
  const requests = requestsOf(shape, target.process);
  return callFreely(target.process, { requests, connections, seconds: options.seconds });
}

/** The same, or of those of a rate. */
function call(target: Target, shape: Shape, options: RoundOptions): Promise<RateSample> {
  const { rate, seconds } = options;
  if (rate === undefined) return callAsCan(target, shape, options);
  return callAtRate(target.process, { requests: requestsOf(shape, target.process), rate, seconds });
}

async function measure(target: Target, shape: Shape, options: RoundOptions): Promise<Sample> {
  const before = await target.process.read();
  const { calls: done, ...called } = await call(target, shape, options);
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

/** Calls a target without counting, until its code is compiled. */
async function warmUp(target: Target, shape: Shape, options: RoundOptions): Promise<void> {
  const end = performance.now() + MOST_WARMING_MS;
  for (let calls = 0; calls < options.warm && performance.now() < end; )
    calls += (await callAsCan(target, shape, options)).calls;
}

function print(
  targets: readonly Target[],
  shapes: readonly Shape[],
  options: RoundOptions,
  samples: ReadonlyMap<string, readonly Sample[]>,
): readonly BenchRow[] {
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
  const { rounds, rate, connections } = options;
  console.log(JSON.stringify({ rounds, ...(rate === undefined ? { connections } : { rate }), rows }));
  return rows;
}
