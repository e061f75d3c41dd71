import type { BillingFacts } from "../../gen/attune/content/v1/content_pb.ts";
import { type PricePicos, type PriceSet, scalePrices, type TokenPrices } from "./prices.ts";

/** The facts that decide which prices of a model hold. */
export interface PricingFacts {
  /** Tokens of the whole prompt. */
  readonly promptTokens: number;
  readonly billing: Pick<BillingFacts, "serviceTier" | "speed" | "region"> | undefined;
  /** When the call began; the hours of the day do not count if absent. */
  readonly at?: Date | undefined;
}

/** The prices that hold, and why they may be too low. */
export interface SelectedPrices {
  readonly prices: TokenPrices;
  readonly isLongPrompt: boolean;
  readonly gaps: readonly string[];
}

const NO_GAPS: readonly string[] = [];

/** Selects the prices of a call by its tier, hour, region and the size of its prompt. */
export function selectPrices(price: PricePicos, { promptTokens, billing, at }: PricingFacts): SelectedPrices {
  const gaps: string[] = [];
  const hourly = price.hours === undefined || at === undefined ? price : (findHour(price, at) ?? price);
  const set = billing === undefined ? hourly : (selectTier(price, billing, gaps) ?? hourly);
  const step = set.longPrompt?.findLast(({ aboveTokens }) => promptTokens > aboveTokens);
  const prices = billing?.region ? inRegion(step ?? set, price, billing.region, gaps) : (step ?? set);
  return { prices, isLongPrompt: step !== undefined, gaps: gaps.length === 0 ? NO_GAPS : gaps };
}

function findHour({ hours = [] }: PricePicos, at: Date): PriceSet | undefined {
  const minute = at.getUTCHours() * 60 + at.getUTCMinutes();
  const day = at.getUTCDay() || 7;
  return hours.find(({ fromMinute: from, toMinute: to, days }) => {
    if (days !== undefined && !days.includes(day)) return false;
    return from < to ? minute >= from && minute < to : minute >= from || minute < to;
  });
}

/** Speed and tier are one choice at each provider: where both are told, one of them has no price. */
function selectTier(
  { tiers }: PricePicos,
  { serviceTier, speed }: NonNullable<PricingFacts["billing"]>,
  gaps: string[],
): PriceSet | undefined {
  const named = [
    { word: speed, what: "speed" },
    { word: serviceTier, what: "service tier" },
  ].filter(({ word }) => word !== "");
  const sets = named.map(({ word }) => readRow(tiers, word));
  const chosen = sets.findIndex((set) => set !== undefined);
  named.forEach(({ word, what }, at) => {
    if (at !== chosen) gaps.push(`${what} "${word}"`);
  });
  return sets[chosen];
}

function inRegion(prices: TokenPrices, { regions }: PricePicos, region: string, gaps: string[]): TokenPrices {
  const multiple = readRow(regions, region);
  if (multiple === undefined) gaps.push(`region "${region}"`);
  return multiple === undefined ? prices : scalePrices(prices, multiple);
}

/** Reads the row of a word, in letters of any size. */
function readRow<Row>(rows: Readonly<Record<string, Row>> = {}, word: string): Row | undefined {
  const name = word.toLowerCase();
  return Object.hasOwn(rows, name) ? rows[name] : undefined;
}
