import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { QuotaKind, QuotaRule, type QuotaState } from "../../gen/attune/quota/v1/quota_pb.ts";
import type { QuotaKind as Kind, QuotaRule as Rule } from "./quota.ts";

const KIND: Record<Kind, QuotaKind> = {
  installation: QuotaKind.INSTALLATION,
  project: QuotaKind.PROJECT,
  key: QuotaKind.KEY,
  endUser: QuotaKind.END_USER,
  tag: QuotaKind.TAG,
};

const RULE: Record<Rule, QuotaRule> = {
  requestsPerMinute: QuotaRule.REQUESTS_PER_MINUTE,
  inputTokensPerMinute: QuotaRule.INPUT_TOKENS_PER_MINUTE,
  outputTokensPerMinute: QuotaRule.OUTPUT_TOKENS_PER_MINUTE,
  concurrentCalls: QuotaRule.CONCURRENT_CALLS,
  canceledCallsPerMinute: QuotaRule.CANCELED_CALLS_PER_MINUTE,
  costNanosPerDay: QuotaRule.COST_NANOS_PER_DAY,
  costNanosPerMonth: QuotaRule.COST_NANOS_PER_MONTH,
  costNanosTotal: QuotaRule.COST_NANOS_TOTAL,
};

const MS = 1000;
const NANOS_OF_MS = 1_000_000;

/** One limit, and what is used of it. */
export interface UsedLimit {
  readonly kind: Kind;
  readonly rule: Rule;
  readonly limit: number;
  readonly used: number;
  readonly resetsAtMs: number | undefined;
}

/** Makes the message that tells callers of a limit. */
export function quotaToMessage({ kind, rule, limit, used, resetsAtMs }: UsedLimit): QuotaState {
  // Literals: create() takes a microsecond for each, and every answer tells of its limits.
  const remaining = BigInt(Math.max(0, Math.floor(limit - used)));
  const told: QuotaState = {
    $typeName: "attune.quota.v1.QuotaState",
    kind: KIND[kind],
    rule: RULE[rule],
    limit: BigInt(limit),
    remaining,
  };
  return resetsAtMs === undefined ? told : { ...told, resetsAt: timestampOf(resetsAtMs) };
}

function timestampOf(ms: number): Timestamp {
  const whole = Math.floor(ms / MS);
  return {
    $typeName: "google.protobuf.Timestamp",
    seconds: BigInt(whole),
    nanos: Math.round((ms - whole * MS) * NANOS_OF_MS),
  };
}
