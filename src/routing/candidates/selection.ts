import type { CandidateReason, WhyChosen } from "../../hub/candidate-reasons.ts";
import type { ArrivedAnswer, CandidateChoice } from "../../inference/ports.ts";
import type { Selector } from "../../learning/best-of-n/selector.ts";
import { hasPassed, type RuleChoice, whyNot } from "./choose-by-rules.ts";
import { readSignals } from "./read-signals.ts";

/** The part of learning in a choice. */
export interface Selection {
  /** The learned selector of the workload; undefined if there is none. */
  readonly selector: Pick<Selector, "predict" | "isProven" | "usualLogLength"> | undefined;
  /** True if what was learned may choose, and chance; else it is only recorded what is expected of each answer. */
  readonly acts: boolean;
  /** True if nothing but chance chooses, so that what was learned is measured. */
  readonly isTrial?: boolean;
  /** The policy's expectation of each model for the request, by name; undefined where only one is asked. */
  readonly worths?: ReadonlyMap<string, number> | undefined;
  /** Draws a number from 0 to below 1. */
  readonly random: () => number;
}

/** Part of the choices that is left to chance while the selector has not proved to be good, and once it has. */
const RANDOM_SHARE = { unproven: 0.1, proven: 0.05 };

/** A choice that is not changed: waiting for others or for what was learned could not better it. */
const CLEAR: ReadonlySet<WhyChosen> = new Set(["first_to_pass", "majority"]);

/**
 * Chooses among answers of which two at least have passed their checks: what was learned goes before rules where it has
 * proved to be good, and a small part of the choices is left to chance, so that it is measured. Of equals chance
 * chooses: the rules have nothing to say of them.
 */
export function selectAmong(
  arrived: readonly ArrivedAnswer[],
  byRules: RuleChoice,
  { selector, acts, random, worths, isTrial = false }: Selection,
): CandidateChoice {
  const positions = arrived.flatMap((answer, at) => (hasPassed(answer) ? [at] : []));
  const passing = positions.flatMap((at) => arrived[at] ?? []);
  const signals = readSignals(passing, { usualLogLength: selector?.usualLogLength, worths });
  const expected = selector && signals.map((each) => selector.predict(each));
  const ruled = positions.indexOf(byRules.chosen);
  const mayAct = acts && !CLEAR.has(byRules.why);
  const isLearned = mayAct && selector?.isProven === true && expected !== undefined;
  const best = isLearned ? expected.indexOf(Math.max(...expected)) : ruled;
  const share = !mayAct ? 0 : isTrial ? 1 : getShare(positions, byRules, isLearned);
  const isRandom = share > 0 && random() < share;
  const taken = isRandom ? Math.floor(random() * positions.length) : best;
  const why: WhyChosen = isRandom ? "random" : isLearned ? "learned" : byRules.why;
  const chosen = positions[taken] ?? byRules.chosen;
  const reasonOf = (at: number): CandidateReason => {
    if (at === chosen) return why;
    const isPassing = positions.includes(at);
    return isPassing && isRandom
      ? "not_drawn"
      : isPassing && isLearned
        ? "lower_rank"
        : whyNot(at, { ...byRules, chosen });
  };
  return {
    chosen,
    answers: byRules.scores.map((score, at) => {
      const position = positions.indexOf(at);
      const own = signals[position];
      if (own === undefined) return { score, reason: reasonOf(at) };
      const chance = share / positions.length + (position === best ? 1 - share : 0);
      return { score, reason: reasonOf(at), ranking: { signals: own, chance, expectedReward: expected?.[position] } };
    }),
  };
}

/** The part of such choices that is left to chance: all of those where the rules would go by who came first. */
function getShare(positions: readonly number[], { scores }: RuleChoice, isLearned: boolean): number {
  if (isLearned) return RANDOM_SHARE.proven;
  return positions.every((at) => scores[at] === scores[positions[0] ?? 0]) ? 1 : RANDOM_SHARE.unproven;
}
