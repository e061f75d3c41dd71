import { type BudgetRule, QUOTA_RULES } from "../../../quotas/quota-fields.ts";
import { windowEnd, windowStart } from "../../../quotas/windows.ts";

const DAY_MS = 86_400_000;

/** Days before now that the pace of spending is taken from; 1 for a budget of a day. */
const PACE_DAYS = 7;

/** The state of a budget. */
interface BudgetForecast {
  readonly leftNanos: number;
  /** When it begins anew; null where it never does. */
  readonly resetsAtMs: number | null;
  /** When it is reached at the present pace; null where it is not, before it begins anew. */
  readonly reachedAtMs: number | null;
}

/** Returns what is left of a budget, and when it is reached at the pace of the days before now. */
export function forecastBudget(
  rule: BudgetRule,
  { limit, spent, ofPace }: { readonly limit: number; readonly spent: number; readonly ofPace: number },
  nowMs: number,
): BudgetForecast {
  const { window } = QUOTA_RULES[rule];
  const resetsAtMs = windowEnd(window, nowMs) ?? null;
  const leftNanos = Math.max(0, limit - spent);
  const perMs = ofPace / (nowMs - paceStart(rule, nowMs));
  const atMs = leftNanos === 0 ? nowMs : perMs === 0 ? Number.POSITIVE_INFINITY : nowMs + leftNanos / perMs;
  const isReached = atMs < (resetsAtMs ?? nowMs + 365 * DAY_MS);
  return { leftNanos, resetsAtMs, reachedAtMs: isReached ? Math.round(atMs) : null };
}

/** Returns the times that a budget is read for: its window, and the days whose pace counts. */
export function budgetTimes(rule: BudgetRule, nowMs: number) {
  const { window } = QUOTA_RULES[rule];
  const to = new Date(nowMs);
  return {
    spent: { from: new Date(windowStart(window, nowMs)), to },
    pace: { from: new Date(paceStart(rule, nowMs)), to },
  };
}

/** Days of UTC are read whole: end users and tags are counted by the day. */
function paceStart(rule: BudgetRule, nowMs: number): number {
  const days = QUOTA_RULES[rule].window === "day" ? 1 : PACE_DAYS;
  return windowStart("day", nowMs - days * DAY_MS);
}
