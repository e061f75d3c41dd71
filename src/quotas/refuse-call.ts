import { ErrorReason, InferenceError } from "../hub/error.ts";
import type { QuotaKind, SubjectQuota } from "./quota.ts";
import { formatLimit, QUOTA_RULES, type QuotaRule } from "./quota-fields.ts";
import type { QuotaRefusal } from "./quota-refusal.ts";
import { quotaToMessage } from "./quota-state.ts";

/** The time after which a call that has ended is likely to have made room. */
const NEXT_CALL_MS = 1000;

/** Returns the error that tells a caller which limit has no room for a call, whose it is, and when it renews. */
export function quotaError(refusal: QuotaRefusal, nowMs: number): InferenceError {
  const { rule, limit, fits, resetsAtMs, isUnknown = false } = refusal;
  const { unit, window } = QUOTA_RULES[rule];
  const isBudget = unit === "usd";
  const owner = getOwner(refusal);
  const amount = writeLimit(rule, limit);
  if (isUnknown) {
    const message = `the ${getNoun(isBudget)} of ${owner} (${amount}) cannot be read at the moment: try again shortly`;
    return new InferenceError(ErrorReason.UNAVAILABLE, message, { retryAfterMs: NEXT_CALL_MS });
  }
  const quota = quotaToMessage(refusal);
  const reason = isBudget ? ErrorReason.QUOTA_EXCEEDED : ErrorReason.RATE_LIMITED;
  if (!fits) {
    const message =
      limit === 0
        ? `the ${getNoun(isBudget)} of ${owner} lets no call through: ${amount}; have it raised`
        : `${describeCall(refusal)}, more than the ${getNoun(isBudget)} of ${owner}: ${amount}; ${getAdvice(rule)}`;
    return new InferenceError(reason, message, { quota, shouldRetry: false });
  }
  const waitMs = resetsAtMs === undefined ? undefined : Math.max(0, resetsAtMs - nowMs);
  const retryAfterMs = window === "inFlight" ? NEXT_CALL_MS : waitMs;
  const left = limit - refusal.used;
  const state =
    isBudget && left > 0
      ? `has ${formatLimit(unit, Math.floor(left))} USD left of ${amount}, and ${describeCall(refusal)}: ${getAdvice(rule)}`
      : `is ${isBudget ? "spent" : "reached"}: ${amount}`;
  const message = `the ${getNoun(isBudget)} of ${owner} ${state}; ${renewal(refusal, waitMs)}`;
  return new InferenceError(reason, message, { quota, retryAfterMs, shouldRetry: !isBudget });
}

/** Returns the error for a model that costs nobody knows what, where a budget counts what calls cost. */
export function unpricedError(model: string, owner: Pick<SubjectQuota, "kind" | "subject">): InferenceError {
  const message =
    `the model '${model}' has no price, so the budget of ${getOwner(owner)} cannot count it: ` +
    "give it a price in the configuration, or call another model";
  return new InferenceError(ErrorReason.PERMISSION_DENIED, message, { param: "model" });
}

/** Returns the error for a model that a caller may not call. */
export function forbiddenModelError(model: string, owner: Pick<SubjectQuota, "kind" | "subject">): InferenceError {
  const message = `${getOwner(owner)} may not call the model '${model}': GET /v1/models lists what may be called`;
  return new InferenceError(ErrorReason.PERMISSION_DENIED, message, { param: "model" });
}

/** Says what a call may take at most of what the rule counts. */
function describeCall({ rule, amount }: QuotaRefusal): string {
  const { unit, label } = QUOTA_RULES[rule];
  if (unit === "usd") return `this call may cost ${formatLimit(unit, Math.ceil(amount))} USD`;
  return `this call may take ${Math.ceil(amount)} ${label.replace(" a minute", "")}`;
}

/** Says what a caller can do about a call that may take too much. */
function getAdvice(rule: QuotaRule): string {
  if (rule === "inputTokensPerMinute") return "shorten its prompt";
  if (rule === "outputTokensPerMinute") return "lower its output limit";
  return "lower its output limit, or shorten its prompt";
}

/** Writes a limit as `1 request a minute`, `0.5 USD a day`. */
function writeLimit(rule: QuotaRule, limit: number): string {
  const { unit, label, refusal = label } = QUOTA_RULES[rule];
  return `${formatLimit(unit, limit)} ${unit === "count" && limit === 1 ? refusal.replace(/s\b/, "") : refusal}`;
}

function getNoun(isBudget: boolean): string {
  return isBudget ? "budget" : "limit";
}

const OWNER: Record<QuotaKind, (name: string) => string> = {
  installation: () => "this installation",
  project: () => "the project",
  key: () => "the API key",
  endUser: (name) => `the end user '${name}'`,
  tag: (name) => `the tag '${name}'`,
};

function getOwner({ kind, subject }: Pick<SubjectQuota, "kind" | "subject">): string {
  return OWNER[kind](subject.slice(subject.indexOf("/") + 1));
}

function renewal({ rule, resetsAtMs }: QuotaRefusal, waitMs = 0): string {
  const { window } = QUOTA_RULES[rule];
  if (window === "inFlight") return "try again when one of them has ended";
  if (resetsAtMs === undefined) return "it does not renew";
  if (window === "minute") return `it renews in ${Math.ceil(waitMs / 1000)} s`;
  return `it renews at ${new Date(resetsAtMs).toISOString().replace(".000Z", "Z")}`;
}
