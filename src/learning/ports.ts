import type { PastChoice } from "./best-of-n/selector.ts";
import type { FeedbackEvent, LearningEvent } from "./events.ts";
import type { Prompt } from "./learner/known-clusters.ts";
import type { WorkloadKey } from "./workload.ts";

/** Events of the history of a workload, each with what it tells. */
export const WORKLOAD_EVENTS = {
  begun: "the workload began, and with what",
  outlook: "what `on` would do",
  switched:
    "another model is best in a family with 20 rewards or more, and answered there; with both estimates and the " +
    "rewards they rest on",
  closed: "a regret budget was exceeded, with its name",
  reopened: "all regret budgets have room again",
  constraint: "a model breaks a bound on a metric, or breaks none any more",
  divided: "[clusters](learning-rules.md#clusters-of-prompts) have won or lost in a family",
  selector:
    "[the selector among several answers](best-of-several.md#the-learned-selector) is good enough, or no longer is, " +
    "or is [measured anew](best-of-several.md#selector-trials); with its accuracy",
  drift: "a model is not what it was: most of what was known of it is forgotten",
  "metrics-full": "there are more than 100 names of number metrics, and one that few use has no place; told once a day",
  unreadable: "the state is of another version, and began anew",
  controls: "what somebody set, with the person or key, if known",
  reset: "somebody had what was learned forgotten",
  rebuilt: "somebody had it learned anew",
} as const satisfies Readonly<Record<string, string>>;

/** A kind of event in the history of a workload. */
type WorkloadEventKind = keyof typeof WORKLOAD_EVENTS;

/** Events that were written together. */
interface EventBatch {
  readonly id: string;
  readonly events: readonly LearningEvent[];
}

/** A choice among candidates, as it is on record. */
export interface RecordedChoice extends PastChoice {
  /** The position of each one's attempt. */
  readonly attempts: readonly number[];
}

/** The feedback on another answer to the same request, on the same metric. */
export interface OtherValue {
  /** See FeedbackEvent. */
  readonly attempt: number | null;
  /** Booleans are 0 and 1. */
  readonly value: number;
}

/** A value of an answer that was given, as it is stored. */
export interface StoredValue {
  /** Id of the entry. */
  readonly id: string;
  readonly inferenceId: string;
  /** Name of the metric. */
  readonly name: string;
  readonly value: boolean | number;
  readonly optimize: string | null;
  /** True if it is on a session as a whole. */
  readonly isOnSession?: boolean;
  /** When it was sent, in milliseconds since 1970. */
  readonly atMs: number;
}

/** The session of a call. */
export interface CallSession {
  readonly projectId: string;
  readonly keyId: string;
  readonly source: string | null;
  readonly id: string;
}

/** A call that values may be on. */
export interface RatedCall {
  /** Id of the inference. */
  readonly id: string;
  readonly model: string;
  /** See FeedbackTarget. */
  readonly servedModel: string;
  readonly family: string;
}

