import type { CandidateReason } from "../../../../../lib/candidate-reasons.ts";
import { type CandidateRanking, RANKED_SIGNALS, type RankedSignal } from "../../../../../lib/candidate-signals.ts";
import type { FailedCheck } from "../../../../../lib/failed-checks.ts";

/** Why a candidate was chosen, or was not. */
const REASONS: Readonly<Record<string, string>> = {
  first_to_pass: "Chosen: the first of the form that was asked for.",
  majority: "Chosen: more than half of the candidates came to the same conclusion.",
  highest_score: "Chosen: the highest score.",
  first_of_equals: "Chosen: it came first of those with the highest score.",
  only_answer: "Chosen: no other one has answered.",
  lower_score: "Not chosen: another answer has a higher score.",
  later: "Not chosen: an answer as good came before it.",
  not_awaited: "Not chosen: the choice was made before it came.",
  learned: "Chosen: what was learned from feedback expects most of it.",
  random: "Chosen: by chance among those that passed, to measure what is learned.",
  lower_rank: "Not chosen: what was learned from feedback expects more of another answer.",
  not_drawn: "Not chosen: chance chose another one, to measure what is learned.",
} satisfies Record<CandidateReason, string>;

/** What checks of an answer found wrong with it. */
const FAILED_CHECKS: Readonly<Record<string, string>> = {
  cut: "it was cut",
  refused: "it refuses",
  empty: "it says nothing",
  invalid_json: "JSON was asked for, and its text is none",
  schema_mismatch: "its JSON does not fit the schema that was asked for, or is configured",
  unknown_tool: "it calls a tool that the request does not have",
  invalid_arguments: "the arguments of a call are no JSON",
  arguments_mismatch: "the arguments of a call do not fit the tool's schema",
  pattern_mismatch: "its text is not of the pattern that the model is configured with",
  webhook_rejected: "a webhook that the model is configured with says that it does not pass",
} satisfies Readonly<Record<FailedCheck, string>>;

/** What is said of an attempt whose answer was checked, or compared with others. */
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

/** Says what an answer is ranked by, beside the others; undefined where it is not, and where nothing tells it from them. */
export function signalsText({ ranking }: Judged): string | undefined {
  if (ranking == null) return undefined;
  const told = RANKED_SIGNALS.flatMap((name) => {
    const value = Number((ranking.signals[name] ?? 0).toFixed(2));
    return value === 0 ? [] : [`${SIGNALS[name]} ${value < 0 ? "−" : "+"}${Math.abs(value)}`];
  });
  return told.length === 0 ? undefined : `Beside the others: ${told.join(", ")}.`;
}

/** Says why an answer was chosen or was not, its score, and the reward that was expected of it; undefined where there was nothing to choose. */
export function reasonText({ candidateReason, score, ranking }: Judged): string | undefined {
  if (candidateReason == null) return undefined;
  const scored = score == null ? "" : ` Score ${Number(score.toFixed(3))} of 1.`;
  const { expectedReward } = ranking ?? {};
  const expected = expectedReward === undefined ? "" : ` Expected reward ${Number(expectedReward.toFixed(3))} of 1.`;
  return `${REASONS[candidateReason] ?? candidateReason}${scored}${expected}`;
}
