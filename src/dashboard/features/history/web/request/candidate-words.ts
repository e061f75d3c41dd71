import type { CandidateReason } from "../../../../../hub/candidate-reasons.ts";
import { type CandidateRanking, RANKED_SIGNALS, type RankedSignal } from "../../../../../hub/candidate-signals.ts";
import type { FailedCheck } from "../../../../../hub/failed-checks.ts";

/** Why a candidate was chosen, or was not. */
const REASONS: Readonly<Record<string, string>> = {
  first_to_pass: "Chosen: the first answer that passed its checks.",
  majority: "Chosen: more than half of the candidates came to the same conclusion.",
  highest_score: "Chosen: the highest score.",
  first_of_equals: "Chosen: the first of those with the highest score.",
  only_answer: "Chosen: the only answer.",
  lower_score: "Not chosen: another answer has a higher score.",
  later: "Not chosen: an equally good answer came first.",
  not_awaited: "Not chosen: it came after the choice.",
  learned: "Chosen: the selector expects the best feedback.",
  random: "Chosen: at random among those that passed, to measure the selector.",
  lower_rank: "Not chosen: the selector expects better feedback for another answer.",
  not_drawn: "Not chosen: another answer was chosen at random, to measure the selector.",
} satisfies Record<CandidateReason, string>;

/** The texts for failed checks of an answer. */
const FAILED_CHECKS: Readonly<Record<string, string>> = {
  cut: "it is cut off",
  refused: "it is a refusal",
  empty: "it is empty",
  invalid_json: "its text is not JSON, as requested",
  schema_mismatch: "its JSON does not match the schema",
  unknown_tool: "it calls an unknown tool",
  invalid_arguments: "the arguments of a call are not JSON",
  arguments_mismatch: "the arguments of a call do not match the tool's schema",
  pattern_mismatch: "its text does not match the configured pattern",
  webhook_rejected: "the configured webhook rejected it",
} satisfies Readonly<Record<FailedCheck, string>>;

/** The verdict on an attempt whose answer was checked, or compared with others. */
interface Judged {
  readonly failedChecks?: readonly FailedCheck[] | null | undefined;
  readonly score?: number | null | undefined;
  readonly candidateReason?: CandidateReason | null | undefined;
  readonly ranking?: CandidateRanking | null | undefined;
}

/** Says what is wrong with an answer; undefined where nothing was found. */
export function failedText({ failedChecks }: Judged): string | undefined {
  const failed = failedChecks ?? [];
  if (failed.length === 0) return undefined;
  return `Its answer failed a check: ${failed.map((check) => FAILED_CHECKS[check] ?? check).join("; ")}.`;
}

/** Names of the signals that answers are ranked by. */
const SIGNALS: Readonly<Record<RankedSignal, string>> = {
  agreement: "agreement",
  length: "length",
  unusual: "unusual length",
  order: "order",
  elsewhere: "elsewhere",
  proven: "proven form",
  confidence: "log-probability",
  model: "model",
};

/**
 * Says what an answer is ranked by, beside the others; undefined where it is not, and where nothing tells it from them.
 */
export function signalsText({ ranking }: Judged): string | undefined {
  if (ranking == null) return undefined;
  const parts = RANKED_SIGNALS.flatMap((name) => {
    const value = Number((ranking.signals[name] ?? 0).toFixed(2));
    return value === 0 ? [] : [`${SIGNALS[name]} ${value < 0 ? "−" : "+"}${Math.abs(value)}`];
  });
  return parts.length === 0 ? undefined : `Compared to the others: ${parts.join(", ")}.`;
}

/**
 * Says why an answer was chosen or was not, its score, and the reward that was expected of it; undefined where there
 * was nothing to choose.
 */
export function reasonText({ candidateReason, score, ranking }: Judged): string | undefined {
  if (candidateReason == null) return undefined;
  const scored = score == null ? "" : ` Score ${Number(score.toFixed(3))} of 1.`;
  const { expectedReward } = ranking ?? {};
  const expected = expectedReward === undefined ? "" : ` Expected reward ${Number(expectedReward.toFixed(3))} of 1.`;
  return `${REASONS[candidateReason] ?? candidateReason}${scored}${expected}`;
}
