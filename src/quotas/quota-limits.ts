import type { Quota } from "./quota.ts";
import { type Amounts, QUOTA_RULE_NAMES, QUOTA_RULES, type QuotaRule } from "./quota-fields.ts";

/** The amounts of a call in the order of their places; undefined where a call takes nothing of a kind. */
type AmountList = readonly (number | undefined)[];

const AMOUNT_NAMES = [
  "requests",
  "canceledCalls",
  "inputTokens",
  "outputTokens",
  "costNanos",
] as const satisfies (keyof Amounts)[];

/** A limit of a quota, as a call is counted in it. */
export interface QuotaLimit {
  readonly rule: QuotaRule;
  /** Place among QUOTA_RULE_NAMES. */
  readonly ruleAt: number;
  /** Place in a list of amounts. */
  readonly amountAt: number;
  readonly isInFlight: boolean;
  readonly limit: number;
}

/** Quotas are few and objects that stay: each is taken apart once. */
const known = new WeakMap<Quota, readonly QuotaLimit[]>();

/** Returns the limits that a quota has, in the order of the rules. */
export function listLimits(quota: Quota): readonly QuotaLimit[] {
  let limits = known.get(quota);
  if (limits === undefined) {
    limits = QUOTA_RULE_NAMES.flatMap((rule, ruleAt) => toLimit(quota, rule, ruleAt) ?? []);
    known.set(quota, limits);
  }
  return limits;
}

function toLimit(quota: Quota, rule: QuotaRule, ruleAt: number): QuotaLimit | undefined {
  const limit = quota[rule];
  if (limit === undefined) return undefined;
  const { amount, window } = QUOTA_RULES[rule];
  return { rule, ruleAt, amountAt: AMOUNT_NAMES.indexOf(amount), isInFlight: window === "inFlight", limit };
}

/** Returns whether a quota limits an amount. */
export function hasLimitOn(quota: Quota, amount: keyof Amounts): boolean {
  const at = AMOUNT_NAMES.indexOf(amount);
  return listLimits(quota).some(({ amountAt }) => amountAt === at);
}

/** Lists amounts by their places. */
export function listAmounts(amounts: Partial<Amounts>): AmountList {
  const { requests, canceledCalls, inputTokens, outputTokens, costNanos } = amounts;
  return [requests, canceledCalls, inputTokens, outputTokens, costNanos];
}
