import { usdPerMillionToPicos } from "./price.ts";
import {
  FURTHER_KINDS,
  type FurtherKind,
  type HourPrices,
  type LongPromptPrices,
  type PricePicos,
  type PriceSet,
  scalePrices,
  type TokenPrices,
} from "./prices.ts";

/** Prices in USD per million tokens, as `attune.yaml` and price lists have them. */
export type WrittenTokenPrices = Readonly<
  { input: number; output: number } & Partial<
    Record<"cacheRead" | "cacheWrite5m" | "cacheWrite1h" | FurtherKind, number | undefined>
  >
>;

/** Prices from a size of the prompt on. */
export type WrittenStep = WrittenTokenPrices & { readonly aboveTokens: number };

/** Prices of tokens, with one or more steps for long prompts. */
export type WrittenPriceSet = WrittenTokenPrices & {
  readonly longPrompt?: WrittenStep | readonly WrittenStep[] | undefined;
};

/** Prices that are so many times those of the model, or a set of prices with input and output. */
export type WrittenVariant = Readonly<{ multiple?: number | undefined }> & Partial<WrittenPriceSet>;

/** Prices for hours of the day in UTC: from 16:30 to 00:30. */
export type WrittenHours = WrittenVariant & {
  readonly from: string;
  readonly to: string;
  readonly days?: readonly number[] | undefined;
};

/** A price as it is written. */
export type WrittenPrice = WrittenPriceSet & {
  readonly tiers?: Readonly<Record<string, WrittenVariant>> | undefined;
  readonly hours?: readonly WrittenHours[] | undefined;
  readonly regions?: Readonly<Record<string, number>> | undefined;
  /** USD per call, by the tool. */
  readonly toolCalls?: Readonly<Record<string, number>> | undefined;
};

const NANOS_PER_USD = 1_000_000_000;

/** Builds the prices that costs are computed with. */
export function buildPrice(written: WrittenPrice): PricePicos {
  const { tiers, hours, regions, toolCalls } = written;
  const base = buildSet(written);
  const variant = ({
    multiple,
    input = written.input,
    output = written.output,
    ...prices
  }: WrittenVariant): PriceSet =>
    multiple === undefined ? buildSet({ ...prices, input, output }) : scalePrices(base, multiple);
  return {
    ...base,
    ...(tiers && { tiers: mapValues(withSmallNames(tiers), variant) }),
    ...(hours && { hours: hours.map((each): HourPrices => ({ ...variant(withoutHours(each)), ...minutesOf(each) })) }),
    ...(regions && { regions: withSmallNames(regions) }),
    ...(toolCalls && { toolCallNanos: mapValues(toolCalls, (usd) => Math.round(usd * NANOS_PER_USD)) }),
  };
}

function buildSet({ longPrompt, ...prices }: WrittenPriceSet): PriceSet {
  if (longPrompt === undefined) return buildTokens(prices);
  const steps: readonly WrittenStep[] = Array.isArray(longPrompt) ? longPrompt : [longPrompt];
  const built = steps.map((step): LongPromptPrices => ({ aboveTokens: step.aboveTokens, ...buildTokens(step) }));
  return { ...buildTokens(prices), longPrompt: built.toSorted((a, b) => a.aboveTokens - b.aboveTokens) };
}

/** Takes the prices alone, whatever stands beside them. */
function buildTokens(prices: WrittenTokenPrices): TokenPrices {
  const { input, output, cacheRead = input, cacheWrite5m = input, cacheWrite1h = cacheWrite5m } = prices;
  const built: { -readonly [Kind in keyof TokenPrices]: TokenPrices[Kind] } = {
    input: usdPerMillionToPicos(input),
    output: usdPerMillionToPicos(output),
    cacheRead: usdPerMillionToPicos(cacheRead),
    cacheWrite5m: usdPerMillionToPicos(cacheWrite5m),
    cacheWrite1h: usdPerMillionToPicos(cacheWrite1h),
  };
  for (const kind of FURTHER_KINDS) {
    const usd = prices[kind];
    if (usd !== undefined) built[kind] = usdPerMillionToPicos(usd);
  }
  return built;
}

function withoutHours({ from: _from, to: _to, days: _days, ...prices }: WrittenHours): WrittenVariant {
  return prices;
}

function minutesOf({ from, to, days }: WrittenHours) {
  return { fromMinute: getMinute(from), toMinute: getMinute(to), ...(days && { days }) };
}

function getMinute(time: string): number {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return hour * 60 + minute;
}

/** Names terms in small letters, in which they are looked up: providers and operators write them in any. */
function withSmallNames<Value>(values: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]));
}

function mapValues<From, To>(
  values: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}
