import type { Usage } from "../../gen/attune/content/v1/content_pb.ts";
import { type PricedCall, priceCall } from "./cost.ts";
import { type PricePicos, TOKEN_KINDS, type TokenKind } from "./prices.ts";

/** The cost of one kind of tokens. */
interface CostLine {
  readonly kind: TokenKind;
  readonly tokens: number;
  /** Price of one token in pico-USD. */
  readonly pricePicos: number;
  /** Cost in pico-USD, in decimal digits: exact, whatever its size. */
  readonly costPicos: string;
}

/** The cost of each kind of tokens and of each tool that there was, and what has no price. */
export interface CostLines extends Pick<PricedCall, "isLongPrompt" | "toolCalls" | "gaps"> {
  readonly lines: readonly CostLine[];
}

/** Writes out line by line what callCost() sums up. */
export function costLines(price: PricePicos, usage: Usage, at?: Date): CostLines {
  const { prices, counts, isLongPrompt, toolCalls, gaps } = priceCall(price, usage, at);
  const lines = TOKEN_KINDS.filter((kind) => counts[kind] > 0).map((kind) => {
    const [tokens, pricePicos] = [counts[kind], prices[kind] ?? 0];
    return { kind, tokens, pricePicos, costPicos: (BigInt(pricePicos) * BigInt(tokens)).toString() };
  });
  return { isLongPrompt, lines, toolCalls, gaps };
}
