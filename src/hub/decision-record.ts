/**
 * The mode of learning: off; decisions are made and recorded only; or they choose who answers.
 */
export type LearningMode = "off" | "observe" | "on";

/** Why the policy's choice was not followed: it was only observed, or base had to answer. */
export type OverrideReason =
  /** Decisions are recorded, and base answers. */
  | "observed"
  /** Every other model would lose a part of the request in translation, or cannot take it. */
  | "unfit"
  /** A tool loop, or a conversation with opaque state, goes on with the model that it began with. */
  | "conversation"
  /** A session goes on with the model that was chosen in it. */
  | "session"
  /** The process had not read yet what was learned of the workload, so that it took it for a new one. */
  | "unread";

/**
 * A decision on who answers, as it is recorded: the arm follows from the other members, and so does the chance that any
 * arm had.
 */
export interface DecisionRecord {
  readonly mode: LearningMode;
  /**
   * Prompt family: `tag:` and the caller's own name, or `auto:` and a fingerprint. With `#`, a number and `.` the
   * number of the cluster follows, where clusters are tried or used.
   */
  readonly family: string;
  /** Version of the policy's rules, and of the workload's state. */
  readonly policy: string;
  readonly version: number;
  /** Models by name, base first among equals; what follows has a figure for each. */
  readonly arms: readonly string[];
  readonly eligible: readonly number[];
  readonly worths: readonly number[];
  readonly doubts: readonly number[];
  /** Positions among the arms. */
  readonly base: number;
  readonly best: number;
  readonly arm: number;
  /**
   * By the estimates, to explore, as the control that base is played for, or since nothing else may serve: the workload
   * is held or has no feedback yet, or no other arm is eligible.
   */
  readonly choice: "best" | "explored" | "control" | "only";
  readonly controlChance: number;
  readonly exploreChance: number;
  /** The factor by which exploring widened the variance of each estimate. */
  readonly exploreWidth: number;
  /** The cost of a lost prompt cache, in prices of base. */
  readonly switchCost: number;
  readonly hasRoom: boolean;
  /**
   * Answers of others than base that were not learned from yet, where what the account had room for was risked by these
   * already.
   */
  readonly pendingDecisions?: number;
  readonly seed: number;
  /** The models that arms of several answers would have asked, the best first; absent where there are no such arms. */
  readonly ranked?: readonly string[];
  /** Name of the arm of several answers whose models were asked; absent where one was. */
  readonly several?: string;
  /** Undefined where the choice was followed. */
  readonly kept?: OverrideReason;
}
