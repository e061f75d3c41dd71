import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { openReadOnly } from "../../../src/store/database/open-store.ts";
import { quantile } from "../../support/quantile.ts";
import { callAtRate } from "../call-at-rate.ts";
import { type MeasuredProcess, startMeasured, startServing } from "../measured-process.ts";

/** The share of answers that another model is asked for too, by the name of a setting; the first one is off. */
const SETTINGS: readonly (readonly [name: string, share: string | undefined])[] = [
  ["off", undefined],
  ["off again", undefined],
  ["a share of 0", "0"],
  ["10%", "0.1"],
  ["all", "1"],
];
const PATH = "/v1/chat/completions";
const BODY = JSON.stringify({ model: "attune/bench", messages: [{ role: "user", content: "How are you?" }] });
/** Calls with feedback before anything is measured: without any, trials are a trickle. */
const RATED = 60;
const LOAD = { requests: [{ path: PATH, body: BODY }], rate: 30, seconds: 10 };

/** The figures of one run. */
interface Sample {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly loopP50Ms: number;
  readonly loopP99Ms: number;
  /** CPU of the thread that serves, and of the process, for each call. */
  readonly servingMicros: number;
  readonly allMicros: number;
  readonly trials: number;
}

/**
 * Measures what callers notice of shadow trials: the same load with them and without, in rounds in which every setting
 * has its turn in a new process. The table has the median of the rounds, and for each setting that of the differences to
 * `off` in the same round.
 */
export async function measureCallers(rounds: number): Promise<void> {
  const upstream = await startMeasured("./upstream-process.ts");
  const folder = mkdtempSync(join(tmpdir(), "attune-trials-"));
  const samples = new Map<string, Sample[]>(SETTINGS.map(([name]) => [name, []]));
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [name, share] of SETTINGS) {
        const home = mkdtempSync(join(folder, "service-"));
        samples.get(name)?.push(await measure(upstream.url, home, share));
      }
      console.error(`round ${round + 1} of ${rounds}; load of the machine ${loadavg()[0]?.toFixed(1)}`);
    }
  } finally {
    await upstream.stop();
    rmSync(folder, { recursive: true });
  }
  print(samples);
}

async function measure(upstream: string, folder: string, share: string | undefined): Promise<Sample> {
  const environment = { BENCH_UPSTREAM: upstream, BENCH_FOLDER: folder, BENCH_LEARNING: "on" };
  const service = await startServing("./attune-process.ts", {
    ...environment,
    ...(share !== undefined && { BENCH_SHADOW: share }),
  });
  try {
    for (let call = 0; call < RATED; call++) await callAndRate(service, call % 2 === 0);
    const before = await service.read();
    const { calls, p50Ms, p99Ms, failed } = await callAtRate(service, LOAD);
    const after = await service.read();
    if (failed > 0) throw new Error(`${failed} of ${calls} calls failed`);
    return {
      p50Ms,
      p99Ms,
      loopP50Ms: after.loopDelay?.p50Ms ?? 0,
      loopP99Ms: after.loopDelay?.p99Ms ?? 0,
      servingMicros: ((after.mainCpuMicros ?? 0) - (before.mainCpuMicros ?? 0)) / calls,
      allMicros: (after.cpuMicros - before.cpuMicros) / calls,
      trials: await countTrials(folder),
    };
  } finally {
    await service.stop();
  }
}

async function callAndRate({ url, key }: MeasuredProcess, correct: boolean): Promise<void> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const { id } = (await (await fetch(`${url}${PATH}`, { method: "POST", headers, body: BODY })).json()) as {
    id: string;
  };
  const body = JSON.stringify([{ id, feedback: { correct } }]);
  await (await fetch(`${url}/v1/feedback`, { method: "POST", headers, body })).arrayBuffer();
}

async function countTrials(folder: string): Promise<number> {
  const store = await openReadOnly(`sqlite:${join(folder, "attune.db")}`, 200);
  try {
    const rows = store.query().selectFrom("ShadowTrial").select("id").where("kind", "=", "trial");
    return (await rows.execute()).length;
  } finally {
    await store.close();
  }
}

function print(samples: ReadonlyMap<string, readonly Sample[]>): void {
  const off = samples.get(SETTINGS[0]?.[0] ?? "") ?? [];
  const figures = ["p50Ms", "p99Ms", "loopP50Ms", "loopP99Ms", "servingMicros", "allMicros", "trials"] as const;
  const median = (values: readonly number[]) => Math.round(quantile(values, 0.5) * 100) / 100;
  const table = [...samples].map(([setting, own]) => ({
    setting,
    ...Object.fromEntries(
      figures.flatMap((figure) => {
        const apart = own.map((sample, round) => sample[figure] - (off[round]?.[figure] ?? 0));
        return [
          [figure, median(own.map((sample) => sample[figure]))],
          ...(figure === "trials" ? [] : [[`${figure} - off`, median(apart)]]),
        ];
      }),
    ),
  }));
  console.table(table);
  console.log(JSON.stringify(table));
}