/** The values of a metric that may be copies of each other: those sent in a time for the calls of a session. */
export interface SessionMetric {
  readonly session: CallSession;
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The facts of an inference that feedback needs. */
export interface FeedbackTarget {
  readonly model: string;
  /** The model that answered, or the arm of several answers that the policy chose. */
  readonly servedModel: string;
  /** Empty where nothing was learned of the model that answered. */
  readonly family: string;
  /** The choice of the answer among several; undefined where there was none, or nothing is learned of it. */
  readonly choice?: RecordedChoice | undefined;
  readonly session?: CallSession | undefined;
  /** The end user of the call; undefined without one. */
  readonly endUserId?: string | undefined;
}

/** An answer that feedback was learned of. */
export interface RewardedAnswer {
  readonly key: WorkloadKey;
  readonly inferenceId: string;
  readonly servedModel: string;
  readonly family: string;
  /** From 0 to 1. */
  readonly reward: number;
}

/** The stored state of a workload. */
export interface StoredState {
  readonly key: WorkloadKey;
  readonly version: number;
  /** See MemorySnapshot; undefined once it was reset. */
  readonly snapshot: string | undefined;
  /** When it was written, in milliseconds since 1970; absent where it was not. */
  readonly updatedAtMs?: number;
}

/** A state that changed. */
export interface ChangedState {
  readonly key: WorkloadKey;
  /** The version that it was made from; 0 if there was none. */
  readonly from: number;
  readonly snapshot: string;
  readonly rewards: number;
  /** A point of its course, as JSON of WorkloadFigures; undefined where the last one is too young for another. */
  readonly point: string | undefined;
}

/** Something that people are told of a workload. */
export interface HistoryEvent {
  readonly key: WorkloadKey;
  readonly kind: WorkloadEventKind;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The result of a step of learning, which is written as a whole or not at all. */
export interface Learned {
  readonly consumed: readonly string[];
  readonly putBack: readonly { readonly events: readonly LearningEvent[]; readonly dueAtMs: number }[];
  readonly states: readonly ChangedState[];
  readonly history: readonly HistoryEvent[];
  /**
   * True if the other processes are told at once. Where they are not, they find what is new by looking from time to
   * time.
   */
  readonly hasNews: boolean;
}

/** A step was not written, since somebody else wrote what it began from. */
export class LearningConflict extends Error {
  override readonly name = "LearningConflict";
}

/** A step of learning, as the database sees it. */
export interface LearningStep {
  /** Reads what is due, in the order of writing, up to about so many events. */
  readBatches(mostEvents: number): Promise<EventBatch[]>;
  /** Finds the inferences that are in the database. */
  findTargets(inferenceIds: readonly string[]): Promise<ReadonlyMap<string, FeedbackTarget>>;
  /** Returns the ids of those before which something was said on the same metric of the same answer. */
  findRepeated(entries: readonly FeedbackEvent[]): Promise<ReadonlySet<string>>;
  /**
   * Returns the values of answers, the earliest ids first: of each answer at most `most`. By the id of the inference.
   */
  findValues(inferenceIds: readonly string[], most: number): Promise<ReadonlyMap<string, readonly StoredValue[]>>;
  /**
   * Returns the values of a metric in a session, of each metric that is asked for. Values of whole sessions are none.
   */
  findInSessions(metrics: readonly SessionMetric[]): Promise<readonly (readonly StoredValue[])[]>;
  /**
   * Returns the calls of those of the sessions that feedback as a whole is on, the oldest first: the latest of each.
   * By the place of the session among those that are asked for.
   */
  findJudgedCalls(sessions: readonly CallSession[]): Promise<ReadonlyMap<number, readonly RatedCall[]>>;
  /**
   * Returns what was said before of other answers to the same requests, on the same metrics: the first of each answer.
   * By the ids of the entries.
   */
  findOthers(entries: readonly FeedbackEvent[]): Promise<ReadonlyMap<string, readonly OtherValue[]>>;
  readVersions(keys: readonly WorkloadKey[]): Promise<ReadonlyMap<string, number>>;
  readStates(keys: readonly WorkloadKey[]): Promise<StoredState[]>;
  /** Reads other workloads of a project, those with the most rewards first. */
  readNeighbours(key: WorkloadKey, most: number): Promise<StoredState[]>;
  /** Throws a LearningConflict where nothing may be written. */
  write(learned: Learned): Promise<void>;
}

/** A family of a workload. */
export interface WholeFamily {
  readonly key: WorkloadKey;
  readonly family: string;
}

/** The store of learning. */
export interface LearnerStore {
  /** Runs a step while nobody else does, as far as that can be told; "busy" if somebody else does. */
  step<T>(work: (step: LearningStep) => Promise<T>): Promise<T | "busy">;
  /**
   * Reads how the conversations of a family's latest requests began, and their templates, as far as that is stored;
   * `most` of them at most.
   */
  readPrompts(family: WholeFamily, most: number): Promise<readonly Prompt[]>;
}

/** A workload's key as one text. */
export function keyText({ projectId, model }: WorkloadKey): string {
  return `${projectId}/${model}`;
}
