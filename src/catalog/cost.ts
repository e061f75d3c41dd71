import type { BillingFacts, Usage } from "../../gen/attune/content/v1/content_pb.ts";
import { countKinds, joinUnpriced, type KindCounts } from "./count-kinds.ts";
import { type PricePicos, TOKEN_KINDS, type TokenPrices } from "./prices.ts";
import { selectPrices } from "./select-prices.ts";

const PICOS_PER_NANO = 1000;

/** The cost of a call. */
export interface CallCost {
  /** Nano-USD, of all that has a price. */
  readonly nanos: number;
  /** The parts that have no known price: it cost more than `nanos`. Empty where all is in it. */
  readonly gaps: readonly string[];
}

/** The tokens of a call, each kind with its price. */
export interface PricedCall {
  readonly prices: TokenPrices;
  readonly counts: KindCounts;
  readonly isLongPrompt: boolean;
  readonly toolCalls: readonly { readonly name: string; readonly calls: number; readonly nanos: number }[];
  readonly gaps: readonly string[];
}

/**
 * Returns the cost of an inference: exact sums, rounded half up once at the end. `at` is when the call began, for
 * prices by hours of the day.
 */
export function callCost(price: PricePicos, usage: Usage, at?: Date): CallCost {
  const { prices, counts, toolCalls, gaps } = priceCall(price, usage, at);
  let nanos = sumNanos(prices, counts);
  for (const call of toolCalls) nanos += call.calls * call.nanos;
  return { nanos, gaps };
}

/**
 * Returns the cost that counts: what the upstream reports, since that is what it charges, or else the cost by price;
 * undefined where nobody knows one.
 */
export function countedCost(price: PricePicos | undefined, usage: Usage, at?: Date): CallCost | undefined {
  const reported = reportedNanos(usage);
  if (reported !== undefined) return { nanos: reported, gaps: [] };
  return price && callCost(price, usage, at);
}

/** Returns the cost that the upstream reports, in nano-USD; undefined where it reports none. */
export function reportedNanos({ billing }: Pick<Usage, "billing">): number | undefined {
  return billing?.reportedCostNanos === undefined ? undefined : Number(billing.reportedCostNanos);
}

/** Returns the cost of an inference in nano-USD by its price, as far as it has prices. */
export function costNanos(price: PricePicos, usage: Usage, at?: Date): number {
  return callCost(price, usage, at).nanos;
}

/** Puts a price on each kind of tokens of a call, and on the tools that the provider ran for it. */
export function priceCall(price: PricePicos, usage: Usage, at?: Date): PricedCall {
  const { billing } = usage;
  const promptTokens = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const { prices, isLongPrompt, gaps } = selectPrices(price, { promptTokens, billing, at });
  const joined = joinUnpriced(countKinds(usage), prices);
  const { toolCalls, unpriced } = priceToolCalls(price, billing);
  return {
    prices,
    counts: joined.counts,
    isLongPrompt,
    toolCalls,
    gaps: joined.gaps.length + unpriced.length === 0 ? gaps : [...gaps, ...joined.gaps, ...unpriced],
  };
}

const NO_CALLS = { toolCalls: [], unpriced: [] };

/** Tools that no provider charges for, but for the tokens that they bring. */
export const FREE_TOOLS: ReadonlySet<string> = new Set(["web_fetch", "tool_search"]);

function priceToolCalls({ toolCallNanos = {} }: PricePicos, billing: BillingFacts | undefined) {
  if (billing === undefined) return NO_CALLS;
  const calls = Object.entries(billing.toolCalls);
  const isPriced = ([name]: (typeof calls)[number]) => Object.hasOwn(toolCallNanos, name);
  return {
    toolCalls: calls.filter(isPriced).map(([name, count]) => ({ name, calls: count, nanos: toolCallNanos[name] ?? 0 })),
    unpriced: [
      ...calls.filter((call) => !isPriced(call) && !FREE_TOOLS.has(call[0])).map(([name]) => `calls of ${name}`),
      ...billing.otherModels.map((model) => `tokens of ${model}`),
    ],
  };
}

/** Returns the cost of so many tokens in nano-USD, none of which a cache holds. */
export function costOfTokens(price: PricePicos, { input, output }: Pick<KindCounts, "input" | "output">): number {
  return sumNanos(selectPrices(price, { promptTokens: input, billing: undefined }).prices, { input, output });
}

/** Returns whether a cache held or kept anything of the prompt. */
export function usesCache(usage: Usage): boolean {
  const { billing } = usage;
  const ofBilling = (billing?.cacheWrite12hTokens ?? 0) + (billing?.audioCacheReadTokens ?? 0);
  const written = usage.cacheWriteTokens + usage.cacheWrite5mTokens + usage.cacheWrite1hTokens;
  return usage.cacheReadTokens + written + ofBilling > 0;
}

/** Returns what it would have cost in nano-USD if no cache had held or kept anything of the prompt. */
export function uncachedCostNanos(price: PricePicos, usage: Usage, at?: Date): number {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, billing } = usage;
  const audioInputTokens = (billing?.audioInputTokens ?? 0) + (billing?.audioCacheReadTokens ?? 0);
  const uncached: Usage = {
    ...usage,
    inputTokens: inputTokens + cacheReadTokens + cacheWriteTokens,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    cacheWrite5mTokens: 0,
    cacheWrite1hTokens: 0,
    billing: billing && { ...billing, cacheWrite12hTokens: 0, audioInputTokens, audioCacheReadTokens: 0 },
  };
  return costNanos(price, uncached, at);
}

/** Sums up exactly, and rounds half up. */
export function sumNanos(prices: TokenPrices, counts: Partial<KindCounts>): number {
  let picos = 0;
  for (const kind of TOKEN_KINDS) picos += (prices[kind] ?? 0) * (counts[kind] ?? 0);
  // All terms are whole and not negative, so a sum that is a safe integer is exact.
  if (Number.isSafeInteger(picos)) {
    const rest = picos % PICOS_PER_NANO;
    return (picos - rest) / PICOS_PER_NANO + (rest * 2 >= PICOS_PER_NANO ? 1 : 0);
  }
  let exact = 0n;
  for (const kind of TOKEN_KINDS) exact += BigInt(prices[kind] ?? 0) * BigInt(counts[kind] ?? 0);
  return Number((exact + BigInt(PICOS_PER_NANO / 2)) / BigInt(PICOS_PER_NANO));
}
