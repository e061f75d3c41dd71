import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { QuotaKind, QuotaRule, type QuotaState } from "../../gen/attune/quota/v1/quota_pb.ts";
import { toSnakeCase } from "../lib/letter-case.ts";
import type { QuotaKind as Kind } from "./quota.ts";
import { QUOTA_RULE_NAMES, type QuotaRule as Rule } from "./quota-fields.ts";

const KIND: Record<Kind, QuotaKind> = {
  installation: QuotaKind.INSTALLATION,
  project: QuotaKind.PROJECT,
  key: QuotaKind.KEY,
  endUser: QuotaKind.END_USER,
  tag: QuotaKind.TAG,
};

/** Each rule by its own name: requestsPerMinute is REQUESTS_PER_MINUTE. */
const RULE = Object.fromEntries(
  QUOTA_RULE_NAMES.map((rule) => [rule, QuotaRule[toSnakeCase(rule).toUpperCase() as keyof typeof QuotaRule]]),
) as Readonly<Record<Rule, QuotaRule>>;

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
  const message: QuotaState = {
    $typeName: "attune.quota.v1.QuotaState",
    kind: KIND[kind],
    rule: RULE[rule],
    limit: BigInt(limit),
    remaining,
  };
  return resetsAtMs === undefined ? message : { ...message, resetsAt: getTimestamp(resetsAtMs) };
}

function getTimestamp(ms: number): Timestamp {
  const whole = Math.floor(ms / MS);
  return {
    $typeName: "google.protobuf.Timestamp",
    seconds: BigInt(whole),
    nanos: Math.round((ms - whole * MS) * NANOS_OF_MS),
  };
}
