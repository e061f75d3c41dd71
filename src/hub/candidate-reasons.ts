/** Why a candidate was chosen. */
export type WhyChosen =
  /** It was the first that passed all checks, of which some are made by machine. */
  | "first_to_pass"
  /** More than half of all candidates have come to the same conclusion. */
  | "majority"
  /** Its score is the highest. */
  | "highest_score"
  /** It came first of those with the highest score. */
  | "first_of_equals"
  /** No other one has answered. */
  | "only_answer"
  /** The learned selector expects the highest reward of it. */
  | "learned"
  /**
   * Chance chose it among those that passed their checks, each as likely as the others: what is learned is measured by
   * that.
   */
  | "random";

/** Why a candidate was not chosen, though it did not fail. */
type WhyNotChosen =
  | "lower_score"
  /** Its score is as high as that of the chosen one, which came before it. */
  | "later"
  /** The choice was made before it came. */
  | "not_awaited"
  /** The learned selector expects less of it than of the chosen one. */
  | "lower_rank"
  /** Chance chose another one. */
  | "not_drawn";

/** Why a candidate was chosen, or was not. */
export type CandidateReason = WhyChosen | WhyNotChosen;
