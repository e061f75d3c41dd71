import { formatPercent, NONE } from "../../../web/parts/format.ts";

const floats = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 4 });

/** Writes a mean of numbers, or the share of booleans that are true. */
export function writeMean(kind: string, mean: number | null | undefined): string {
  if (mean === null || mean === undefined) return NONE;
  return kind === "boolean" ? formatPercent(mean) : floats.format(mean);
}

/** Writes what the mean of a kind is. */
export function meanLabel(kind: string): string {
  return kind === "boolean" ? "share of true" : kind === "float" ? "mean" : "notes have no mean";
}

/** Writes an estimate with its interval: 81.2% (78.9% – 83.4%). */
export function writeEstimate(
  kind: string,
  estimate: { readonly mean: number; readonly low: number | null; readonly high: number | null } | null,
): string {
  if (estimate === null) return NONE;
  const { mean, low, high } = estimate;
  const interval = low === null || high === null ? "no interval" : `${writeMean(kind, low)} – ${writeMean(kind, high)}`;
  return `${writeMean(kind, mean)} (${interval})`;
}

/** Words for the kinds of feedback. */
export const KIND_WORDS: Readonly<Record<string, string>> = { boolean: "yes or no", float: "number", note: "note" };
