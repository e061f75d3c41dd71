import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import type { FastifyRequest } from "fastify";
import { QuotaRule, type QuotaState } from "../../gen/attune/quota/v1/quota_pb.ts";
import { isMessagesRoute } from "./upstream-headers.ts";

/** The names under which both families of formats tell of what a rule counts. */
const AMOUNTS: readonly (readonly [name: string, rules: readonly QuotaRule[]])[] = [
  ["requests", [QuotaRule.REQUESTS_PER_MINUTE]],
  ["tokens", [QuotaRule.INPUT_TOKENS_PER_MINUTE, QuotaRule.OUTPUT_TOKENS_PER_MINUTE]],
  ["input-tokens", [QuotaRule.INPUT_TOKENS_PER_MINUTE]],
  ["output-tokens", [QuotaRule.OUTPUT_TOKENS_PER_MINUTE]],
];

const BUDGETS: readonly QuotaRule[] = [
  QuotaRule.COST_NANOS_PER_DAY,
  QuotaRule.COST_NANOS_PER_MONTH,
  QuotaRule.COST_NANOS_TOTAL,
];

const NANOS = 1e9;

/**
 * Returns the headers by which SDKs of a route's format know what is left of their limits, of each the one with least,
 * and what is left of the smallest budget. They stand before those of an upstream, whose limits are not the caller's.
 */
export function quotaHeaders(
  request: Pick<FastifyRequest, "url">,
  states: readonly QuotaState[],
  nowMs = Date.now(),
): Record<string, string> {
  const headers: Record<string, string> = {};
  if (states.length === 0) return headers;
  const isMessages = isMessagesRoute(request);
  for (const [amount, rules] of AMOUNTS) {
    const state = leastLeft(states, rules);
    if (state === undefined) continue;
    const amountHeaders = isMessages ? messagesHeaders(amount, state) : openaiHeaders(amount, state, nowMs);
    Object.assign(headers, amountHeaders);
  }
  const budget = leastLeft(states, BUDGETS);
  if (budget !== undefined) headers["attune-budget-remaining-usd"] = (Number(budget.remaining) / NANOS).toFixed(6);
  return headers;
}

function leastLeft(states: readonly QuotaState[], rules: readonly QuotaRule[]): QuotaState | undefined {
  let least: QuotaState | undefined;
  for (const state of states) {
    if (rules.includes(state.rule) && (least === undefined || state.remaining < least.remaining)) least = state;
  }
  return least;
}

/** `anthropic-ratelimit-requests-remaining`, its renewal as a time of RFC 3339. */
function messagesHeaders(amount: string, { limit, remaining, resetsAt }: QuotaState): Record<string, string> {
  const name = `anthropic-ratelimit-${amount}`;
  return {
    [`${name}-limit`]: String(limit),
    [`${name}-remaining`]: String(remaining),
    ...(resetsAt !== undefined && { [`${name}-reset`]: new Date(timestampMs(resetsAt)).toISOString() }),
  };
}

/** `x-ratelimit-remaining-requests`, its renewal as a time from now: `1s`. */
function openaiHeaders(
  amount: string,
  { limit, remaining, resetsAt }: QuotaState,
  nowMs: number,
): Record<string, string> {
  return {
    [`x-ratelimit-limit-${amount}`]: String(limit),
    [`x-ratelimit-remaining-${amount}`]: String(remaining),
    ...(resetsAt !== undefined && { [`x-ratelimit-reset-${amount}`]: untilText(resetsAt, nowMs) }),
  };
}

function untilText(time: Timestamp, nowMs: number): string {
  return `${Math.max(0, Math.ceil((timestampMs(time) - nowMs) / 1000))}s`;
}
