import { GRADE_TOKENS, INSTRUCTION_TOKENS } from "../shadow/judge.ts";

/** Tokens of a call. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
}

/** The calls that an improvement is expected to make. */
interface ExpectedCalls {
  readonly models: readonly string[];
  /** The second one is asked at most as often as the first. */
  readonly judges: readonly string[];
  /** Calls of other models, and answers by which the judge is measured first. */
  readonly calls: number;
  readonly checks: number;
  /** Of a usual call. */
  readonly tokens: Tokens;
  /** Returns the price of tokens at a model, in nano-USD; undefined where it has none. */
  readonly priceOf: TokenPrice;
}

/** Returns the price of tokens at a model, in nano-USD; in the flex tier where it has a cheaper one, if that is said. */
export type TokenPrice = (model: string, tokens: Tokens, tier?: "flex") => number | undefined;

/** The cost of an improvement before it is made, in nano-USD. */
export interface ImprovementEstimate {
  /** If all models are asked equally often, and if only the most expensive one is; undefined if one has no price. */
  readonly nanos: { readonly mean: number; readonly most: number } | undefined;
  /** The first of these in the flex tier; undefined where that saves nothing. */
  readonly flexNanos?: number;
  /** Models without a price. */
  readonly unpriced: readonly string[];
}

/** Estimates what an improvement costs: calls as long as usual, at today's prices, with a grade of each answer. */
export function estimateImprovement(expected: ExpectedCalls): ImprovementEstimate {
  const { models, judges, calls, checks, tokens, priceOf } = expected;
  const { input, output } = tokens;
  const ofGrade = { input: INSTRUCTION_TOKENS + input + output, output: GRADE_TOKENS };
  const gradePrices = judges.map((judge) => priceOf(judge, ofGrade));
  const prices = models.map((model) => priceOf(model, tokens));
  const unpriced = [...judges, ...models].filter((_, at) => [...gradePrices, ...prices][at] === undefined);
  const known = prices.filter((price) => price !== undefined);
  if (unpriced.length > 0 || known.length === 0) return { nanos: undefined, unpriced };
  const grade = gradePrices.reduce<number>((sum, price = 0) => sum + price, 0);
  const grades = (checks + 2 * calls) * grade;
  const mean = known.reduce((sum, price) => sum + price, 0) / known.length;
  return { nanos: { mean: grades + calls * mean, most: grades + calls * Math.max(...known) }, unpriced };
}
