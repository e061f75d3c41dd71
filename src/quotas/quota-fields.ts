import { NANOS_PER_USD, nanosToUsd } from "../vocabulary/money.ts";
import type { WindowKind } from "./windows.ts";

/** The amounts that one call takes, or is expected to take. */
export interface Amounts {
  readonly requests: number;
  /** Calls that were left before their end; one that is under way may yet be. */
  readonly canceledCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In nano-USD. */
  readonly costNanos: number;
}

/** A limit: its meaning, its words and its unit. */
export interface QuotaField {
  /** Its name in the store, in `QuotaRule` and in errors; `costNanosPerDay` where people write `usdPerDay`. */
  readonly rule: string;
  /** The amount that it counts. */
  readonly amount: keyof Amounts;
  /** The window in which it counts. */
  readonly window: WindowKind;
  /** A noun for people: `requests a minute`. */
  readonly label: string;
  /** Words of a refusal behind the limit, if they aren't the label: `calls at a time`. */
  readonly refusal?: string;
  /** The option of commands, without its dashes. */
  readonly option: string;
  /** The unit in which it is written; in USD it is stored in nano-USD. */
  readonly unit: "count" | "usd";
}

const USD = { unit: "usd", amount: "costNanos" } as const;

/**
 * The limits of a quota by the names that people write, in attune.yaml and in JSON, in the order in which refusals are
 * compared. Options, forms, schemas, counters and errors derive from these rows.
 */
export const QUOTA_FIELDS = {
  requestsPerMinute: {
    rule: "requestsPerMinute",
    amount: "requests",
    window: "minute",
    label: "requests a minute",
    option: "rpm",
    unit: "count",
  },
  inputTokensPerMinute: {
    rule: "inputTokensPerMinute",
    amount: "inputTokens",
    window: "minute",
    label: "input tokens a minute",
    option: "input-tpm",
    unit: "count",
  },
  outputTokensPerMinute: {
    rule: "outputTokensPerMinute",
    amount: "outputTokens",
    window: "minute",
    label: "output tokens a minute",
    option: "output-tpm",
    unit: "count",
  },
  concurrentCalls: {
    rule: "concurrentCalls",
    amount: "requests",
    window: "inFlight",
    label: "concurrent calls",
    refusal: "calls at a time",
    option: "concurrent",
    unit: "count",
  },
  canceledCallsPerMinute: {
    rule: "canceledCallsPerMinute",
    amount: "canceledCalls",
    window: "minute",
    label: "canceled calls a minute",
    refusal: "calls a minute that end before their answer",
    option: "canceled",
    unit: "count",
  },
  usdPerDay: { ...USD, rule: "costNanosPerDay", window: "day", label: "USD a day", option: "usd-day" },
  usdPerMonth: { ...USD, rule: "costNanosPerMonth", window: "month", label: "USD a month", option: "usd-month" },
  usdTotal: { ...USD, rule: "costNanosTotal", window: "total", label: "USD in total", option: "usd-total" },
} as const satisfies Record<string, QuotaField>;

export type QuotaFieldName = keyof typeof QUOTA_FIELDS;

export const QUOTA_FIELD_NAMES = Object.keys(QUOTA_FIELDS) as readonly QuotaFieldName[];

/** The rules that a quota may have. */
export type QuotaRule = (typeof QUOTA_FIELDS)[QuotaFieldName]["rule"];

/** The rows by their rules. */
export const QUOTA_RULES = Object.fromEntries(
  Object.values(QUOTA_FIELDS).map((field) => [field.rule, field]),
) as Readonly<Record<QuotaRule, QuotaField>>;

export const QUOTA_RULE_NAMES = Object.keys(QUOTA_RULES) as readonly QuotaRule[];

/** The rules that count USD. */
export type BudgetRule = Extract<(typeof QUOTA_FIELDS)[QuotaFieldName], { readonly unit: "usd" }>["rule"];

export const BUDGET_RULES = QUOTA_RULE_NAMES.filter((rule): rule is BudgetRule => QUOTA_RULES[rule].unit === "usd");

/** Most of a limit that counts. */
export const MAX_COUNT = 1_000_000_000_000;

/** Most of a limit in USD. */
export const MAX_USD = 1_000_000;

/** Most models that a quota names. */
export const MAX_MODELS = 1000;

/** Returns USD in nano-USD; undefined for what is no amount from 0 to MAX_USD with at most nine decimals. */
export function usdToNanos(usd: number): number | undefined {
  const nanos = Math.round(usd * NANOS_PER_USD);
  return usd >= 0 && usd <= MAX_USD && nanos / NANOS_PER_USD === usd ? nanos : undefined;
}

/** Returns the limit that people have written as a text; undefined for what is none. */
export function parseLimit(unit: QuotaField["unit"], text: string): number | undefined {
  if (unit === "usd") return /^\d{1,7}(\.\d{1,9})?$/.test(text) ? usdToNanos(Number(text)) : undefined;
  return /^\d{1,13}$/.test(text) && Number(text) <= MAX_COUNT ? Number(text) : undefined;
}

/** Writes a limit as people read it. */
export function formatLimit(unit: QuotaField["unit"], limit: number): string {
  return unit === "usd" ? nanosToUsd(limit) : String(limit);
}

/** Returns the rule that a limit must keep to. */
export function limitProblem(unit: QuotaField["unit"]): string {
  if (unit === "usd") return `must be an amount in USD from 0 to ${MAX_USD}, with at most nine decimals`;
  return `must be a whole number from 0 to ${MAX_COUNT}`;
}
