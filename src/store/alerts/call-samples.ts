import type { CallFigures, CallWindows } from "../../alerts/ports.ts";
import { addHistogram, type Histogram, percentileMs } from "../../figures/histogram.ts";
import type { CallCounts } from "./read-call-counts.ts";

/** Sums of calls. */
interface Sums {
  calls: number;
  failedCalls: number;
  canceledCalls: number;
  costNanos: number;
  canceledCostNanos: number;
  refusedKeys: number;
  readonly latencies: Histogram;
}

/** The counts between two samples, by project. */
interface Slot {
  readonly atMs: number;
  readonly sums: ReadonlyMap<string, Sums>;
}

const COUNTED = [
  ...(["calls", "failedCalls", "canceledCalls", "costNanos", "canceledCostNanos", "refusedKeys"] as const),
] satisfies (keyof Sums)[];

const MINUTE_MS = 60_000;
/** The longest window of a rule about calls. */
const KEPT_MS = 60 * MINUTE_MS;
/** Samples that are further apart tell nothing of shorter windows. */
const GAP_MS = 5 * MINUTE_MS;
/** Of what is late for its minute, a window that is watched a little less than whole tells enough. */
const TOLERANCE_MS = MINUTE_MS;

/**
 * Turns counts by the hour into counts of the latest minutes, by their differences from one sample to the next. It
 * holds what was counted in an hour, for each project that had calls.
 */
export class CallSamples implements CallWindows {
  #known = new Map<string, Sums>();
  #slots: Slot[] = [];
  #sinceMs = Number.NaN;
  #nowMs = Number.NEGATIVE_INFINITY;

  /** Takes the counts of this hour and the one before it. */
  add(counts: readonly CallCounts[], nowMs: number): void {
    const isFirst = !(nowMs - this.#nowMs <= GAP_MS);
    const known = new Map<string, Sums>();
    const sums = new Map<string, Sums>();
    for (const { projectId, hour, ...count } of counts) {
      const key = `${projectId} ${hour}`;
      const now = toSums(count);
      known.set(key, now);
      if (!isFirst) addDifference(getSums(sums, projectId), now, this.#known.get(key));
    }
    if (isFirst) this.#slots = [];
    else
      this.#slots.push({
        atMs: nowMs,
        sums: new Map([...sums].filter(([, sum]) => COUNTED.some((name) => sum[name] > 0))),
      });
    if (isFirst) this.#sinceMs = nowMs;
    this.#known = known;
    this.#nowMs = nowMs;
    this.#slots = this.#slots.filter(({ atMs }) => nowMs - atMs < KEPT_MS);
  }

  within(minutes: number): ReadonlyMap<string, CallFigures> {
    const sums = new Map<string, Sums>();
    for (const slot of this.#slotsOf(minutes)) {
      for (const [projectId, part] of slot.sums) addDifference(getSums(sums, projectId), part, undefined);
    }
    return new Map([...sums].map(([projectId, sum]) => [projectId, toFigures(sum)]));
  }

  total(minutes: number): CallFigures {
    const sum = noSums();
    for (const slot of this.#slotsOf(minutes))
      for (const part of slot.sums.values()) addDifference(sum, part, undefined);
    return toFigures(sum);
  }

  covers(minutes: number): boolean {
    return this.#nowMs - this.#sinceMs >= minutes * MINUTE_MS - TOLERANCE_MS;
  }

  #slotsOf(minutes: number): readonly Slot[] {
    return this.#slots.filter(({ atMs }) => this.#nowMs - atMs < minutes * MINUTE_MS);
  }
}

function noSums(): Sums {
  return {
    calls: 0,
    failedCalls: 0,
    canceledCalls: 0,
    costNanos: 0,
    canceledCostNanos: 0,
    refusedKeys: 0,
    latencies: [],
  };
}

function getSums(sums: Map<string, Sums>, projectId: string): Sums {
  const known = sums.get(projectId) ?? noSums();
  sums.set(projectId, known);
  return known;
}

function toSums({ latencies, ...counts }: Omit<CallCounts, "projectId" | "hour">): Sums {
  const histogram: Histogram = [];
  addHistogram(histogram, latencies);
  return { ...counts, latencies: histogram };
}

function addDifference(sum: Sums, now: Sums, before: Sums | undefined): void {
  for (const name of COUNTED) sum[name] += now[name] - (before?.[name] ?? 0);
  for (const [bucket, count] of now.latencies.entries()) {
    const more = (count ?? 0) - (before?.latencies[bucket] ?? 0);
    if (more !== 0) sum.latencies[bucket] = (sum.latencies[bucket] ?? 0) + more;
  }
}

function toFigures({ latencies, ...counts }: Sums): CallFigures {
  return { ...counts, latencyP95Ms: percentileMs(latencies, 0.95) };
}
