import { type CallCost, sumNanos } from "./cost.ts";
import type { KindCounts } from "./count-kinds.ts";
import type { PricePicos, TokenKind, TokenPrices } from "./prices.ts";
import { selectPrices } from "./select-prices.ts";

/** Members of a request that change its price. */
export interface CallTerms {
  /** Tier of service that is asked for; empty if none is. */
  readonly serviceTier: string;
  /** Speed that is asked for; empty if none is. */
  readonly speed: string;
  /** Region that is charged for; empty if none is asked for. */
  readonly region: string;
  /** The longest lifetime of cache writes that it may lead to; five minutes where it asks for none. */
  readonly cacheWrites: "cacheWrite5m" | "cacheWrite1h" | "cacheWrite12h";
  readonly hasAudio: boolean;
  /** Most calls of tools that the provider runs, by name; Infinity where the request sets no bound. */
  readonly toolCalls: Readonly<Record<string, number>>;
}

/** The terms of a request that asks for nothing of the kind. */
export const PLAIN_TERMS: CallTerms = {
  serviceTier: "",
  speed: "",
  region: "",
  cacheWrites: "cacheWrite5m",
  hasAudio: false,
  toolCalls: {},
};

/**
 * Returns the most that a call of so many tokens may cost: its whole prompt may be written to a cache, its whole answer
 * may be of the dearest kind, and it may be served at the dearest hour, in the tier that it asks for, or the standard
 * one where that costs more. Names what has no price or no bound.
 */
export function dearestCost(
  price: PricePicos,
  tokens: Pick<KindCounts, "input" | "output">,
  terms: CallTerms = PLAIN_TERMS,
): CallCost {
  const { serviceTier, speed, region } = terms;
  const facts = { promptTokens: tokens.input, billing: undefined };
  const requested = selectPrices(price, { ...facts, billing: { serviceTier, speed, region } });
  const standard = selectPrices(price, { ...facts, billing: { serviceTier: "", speed: "", region } });
  const hours = (price.hours ?? []).map((hour) => selectPrices(hour, facts));
  const nanos = Math.max(...[requested, standard, ...hours].map(({ prices }) => mostNanos(prices, tokens, terms)));
  const tools = toolsCost(price, terms);
  return { nanos: nanos + tools.nanos, gaps: [...requested.gaps, ...tools.gaps] };
}

function mostNanos(
  prices: TokenPrices,
  { input, output }: Pick<KindCounts, "input" | "output">,
  { cacheWrites, hasAudio }: CallTerms,
): number {
  const most = (kinds: readonly TokenKind[]) => Math.max(...kinds.map((kind) => prices[kind] ?? 0));
  const prompt = most(["input", "cacheWrite5m", cacheWrites, ...(hasAudio ? (["audioInput"] as const) : [])]);
  const answer = most(["output", "reasoning", "audioOutput", "imageOutput"]);
  return sumNanos({ ...prices, input: prompt, output: answer }, { input, output });
}

function toolsCost({ toolCallNanos = {} }: PricePicos, { toolCalls }: CallTerms): CallCost {
  let nanos = 0;
  const gaps: string[] = [];
  for (const [name, calls] of Object.entries(toolCalls)) {
    const each = Object.hasOwn(toolCallNanos, name) ? toolCallNanos[name] : undefined;
    if (each === undefined || (each > 0 && !Number.isFinite(calls))) gaps.push(`calls of ${name}`);
    else if (each > 0) nanos += each * calls;
  }
  return { nanos, gaps };
}
