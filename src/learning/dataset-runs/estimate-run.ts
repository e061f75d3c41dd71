import { GRADE_TOKENS, INSTRUCTION_TOKENS } from "../shadow/judge.ts";
import type { RunRequest } from "./ports.ts";

/** Returns the price of tokens at a model, in nano-USD; undefined where it has none. */
type PriceTokens = (model: string, tokens: { readonly input: number; readonly output: number }) => number | undefined;

/** The cost of a run before it is made. */
export interface RunEstimate {
  readonly requests: number;
  /** Requests of which a judge grades the answers. */
  readonly graded: number;
  /** Of the answers and their grades; null where a model has no price. */
  readonly nanos: number | null;
  /** Models without a price. */
  readonly unpriced: readonly string[];
}

/** A run may cost so many times what was estimated, and ends where it does. */
export const MOST_TIMES_DEARER = 2;

/** Estimates what a run costs: as many tokens as were recorded, at today's prices, and a grade of each answer. */
export function estimateRun(
  models: readonly string[],
  requests: readonly RunRequest[],
  priceOf: PriceTokens,
): RunEstimate {
  const unpriced = new Set<string>();
  const price = (model: string, input: number, output: number): number => {
    const nanos = priceOf(model, { input, output });
    if (nanos === undefined) unpriced.add(model);
    return nanos ?? 0;
  };
  let nanos = 0;
  for (const { inputTokens, outputTokens, judge } of requests) {
    const [input, output] = [inputTokens ?? 0, outputTokens ?? 0];
    for (const model of models) nanos += price(model, input, output);
    if (judge === undefined) continue;
    const grade = price(judge.model, INSTRUCTION_TOKENS + input + output, GRADE_TOKENS);
    nanos += models.length * grade;
  }
  return {
    requests: requests.length,
    graded: requests.filter(({ judge }) => judge !== undefined).length,
    nanos: unpriced.size === 0 ? nanos : null,
    unpriced: [...unpriced],
  };
}
