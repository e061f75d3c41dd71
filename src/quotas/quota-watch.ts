import type { Counter } from "./counter.ts";
import { QUOTA_RULES, type QuotaRule } from "./quota-fields.ts";

/** Tells that much of a limit is used, once in each of its windows. */
export interface QuotaWarning {
  readonly subject: string;
  readonly rule: QuotaRule;
  readonly limit: number;
  readonly used: number;
  /** True where it counts money, and not requests, tokens or calls in flight. */
  readonly isBudget: boolean;
}

/** The use of a budget. */
export interface BudgetUse {
  readonly subject: string;
  readonly rule: QuotaRule;
  /** In steps of 5 hundredths; undefined once it is below what is told of. */
  readonly share: number | undefined;
  /** When the report is void, in milliseconds since 1970: with the window, or some time after the latest one. */
  readonly untilMs: number;
}

/** The ports of the watch. */
interface WatchPorts {
  /** The part of a limit from which on its use is told. */
  readonly warnAt: () => number;
  readonly warn: (warning: QuotaWarning) => void;
  /** Told of budgets of which much is used, with each step that they take, and when they no longer are. */
  readonly report?: (use: BudgetUse) => void;
}

/** Part of a limit from which on its use is reported, whatever is warned of: rules may have other thresholds. */
const LEAST_REPORTED = 0.1;
const STEPS = 20;

/** Looks at a counter, and warns where much of its limit is used. */
export type WatchQuota = (counter: Counter, nowMs: number) => void;

/** Creates the watch of counters that are in use. */
export function createQuotaWatch({ warnAt, warn, report }: WatchPorts): WatchQuota {
  /** The use that was reported last, of the budgets of which much is used. */
  const reported = new WeakMap<Counter, string>();
  return (counter, nowMs) => {
    const { subject, rule, limit } = counter;
    const used = counter.usedByAll(nowMs);
    const endMs = counter.resetsAtMs(nowMs);
    const isBudget = QUOTA_RULES[rule].amount === "costNanos";
    if (isBudget && report !== undefined) {
      const use = getBudgetUse(counter, used, endMs ?? nextDays(nowMs));
      if (isNews(reported, counter, use)) report(use);
    }
    if (used < limit * warnAt()) return;
    if (counter.isWarned) return;
    counter.isWarned = true;
    warn({ subject, rule, limit, used, isBudget });
  };
}

const DAY_MS = 86_400_000;

/** Returns the end of the next day: what no time ends is reported anew each day. */
function nextDays(nowMs: number): number {
  return (Math.floor(nowMs / DAY_MS) + 2) * DAY_MS;
}

/** Tells whether the use of a budget has changed since it was reported, and keeps it as reported. */
function isNews(reported: WeakMap<Counter, string>, counter: Counter, { share, untilMs }: BudgetUse): boolean {
  const use = share === undefined ? undefined : `${share} ${untilMs}`;
  if (reported.get(counter) === use) return false;
  if (use === undefined) reported.delete(counter);
  else reported.set(counter, use);
  return true;
}

function getBudgetUse({ subject, rule, limit }: Counter, used: number, untilMs: number): BudgetUse {
  const share = limit <= 0 ? 1 : Math.floor((used / limit) * STEPS) / STEPS;
  return { subject, rule, share: share < LEAST_REPORTED ? undefined : share, untilMs };
}
