import type { WindowKind } from "./windows.ts";

/** The amounts that one call takes, or is expected to take. */
export interface Amounts {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In nano-USD. */
  readonly costNanos: number;
}

/** A rule: the amount that it counts, and the window in which it counts it. */
interface RuleFacts {
  readonly amount: keyof Amounts;
  readonly window: WindowKind;
}

/** The rules that a quota may have, in the order in which refusals are compared. */
export const QUOTA_RULES = {
  requestsPerMinute: { amount: "requests", window: "minute" },
  inputTokensPerMinute: { amount: "inputTokens", window: "minute" },
  outputTokensPerMinute: { amount: "outputTokens", window: "minute" },
  concurrentCalls: { amount: "requests", window: "inFlight" },
  costNanosPerDay: { amount: "costNanos", window: "day" },
  costNanosPerMonth: { amount: "costNanos", window: "month" },
  costNanosTotal: { amount: "costNanos", window: "total" },
} as const satisfies Record<string, RuleFacts>;

export type QuotaRule = keyof typeof QUOTA_RULES;

export const QUOTA_RULE_NAMES = Object.keys(QUOTA_RULES) as readonly QuotaRule[];

/** Limits by rule, whole numbers of at least 0; a rule that is absent limits nothing. */
export type Quota = { readonly [Rule in QuotaRule]?: number };

/** A quota with its subject: a key, a project, an end user, a tag value or the installation. */
export interface SubjectQuota {
  /** The subject's kind and id: `key:2b7c`, `tag:team=search`. */
  readonly subject: string;
  readonly quota: Quota;
}
