import { wholeFamily } from "../bandit/cluster-id.ts";
import { REST } from "../bandit/families.ts";
import type { WorkloadState } from "../bandit/workload-state.ts";
import { listFindings } from "../learner/finding.ts";

/** Models that pairs of answers are shown of, and pairs of each. */
const MOST_MODELS = 5;
const MOST_OF_MODEL = 3;

/** The verdicts on an answer: of the judge, of the second one, and of a person; null where there is none. */
export interface AnswerVerdicts {
  readonly judge: boolean | null;
  readonly secondJudge: boolean | null;
  readonly person: boolean | null;
}

/** A recorded answer of base and that of another model, with the verdicts on both. */
export interface GradedPair {
  readonly id: string;
  readonly inferenceId: string;
  readonly family: string;
  readonly model: string;
  readonly ofBase: AnswerVerdicts;
  readonly ofModel: AnswerVerdicts;
}

/** A pair by which a model is known to be better or worse than base. */
export interface DecidingPair extends GradedPair {
  readonly isBetter: boolean;
}

/**
 * Chooses the pairs that moved the estimates most of models that are better or worse than base with confidence: those
 * with the largest difference of verdicts in that direction, people's before judges', one of each family of prompts
 * before a second one, the families with the most requests first. Of equal ones the first stays first, and the best
 * models do.
 */
export function chooseDeciding(state: WorkloadState, pairs: readonly GradedPair[]): DecidingPair[] {
  const requestsOf = (family: string): number =>
    state.requests[state.families.find(family) ?? state.families.find(wholeFamily(family)) ?? REST] ?? 0;
  const certain = listFindings(state).filter(({ low, high }) => low > 0 || high < 0);
  certain.sort((one, other) => other.gain - one.gain);
  return certain.slice(0, MOST_MODELS).flatMap(({ model, low }) => {
    const isBetter = low > 0;
    const moving = pairs
      .filter((pair) => pair.model === model)
      .map((pair) => ({ pair, moved: (isBetter ? 1 : -1) * getDifference(pair) }))
      .filter(({ moved }) => moved > 0)
      .sort((one, other) => other.moved - one.moved);
    const seen = new Map<string, number>();
    const ranked = moving.map(({ pair }) => {
      const rank = seen.get(pair.family) ?? 0;
      seen.set(pair.family, rank + 1);
      return { pair, rank, requests: requestsOf(pair.family) };
    });
    ranked.sort((one, other) => one.rank - other.rank || other.requests - one.requests);
    return ranked.slice(0, MOST_OF_MODEL).map(({ pair }) => ({ ...pair, isBetter }));
  });
}

/** Returns how much better a model's answer was found than base's: up to 1 by judges, and up to 2 by a person. */
function getDifference({ ofBase, ofModel }: GradedPair): number {
  const ofPeople = differ(ofBase.person, ofModel.person);
  if (ofPeople !== undefined) return 2 * ofPeople;
  const [first, second] = [differ(ofBase.judge, ofModel.judge), differ(ofBase.secondJudge, ofModel.secondJudge)];
  return ((first ?? 0) + (second ?? first ?? 0)) / 2;
}

function differ(ofBase: boolean | null, ofModel: boolean | null): number | undefined {
  return ofBase === null || ofModel === null ? undefined : Number(ofModel) - Number(ofBase);
}
