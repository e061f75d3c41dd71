import { NANOS_PER_USD, nanosToUsd } from "../hub/money.ts";
import type { QuotaRule } from "./quota.ts";

/** The form in which people write and read a limit. */
export interface QuotaField {
  readonly rule: QuotaRule;
  /** A noun for people: `requests a minute`. */
  readonly label: string;
  /** The option of commands, without its dashes. */
  readonly option: string;
  /** The unit in which it is written; in USD it is stored in nano-USD. */
  readonly unit: "count" | "usd";
}

/** The limits of a quota by the names that people write, in attune.yaml and in JSON. */
export const QUOTA_FIELDS = {
  requestsPerMinute: { rule: "requestsPerMinute", label: "requests a minute", option: "rpm", unit: "count" },
  inputTokensPerMinute: {
    rule: "inputTokensPerMinute",
    label: "input tokens a minute",
    option: "input-tpm",
    unit: "count",
  },
  outputTokensPerMinute: {
    rule: "outputTokensPerMinute",
    label: "output tokens a minute",
    option: "output-tpm",
    unit: "count",
  },
  concurrentCalls: { rule: "concurrentCalls", label: "concurrent calls", option: "concurrent", unit: "count" },
  canceledCallsPerMinute: {
    rule: "canceledCallsPerMinute",
    label: "canceled calls a minute",
    option: "canceled",
    unit: "count",
  },
  usdPerDay: { rule: "costNanosPerDay", label: "USD a day", option: "usd-day", unit: "usd" },
  usdPerMonth: { rule: "costNanosPerMonth", label: "USD a month", option: "usd-month", unit: "usd" },
  usdTotal: { rule: "costNanosTotal", label: "USD in total", option: "usd-total", unit: "usd" },
} as const satisfies Record<string, QuotaField>;

export type QuotaFieldName = keyof typeof QUOTA_FIELDS;

export const QUOTA_FIELD_NAMES = Object.keys(QUOTA_FIELDS) as readonly QuotaFieldName[];

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
