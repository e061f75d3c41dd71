/**
 * `npm run bench:routing`: what callers of a model with three places notice when one of them gets into trouble, with
 * the optimisations and without; and, with `--plan`, what it costs to plan. Each run has a service of its own, which
 * knows its places well when the trouble begins. Arrivals, and what the places draw, depend on the seed; times depend
 * on the machine, so its load is printed too.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { readOptions } from "../support/read-options.ts";
import { startMeasured } from "./measured-process.ts";
import { FAULT_SCRIPTS, type FaultScript, PLACES } from "./routing/fault-scripts.ts";
import { measurePlanCost } from "./routing/plan-cost.ts";
import { type RunResult, runScript } from "./routing/run-script.ts";
import { judge, type Verdict } from "./routing/targets.ts";

const USAGE = `usage: npm run bench:routing -- [--seconds 20] [--warm-up 4] [--rate 50] [--seed 1] [--scripts 0,1,...] [--json]
       npm run bench:routing -- --plan [--json]

Scripts:
${FAULT_SCRIPTS.map(({ id, title }) => `  ${id.padEnd(3)} ${title}`).join("\n")}`;
const options = readOptions(USAGE, {
  seconds: { type: "string", default: "20" },
  "warm-up": { type: "string", default: "4" },
  rate: { type: "string", default: "50" },
  seed: { type: "string", default: "1" },
  scripts: { type: "string", default: FAULT_SCRIPTS.map(({ id }) => id).join(",") },
  plan: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
});

interface Row {
  readonly script: FaultScript;
  readonly on: RunResult;
  readonly off: RunResult;
  readonly verdicts: readonly Verdict[];
  /** Of the machine, over the last minute. */
  readonly load: number;
}

function benchPlans(): void {
  const costs = measurePlanCost();
  const load = loadavg()[0];
  if (options.json) console.log(JSON.stringify({ load, costs }));
  else {
    console.log(
      `plans over eight places, and what sharing costs, in microseconds; load of the machine ${load?.toFixed(1)}`,
    );
    console.table(costs);
  }
}

async function benchScripts(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "attune-bench-"));
  const places = await startMeasured("routing/places-process.ts", { BENCH_SEED: options.seed });
  const ids = options.scripts.split(",");
  const rows: Row[] = [];
  let healthy: RunResult | undefined;
  // What nothing is broken in is what the others are held against.
  for (const script of FAULT_SCRIPTS.filter(({ id }, index) => index === 0 || ids.includes(id))) {
    const run = (isOptimized: boolean): Promise<RunResult> =>
      runScript(script, {
        places,
        folder: join(folder, `${script.id}-${isOptimized}`),
        seconds: Number(options.seconds),
        warmUpSeconds: Number(options["warm-up"]),
        rate: Number(options.rate),
        seed: options.seed,
        isOptimized,
      });
    const on = await run(true);
    const load = loadavg()[0] ?? Number.NaN;
    const off = await run(false);
    healthy ??= on;
    rows.push({ script, on, off, load, verdicts: judge(on, healthy) });
    console.error(`${script.id}: ${script.title}`);
  }
  await places.stop();
  rmSync(folder, { recursive: true, force: true });
  print(rows);
}

function print(rows: readonly Row[]): void {
  if (options.json) {
    const { seconds, rate, seed } = options;
    console.log(JSON.stringify({ seconds: Number(seconds), rate: Number(rate), seed, rows }));
    return;
  }
  const lines = rows.flatMap(({ script, on, off, load }) => [
    { script: `${script.id}: ${script.title}`, optimisations: "on", ...columns(on), "load of the machine": load },
    { script: "", optimisations: "off", ...columns(off) },
  ]);
  console.table(lines);
  for (const { script, verdicts } of rows) {
    const told = verdicts.map(({ target, value, isMet }) => `${isMet ? "met" : "MISSED"} ${target}: ${value}`);
    console.log(`${script.id.padEnd(3)} ${told.join("   ")}`);
  }
}

function columns(run: RunResult): Record<string, string | number> {
  const round = (value: number): number => Number(value.toFixed(2));
  return {
    requests: run.requests,
    "success %": round(run.successPercent),
    "broken late": run.brokenLate,
    "p50 ms": round(run.p50Ms),
    "p99 ms": round(run.p99Ms),
    "sent late, p99 ms": round(run.lateP99Ms),
    "extra calls %": round(run.extraCallsPercent),
    hedges: run.hedges,
    "served % by": PLACES.map((name) => `${name} ${Math.round(run.servedPercent[name])}`).join(" "),
  };
}

if (options.plan) benchPlans();
else await benchScripts();
