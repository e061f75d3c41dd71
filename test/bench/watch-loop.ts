import { monitorEventLoopDelay } from "node:perf_hooks";
import type { LoopDelay } from "./measured-process.ts";

/**
 * A timer of 1 ms would wake a process that has nothing to do a thousand times a second, which is counted as its CPU.
 */
const RESOLUTION_MS = 10;

/** Watches the event loop of this process; what it returns tells how late timers were since it was last asked. */
export function watchLoop(): () => { readonly loopDelay: LoopDelay } {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  return () => {
    // What is measured is the time from timer to timer, which is never shorter than the resolution.
    const ms = (nanos: number) => Math.max(0, nanos / 1e6 - RESOLUTION_MS);
    const loopDelay = {
      p50Ms: ms(histogram.percentile(50)),
      p99Ms: ms(histogram.percentile(99)),
      maxMs: ms(histogram.max),
    };
    histogram.reset();
    return { loopDelay };
  };
}
