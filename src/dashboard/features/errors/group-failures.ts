import { idTimeMs } from "../../../lib/ids.ts";
import { stepStart } from "../../../store/dashboard/figures/steps.ts";
import type { FailureDimension, FailureValues } from "../../../store/dashboard/reads/read-failures.ts";
import type { DashboardReads } from "../../../store/dashboard/reads/reads.ts";
import type { Bucket } from "../../figures/window.ts";

/** Failed calls that are grouped by end user: the latest, since only their rows know whose they are. */
const MOST_READ = 1000;

/** Failed or refused calls that have some values in common. */
export interface FailureGroup {
  /** They were refused before a model was asked: they have a reason and a key, and nothing else. */
  readonly isRefused: boolean;
  readonly values: FailureValues;
  readonly calls: number;
  /** When the first and the last were, or when the steps begin in which they were. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** The lengths of these steps; 0 where the times are exact. */
  readonly firstStepMs: number;
  readonly lastStepMs: number;
  /** The latest of them; undefined where its time is not exact. */
  readonly latestId?: string | undefined;
}

/** Groups of failed calls. */
interface FailedGroups {
  readonly groups: readonly FailureGroup[];
  /** Set where they are of so many calls alone, the latest, and when the first of these was. */
  readonly latest: { readonly calls: number; readonly fromMs: number } | undefined;
}

/** Reads failed calls by what they have in common: from the rollups, or with end users from the latest rows. */
export async function groupFailed(
  reads: Pick<DashboardReads, "groupFailures" | "groupLatestFailures">,
  {
    by,
    ...query
  }: Omit<Parameters<DashboardReads["groupFailures"]>[0], "by"> & { readonly by: readonly FailureDimension[] },
): Promise<FailedGroups> {
  const counted = by.filter((dimension) => dimension !== "user");
  if (counted.length === by.length) {
    const groups = await reads.groupFailures({ ...query, by: counted });
    return { groups: groups.map((group) => ({ isRefused: false, ...group })), latest: undefined };
  }
  const range = { from: new Date(query.fromMs), to: new Date(query.toMs) };
  const latest = { projectId: query.projectId, range, by, limit: MOST_READ };
  const { groups, read, firstId } = await reads.groupLatestFailures(latest);
  const timed = groups.map(({ values, calls, firstId: first, lastId }) => ({
    isRefused: false,
    values,
    calls,
    latestId: lastId,
    firstStepMs: 0,
    lastStepMs: 0,
    firstMs: idTimeMs(first) ?? 0,
    lastMs: idTimeMs(lastId) ?? 0,
  }));
  const isPart = read === MOST_READ && firstId !== undefined;
  return { groups: timed, latest: isPart ? { calls: read, fromMs: idTimeMs(firstId) ?? 0 } : undefined };
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
