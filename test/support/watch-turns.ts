import { constants, type NodeGCPerformanceDetail, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { threadMs } from "./thread-ms.ts";

/**
 * Tells the longest time of the processor that this thread took in one iteration of the event loop, in milliseconds,
 * until it is stopped. A busy machine does not add to it.
 */
export function watchTurns(): () => number {
  const turns = listTurns();
  return () => Math.max(...turns().map(({ tookMs }) => tookMs));
}

/** Iterations of the event loop that followed one another. */
interface Turn {
  readonly beganMs: number;
  readonly endedMs: number;
  /** Time of the processor. */
  readonly tookMs: number;
}

function listTurns(): () => readonly Turn[] {
  const turns: Turn[] = [];
  let [beganMs, last] = [performance.now(), threadMs()];
  const tick = () => {
    const [endedMs, now] = [performance.now(), threadMs()];
    turns.push({ beganMs, endedMs, tookMs: now - last });
    [beganMs, last] = [endedMs, now];
  };
  const timer = setInterval(tick, 1);
  return () => {
    clearInterval(timer);
    tick();
    return turns;
  };
}

const TRIES = 3;
/** What the observer of collections may need to tell the last one. */
const TOLD_AFTER_MS = 50;

/**
 * Returns the longest iteration of the event loop in the work, which is done again, twice at most, until that is below
 * `mostMs`: what holds the loop does so each time. Collections of all garbage do not count: they take longer the more
 * objects other files have left in this process, 100 ms beside 600 MiB.
 */
export async function longestTurnOf(work: () => Promise<void>, mostMs: number): Promise<number> {
  let longest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && longest >= mostMs; tries += 1) {
    const collected: PerformanceEntry[] = [];
    const observer = new PerformanceObserver(
      (list) => void collected.push(...list.getEntries().filter(isOfAllObjects)),
    );
    observer.observe({ entryTypes: ["gc"] });
    const stop = listTurns();
    await work();
    const turns = stop();
    await delay(TOLD_AFTER_MS);
    observer.disconnect();
    longest = Math.min(longest, Math.max(...turns.map((turn) => turn.tookMs - pausesIn(turn, collected))));
  }
  return longest;
}

function isOfAllObjects({ detail }: PerformanceEntry & { detail?: unknown }): boolean {
  return (detail as NodeGCPerformanceDetail).kind !== constants.NODE_PERFORMANCE_GC_MINOR;
}

function pausesIn({ beganMs, endedMs }: Turn, collected: readonly PerformanceEntry[]): number {
  const within = collected.filter(({ startTime }) => startTime >= beganMs && startTime < endedMs);
  return within.reduce((sum, { duration }) => sum + duration, 0);
}
