import type { GenerateResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { CandidateReason } from "../../hub/candidate-reasons.ts";
import type { CandidateRanking } from "../../hub/candidate-signals.ts";
import type { AnswerVerdict } from "../checks/verdict.ts";

/** One of several answers to the same request, as far as it is compared with the others. */
export interface JudgedAnswer {
  readonly verdict: AnswerVerdict;
  /** The conclusion, normalised so that equal ones are the same text; undefined where it cannot be told. */
  readonly conclusion: string | undefined;
  /** The count of each of its words; empty where it has a conclusion. */
  readonly words: ReadonlyMap<string, number>;
  /** Length of what it says. */
  readonly characters: number;
  /** Mean logarithm of the probabilities of its tokens; undefined where it came without them. */
  readonly logProbability?: number | undefined;
}

/** An answer that has come. */
export interface ArrivedAnswer extends JudgedAnswer {
  /** True if it came from another place than the first one that was asked. */
  readonly isElsewhere: boolean;
  /** Name of the model that gave it. */
  readonly model: string;
}

/** Judges an answer by itself; `signal` aborts where nobody wants to know any more. Never rejects. */
export type JudgeAnswer = (answer: GenerateResponse, signal: AbortSignal) => Promise<JudgedAnswer>;

/** The result of a choice for one answer. */
export interface ComparedAnswer {
  /** From 0 to 1: below 0.5 where a check has failed. */
  readonly score: number;
  readonly reason: CandidateReason;
  /** Undefined where nothing is learned, where it failed a check, and where no other one passed. */
  readonly ranking?: CandidateRanking | undefined;
}

/** A choice among answers, by their positions. */
export interface CandidateChoice {
  readonly chosen: number;
  readonly answers: readonly ComparedAnswer[];
}

/**
 * Chooses among the answers that have come, in the order in which they came; undefined where it is worth the wait for
 * the `coming` ones that are under way.
 */
export type ChooseCandidate = (arrived: readonly ArrivedAnswer[], coming: number) => CandidateChoice | undefined;
