import type { UsageFigures, UsageReport } from "../../hub/usage.ts";

/** The calls of one key, model, session or the like, beside those of the period before. */
interface SpendRow {
  readonly value: string;
  readonly calls: number;
  readonly tokens: number;
  readonly costNanos: number;
  /** False where the price of none of them is known: what they cost is unknown then, and not nothing. */
  readonly isPriced: boolean;
  /** Its part of all that was spent, 0 to 1. */
  readonly share: number;
  readonly beforeNanos: number;
}

/** Ranks the groups of a report by what they cost, and the further ones by their calls. */
export function rankSpend(now: UsageReport, before: UsageReport, most: number): SpendRow[] {
  const earlier = new Map(before.groups.map(({ values: [value = ""], figures }) => [value, figures.costNanos]));
  const rows = now.groups.map(({ values: [value = ""], figures }) => ({
    value,
    calls: figures.calls,
    tokens: tokensOf(figures),
    costNanos: figures.costNanos,
    isPriced: figures.pricedCalls > 0,
    share: now.total.costNanos === 0 ? 0 : figures.costNanos / now.total.costNanos,
    beforeNanos: earlier.get(value) ?? 0,
  }));
  return rows.sort((a, b) => b.costNanos - a.costNanos || b.calls - a.calls).slice(0, most);
}

/** Returns all tokens of calls: sent, read from a cache, written into one, and answered. */
export function tokensOf(figures: UsageFigures): number {
  return figures.inputTokens + figures.cacheReadTokens + figures.cacheWriteTokens + figures.outputTokens;
}
