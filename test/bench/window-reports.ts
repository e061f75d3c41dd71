import type { Shape } from "./shapes.ts";
import type { Target } from "./targets.ts";
import { COLD_WINDOWS, measureAfterIdle, measureWindows, type Window, type WindowLoad } from "./windows.ts";

const round = (value: number | undefined) => Number((value ?? Number.NaN).toFixed(2));

function describe({ until, cpuMicros, p99Ms, rssMiB }: Window) {
  return {
    "until request": until,
    "CPU us/request": round(cpuMicros),
    "p99 ms": round(p99Ms),
    "RSS MiB": round(rssMiB),
  };
}

/** Prints what the first requests of each target cost; only the first shape finds it cold. */
export async function reportCold(
  targets: readonly Target[],
  shapes: readonly Shape[],
  load: WindowLoad,
): Promise<void> {
  const rows: object[] = [];
  for (const target of targets) {
    for (const shape of shapes) {
      const windows = await measureWindows(target, shape, { ...load, ends: COLD_WINDOWS });
      rows.push(...windows.map((window) => ({ shape: shape.name, target: target.name, ...describe(window) })));
    }
    console.error(`${target.name}: measured`);
  }
  console.table(rows);
  console.log(JSON.stringify(rows));
}

/** Prints what requests of each target cost after a quiet time, and by how much that is more than before it. */
export async function reportAfterIdle(
  targets: readonly Target[],
  shapes: readonly Shape[],
  load: WindowLoad & { readonly warm: number; readonly idleSeconds: number },
): Promise<void> {
  const rows: object[] = [];
  for (const shape of shapes) {
    console.error(`${shape.name}: ${targets.length} targets at the same time are left alone for ${load.idleSeconds} s`);
    for (const { target, measured } of await inTurn(targets, shape, load)) {
      const { warm, after, idleRssMiB } = measured;
      const own = { shape: shape.name, target: target.name, "idle RSS MiB": round(idleRssMiB) };
      if (warm !== undefined) rows.push({ ...own, ...describe(warm), "until request": "warm", "against warm": 1 });
      for (const window of after) {
        const ratio = window.cpuMicros / (warm?.cpuMicros ?? Number.NaN);
        rows.push({ ...own, ...describe(window), "against warm": round(ratio) });
      }
    }
  }
  console.table(rows);
  console.log(JSON.stringify(rows));
}

/** One target after another: those that are not measured are quiet. */
async function inTurn(
  targets: readonly Target[],
  shape: Shape,
  load: WindowLoad & { readonly warm: number; readonly idleSeconds: number },
) {
  const results: { target: Target; measured: Awaited<ReturnType<typeof measureAfterIdle>> }[] = [];
  for (const target of targets) results.push({ target, measured: await measureAfterIdle(target, shape, load) });
  return results;
}
