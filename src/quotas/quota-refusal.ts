import type { Counter } from "./counter.ts";
import type { QuotaKind, SubjectQuota } from "./quota.ts";
import type { QuotaRule } from "./quota-fields.ts";

/** A quota that has no room for a call. */
export interface QuotaRefusal {
  readonly kind: QuotaKind;
  readonly subject: string;
  readonly rule: QuotaRule;
  readonly limit: number;
  readonly used: number;
  /** The most that the call may take. */
  readonly amount: number;
  /** When it renews, in milliseconds since 1970; undefined where no time renews it. */
  readonly resetsAtMs: number | undefined;
  /** False where the call is larger than the limit, and would be refused at any time. */
  readonly fits: boolean;
  /** True where there may be room: the store of limits does not answer, or others took what the call was to have. */
  readonly isUnknown?: boolean;
}

/** Returns the refusal of an amount by a counter. */
export function createRefusal(
  counter: Counter,
  { amount, owner: { kind, subject } }: { readonly amount: number; readonly owner: SubjectQuota },
  nowMs: number,
): QuotaRefusal {
  const { rule, limit } = counter;
  const used = counter.usedByAll(nowMs);
  const resetsAtMs = counter.resetsAtMs(nowMs);
  return { kind, subject, rule, limit, used, amount, resetsAtMs, fits: amount <= limit };
}

/** Returns the one of two refusals that lasts longer: for ever, until a time, or until a call ends. */
export function strictest(one: QuotaRefusal | undefined, other: QuotaRefusal): QuotaRefusal {
  return one === undefined || endOf(other) > endOf(one) ? other : one;
}

function endOf({ fits, rule, resetsAtMs }: QuotaRefusal): number {
  if (!fits || rule === "costNanosTotal") return Number.POSITIVE_INFINITY;
  return resetsAtMs ?? 0;
}
