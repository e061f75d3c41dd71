import { stepStart } from "../../store/dashboard/figures/steps.ts";
import type { Failures } from "../../store/dashboard/reads/read-failures.ts";
import type { Bucket } from "../figures/window.ts";

/** Failed calls of one reason, upstream, model and key. */
interface FailureGroup {
  readonly reason: string;
  readonly upstream: string;
  readonly model: string;
  readonly keyId: string;
  readonly calls: number;
  /** The steps in which the first and the last of them were. */
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Adds failed calls up by what they have in common, the most first. */
export function groupFailures(failures: readonly Failures[]): FailureGroup[] {
  const groups = Map.groupBy(failures, ({ reason, upstream, model, keyId }) =>
    JSON.stringify([reason, upstream, model, keyId]),
  );
  const added = [...groups.values()].flatMap((own) => {
    const [one] = own;
    if (one === undefined) return [];
    const times = own.map(({ start }) => start.getTime());
    const { start: _, ...facts } = one;
    const calls = own.reduce((sum, failure) => sum + failure.calls, 0);
    return [{ ...facts, calls, firstMs: Math.min(...times), lastMs: Math.max(...times) }];
  });
  return added.sort((a, b) => b.calls - a.calls);
}

/** Calls of one reason over time. */
interface ReasonSeries {
  /** The calls were refused before a model was asked; else they failed. */
  readonly isRefused: boolean;
  readonly reason: string;
  /** One value for each step. */
  readonly calls: readonly number[];
}

/** Puts calls of each reason into steps, the reasons with the most first. */
export function seriesByReason(
  counts: readonly { readonly start: Date; readonly reason: string; readonly calls: number }[],
  { buckets, stepMs, isRefused }: { buckets: readonly Bucket[]; stepMs: number; isRefused: boolean },
): ReasonSeries[] {
  const places = new Map(buckets.map(({ startMs }, at) => [startMs, at]));
  const series = [...Map.groupBy(counts, ({ reason }) => reason)].map(([reason, own]) => {
    const calls = buckets.map(() => 0);
    for (const { start, calls: added } of own) {
      const at = places.get(stepStart(start.getTime(), stepMs));
      if (at !== undefined) calls[at] = (calls[at] ?? 0) + added;
    }
    return { isRefused, reason, calls };
  });
  const total = ({ calls }: ReasonSeries) => calls.reduce((sum, value) => sum + value, 0);
  return series.sort((a, b) => total(b) - total(a));
}
