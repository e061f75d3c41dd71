import { type AnswerFeatures, TOOL_KINDS, textDistance } from "./answer-features.ts";

/** The measures that answers are compared by. */
export const MEASURES = ["length", "finish", "tools", "exact", "text", "spread"] as const;

/** One of them. */
export type Measure = (typeof MEASURES)[number];

/**
 * The chance of a hit of each sign test of a measure where all answers come from one distribution, and the number of
 * its tests. Length, finish and tools compare a deployment's answer with one of base: either is the longer one equally
 * often, and of two that end for different reasons either has the one reason. The others compare it with two of base:
 * each of the three is equally often the odd one out.
 */
export const COINS: Record<Measure, { readonly chance: number; readonly coins: number }> = {
  length: { chance: 1 / 2, coins: 1 },
  finish: { chance: 1 / 2, coins: 16 },
  tools: { chance: 1 / 2, coins: TOOL_KINDS },
  exact: { chance: 1 / 3, coins: 1 },
  text: { chance: 1 / 3, coins: 1 },
  spread: { chance: 1 / 3, coins: 1 },
};

/** One trial of a sign test. */
export interface Toss {
  readonly measure: Measure;
  /** The index of the measure's sign test, from 0. */
  readonly coin: number;
  readonly isHit: boolean;
}

/** The result of one sample. */
export interface Comparison {
  readonly tosses: readonly Toss[];
  /** For deterministic requests: whether the deployment's answer is that of base. */
  readonly isMatch?: boolean | undefined;
  /** And whether two answers of base are the same: the noise floor. */
  readonly isBaseMatch?: boolean | undefined;
  /** True if base was asked twice. */
  readonly hasNull: boolean;
  /** The distance of the texts, 0 to 1. */
  readonly distance: number;
  readonly baseDistance?: number | undefined;
}

/** Answers to one request. */
interface Answers {
  /** Of the deployment. */
  readonly deployed: AnswerFeatures;
  /** Of the plain base call. */
  readonly base: AnswerFeatures;
  /** Of a second one like it. */
  readonly baseAgain?: AnswerFeatures | undefined;
  readonly isDeterministic: boolean;
}

/** Compares a deployment's answer with one of base, or with two. */
export function compareAnswers({ deployed, base, baseAgain, isDeterministic }: Answers): Comparison {
  const tosses = pairTosses(deployed, base);
  const distance = textDistance(deployed, base);
  const isMatch = isDeterministic ? deployed.exact === base.exact : undefined;
  if (baseAgain === undefined) return { tosses, isMatch, hasNull: false, distance };
  const odd = (measure: Measure, between: (one: AnswerFeatures, other: AnswerFeatures) => number): void => {
    const toBase = between(deployed, base);
    const toOther = between(deployed, baseAgain);
    const isHit = oddOne(toBase, toOther, between(base, baseAgain));
    if (isHit !== undefined) tosses.push({ measure, coin: 0, isHit });
  };
  if (isDeterministic) odd("exact", (one, other) => Number(one.exact !== other.exact));
  odd("text", textDistance);
  odd("spread", (one, other) => Math.abs(one.length - other.length));
  return {
    tosses,
    isMatch,
    isBaseMatch: isDeterministic ? base.exact === baseAgain.exact : undefined,
    hasNull: true,
    distance,
    baseDistance: textDistance(base, baseAgain),
  };
}

function pairTosses(deployed: AnswerFeatures, base: AnswerFeatures): Toss[] {
  const tosses: Toss[] = [];
  if (deployed.length !== base.length)
    tosses.push({ measure: "length", coin: 0, isHit: deployed.length > base.length });
  for (const measure of ["finish", "tools"] as const) {
    const [one, other] = [deployed[measure] % COINS[measure].coins, base[measure] % COINS[measure].coins];
    if (one === other) continue;
    tosses.push({ measure, coin: one, isHit: true }, { measure, coin: other, isHit: false });
  }
  return tosses;
}

/**
 * Returns whether the deployment's answer is the odd one out, given how far apart each two are; undefined if none of
 * the three is.
 */
function oddOne(toBase: number, toOther: number, ofBase: number): boolean | undefined {
  const least = Math.min(toBase, toOther, ofBase);
  const isTie = Number(toBase === least) + Number(toOther === least) + Number(ofBase === least) > 1;
  return isTie ? undefined : ofBase === least;
}
