import type { DecisionRecord } from "../hub/decision-record.ts";

/** An inference was served, of a workload that is learned of. */
export interface ServedEvent {
  readonly kind: "served";
  /** Id of the inference. */
  readonly id: string;
  readonly projectId: string;
  /** Base: the model that was asked for. */
  readonly model: string;
  /** The model that answered, or failed to; or the arm of several answers that the policy chose. */
  readonly servedModel: string;
  readonly family: string;
  readonly status: string;
  /** True if the model refused to answer. */
  readonly isRefused: boolean;
  /** Null where there is no price. */
  readonly costNanos: number | null;
  /** The discount of reading the prompt from a cache; null where it is not known. */
  readonly cacheSavedNanos: number | null;
  readonly latencyMs: number;
  /** Absent from what was written by a version that did not say. */
  readonly isStreamed?: boolean;
  /** From the start to the first content of the answer; null if none came. */
  readonly firstTokenMs?: number | null;
  /** True if a session or a tool loop went on with the model that it had: nothing was decided. */
  readonly isContinued?: true;
}

/** A boolean or a number was said of an inference. */
export interface FeedbackEvent {
  readonly kind: "feedback";
  /** Id of the entry. */
  readonly id: string;
  readonly inferenceId: string;
  /** Position of the candidate whose answer it is on; null for the answer that was given. */
  readonly attempt: number | null;
  readonly projectId: string;
  /** Name of the metric. */
  readonly name: string;
  readonly value: boolean | number;
  /** Null means max, as docs/feedback.md says. */
  readonly optimize: string | null;
  /** Id of the key that sent it. Absent from what earlier versions wrote. */
  readonly keyId?: string;
  /** See FeedbackEntry. */
  readonly rater?: string;
  /** True if it is on a session as a whole, for which the inference stands. Absent from what earlier versions wrote. */
  readonly isOnSession?: boolean;
  /** True if it is taken back: its row is gone then. */
  readonly isTakenBack?: boolean;
  /** True if an operator took it back: nothing that was counted of it stays. */
  readonly isErased?: boolean;
  /** When it was said: values of one inference of the same time were said together. Milliseconds since 1970. */
  readonly atMs: number;
}

/** The facts of a judge's grades. */
interface GradeFacts {
  /** Id of the record of the trial or the check. */
  readonly id: string;
  readonly projectId: string;
  /** Base: the model that was asked for. */
  readonly model: string;
  readonly family: string;
}

/** A judge graded the answers of a shadow trial: the one that was given, and the one that was tried. */
export interface GradedEvent extends GradeFacts {
  readonly kind: "graded";
  /** True of a trial on a request that was on record: an improvement asked for it. */
  readonly isRecorded?: true;
  readonly grades: readonly {
    readonly servedModel: string;
    readonly isGood: boolean;
    /** The grade of the second judge; absent where it gave none. */
    readonly isSecondGood?: boolean;
  }[];
}

/** A judge graded an answer that people gave a reward for, or said nothing of: null. */
export interface CheckedEvent extends GradeFacts {
  readonly kind: "checked";
  /** Id of the inference whose answer it is on; absent of a verdict, and from what earlier versions wrote. */
  readonly inferenceId?: string;
  readonly servedModel: string;
  /** Null of a verdict on an answer that the judge could not grade. */
  readonly isGood: boolean | null;
  /** The grade of the second judge; absent where it gave none. */
  readonly isSecondGood?: boolean;
  /** True of a verdict on a trial's answer, which no feedback tells. */
  readonly isVerdict?: true;
  /** From 0 to 1. */
  readonly reward: number | null;
}

/** Something to learn from, as it waits in the database. */
export type LearningEvent = ServedEvent | FeedbackEvent | GradedEvent | CheckedEvent;

/** Something on record of a workload: an inference with the decision on who answered, or what was said of one. */
export type LoggedItem =
  | { readonly kind: "served"; readonly event: ServedEvent; readonly decision: DecisionRecord }
  | { readonly kind: "feedback"; readonly event: FeedbackEvent };
