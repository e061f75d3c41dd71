import type { Counter } from "./counter.ts";
import { QUOTA_RULES, type QuotaRule } from "./quota.ts";

/** Tells that much of a limit is used, once in each of its windows. */
export interface QuotaWarning {
  readonly subject: string;
  readonly rule: QuotaRule;
  readonly limit: number;
  readonly used: number;
  /** True where it counts money, and not requests, tokens or calls in flight. */
  readonly isBudget: boolean;
}

/** The ports of the watch. */
interface WatchPorts {
  /** The part of a limit from which on its use is told. */
  readonly warnAt: () => number;
  readonly warn: (warning: QuotaWarning) => void;
}

/** Looks at a counter, and warns where much of its limit is used. */
export type WatchQuota = (counter: Counter, nowMs: number) => void;

/** Creates the watch of counters that are in use. */
export function createQuotaWatch({ warnAt, warn }: WatchPorts): WatchQuota {
  return (counter, nowMs) => {
    const { subject, rule, limit } = counter;
    const used = counter.usedByAll(nowMs);
    if (used < limit * warnAt()) return;
    if (counter.isWarned) return;
    counter.isWarned = true;
    warn({ subject, rule, limit, used, isBudget: QUOTA_RULES[rule].amount === "costNanos" });
  };
}
