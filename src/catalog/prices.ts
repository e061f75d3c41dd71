/** Kinds of tokens that every price has. */
export const BASE_KINDS = ["input", "cacheRead", "cacheWrite5m", "cacheWrite1h", "output"] as const;

/** Kinds of tokens that few models price apart. */
export const FURTHER_KINDS = [
  "cacheWrite12h",
  "reasoning",
  "audioInput",
  "audioCacheRead",
  "audioOutput",
  "imageInput",
  "imageOutput",
] as const;

type BaseKind = (typeof BASE_KINDS)[number];

/** A kind of tokens with a price of its own at few models. */
export type FurtherKind = (typeof FURTHER_KINDS)[number];

/** A kind of tokens that may have a price of its own. */
export type TokenKind = BaseKind | FurtherKind;

/** All kinds, in the order in which people read them. */
export const TOKEN_KINDS: readonly TokenKind[] = [...BASE_KINDS.slice(0, 4), ...FURTHER_KINDS, "output"];

/**
 * Prices in pico-USD per token: USD per million tokens times 1,000,000, so a whole number for up to six decimals.
 * `cacheWrite5m` holds for lifetimes without a price of their own; `output` for reasoning without one.
 */
export type TokenPrices = Readonly<Record<BaseKind, number> & Partial<Record<FurtherKind, number | undefined>>>;

/** Prices of every token of a request from a size of the prompt on. */
export type LongPromptPrices = TokenPrices & {
  /** A prompt, cached parts included, with more tokens than this is long. */
  readonly aboveTokens: number;
};

/** The prices of tokens, by the size of the prompt. */
export type PriceSet = TokenPrices & {
  /** Steps, shortest first; absent if long prompts cost the same. */
  readonly longPrompt?: readonly LongPromptPrices[] | undefined;
};

/** Prices that hold at hours of the day. */
export type HourPrices = PriceSet & {
  /** Minute of the day in UTC. */
  readonly fromMinute: number;
  /** Minute of the day in UTC; before `fromMinute` where midnight lies between, the same for the whole day. */
  readonly toMinute: number;
  /** Days of the week in UTC, from 1 for Monday to 7; all if absent. */
  readonly days?: readonly number[] | undefined;
};

/** The prices of a model. */
export type PricePicos = PriceSet & {
  /** By the tier of service, or the speed, that served; in small letters. */
  readonly tiers?: Readonly<Record<string, PriceSet>> | undefined;
  readonly hours?: readonly HourPrices[] | undefined;
  /** Multiples of the price of tokens, by the region that is charged for, in small letters. */
  readonly regions?: Readonly<Record<string, number>> | undefined;
  /** A call of a tool that the provider runs, in nano-USD, by its name. */
  readonly toolCallNanos?: Readonly<Record<string, number>> | undefined;
};

/** Multiplies the prices of all tokens; each stays a whole number of picos. */
export function scalePrices({ longPrompt, ...prices }: PriceSet, multiple: number): PriceSet {
  const scaled = scaleTokens(prices, multiple);
  if (longPrompt === undefined) return scaled;
  const scaleStep = ({ aboveTokens, ...step }: LongPromptPrices) => ({ aboveTokens, ...scaleTokens(step, multiple) });
  return { ...scaled, longPrompt: longPrompt.map(scaleStep) };
}

function scaleTokens(prices: TokenPrices, multiple: number): TokenPrices {
  const scaled = { ...prices };
  for (const kind of TOKEN_KINDS) {
    const picos = prices[kind];
    if (picos !== undefined) scaled[kind] = Math.round(picos * multiple);
  }
  return scaled;
}
