import type { AnswerId, FeedbackTarget } from "../hub/answer-ids.ts";
import type { Capacity } from "../hub/capacity.ts";
import type { ErrorReason } from "../hub/error.ts";
import type { FeedbackGrant } from "../hub/principal.ts";

/** The facts of an inference that feedback needs. */
export interface InferenceFacts {
  readonly projectId: string;
  /** Model without the prefix. */
  readonly model: string;
  readonly workload: string;
}

/** Tells of inferences. */
export interface InferenceLookup {
  /** Finds an inference that is under way in this process or waits for the database; undefined if it is neither. */
  findRecent(id: string): InferenceFacts | undefined;
  /**
   * Finds inferences of a project that are in the database, or that another process has under way or on its way there.
   * Unknown ids are left out; "unsure" are those that a process may have which does not answer.
   */
  findStored(ids: readonly string[], projectId: string): Promise<ReadonlyMap<string, InferenceFacts | "unsure">>;
  /**
   * Finds answers of candidates that were compared and not given, of inferences of a project that are known. They are
   * read in the database, so that those on their way there are waited for. Others are left out; "unsure" are those that
   * did not come in time. By their ids.
   */
  findCandidates(answers: readonly AnswerId[], projectId: string): Promise<ReadonlyMap<string, "here" | "unsure">>;
  /**
   * Finds the inference that stands for a session: the latest one of those that were served as most of its calls were.
   * It is a session of the key; where that has none, of another key of the project. Undefined if the project has none.
   */
  findSession(sessionId: string, projectId: string, keyId: string): Promise<string | undefined>;
}

/** The content of feedback: booleans and numbers are metrics, texts are notes. */
export type FeedbackContent =
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "float"; readonly value: number }
  | { readonly kind: "note"; readonly value: string };

/** A value under its flattened name. */
export interface NamedContent {
  readonly name: string;
  readonly content: FeedbackContent;
}

/** Counts the values of an event that a feedback token sends. */
export type CountValues = (event: {
  readonly values: readonly NamedContent[];
  readonly takenBack: readonly string[];
}) => void;

/** Bounds what feedback tokens send. */
export interface TokenBounds {
  /**
   * Returns what counts the values of an event on what a token is for, and lets names be given again that it takes
   * back. It throws INVALID_REQUEST where one may not be sent.
   */
  open(grant: FeedbackGrant, projectId: string): Promise<CountValues>;
}

/** Reads the names of the values that a rater gave on an answer or a session, up to so many. */
export type ReadRatedNames = (grant: FeedbackGrant, projectId: string, most: number) => Promise<readonly string[]>;

/** The name of a value in its project. */
export type ValueName = Pick<NewFeedbackEntry, "projectId" | "name">;

/** Reads the kinds of the latest values of a name. */
export type ReadKinds = (projectId: string, name: string) => Promise<readonly FeedbackContent["kind"][]>;

/** One flattened value of feedback. */
export interface NewFeedbackEntry {
  readonly id: string;
  readonly inferenceId: string;
  /** Position of the attempt whose answer it is on; null for the answer that was given. */
  readonly attempt: number | null;
  /** The session as a whole that it is on; null for what is on the inference alone. */
  readonly sessionId: string | null;
  readonly projectId: string;
  /** Model and workload of the inference. */
  readonly model: string;
  readonly workload: string;
  /** Public id of the key that sent it. */
  readonly keyId: string;
  /** Its rater, where that is neither the end user of the inference nor the key; null otherwise. */
  readonly rater: string | null;
  /** Names of nested groups joined with dots. */
  readonly name: string;
  readonly content: FeedbackContent;
  readonly tags: Readonly<Record<string, string>>;
  /** The direction in which the metric gets better; undefined if the caller did not say. */
  readonly optimize: "max" | "min" | undefined;
  readonly createdAt: Date;
}

/** Keeps feedback. */
export interface FeedbackStore {
  /** Stores all entries, or rejects and stores none. */
  insert(entries: readonly NewFeedbackEntry[]): Promise<void>;
  /**
   * Takes back what a sender has sent, with all that was counted and learned of it. Resolves to "unknown" where there
   * is no entry of this id, and "late" where one may still be on its way to the database.
   */
  takeBack(feedback: SentFeedback): Promise<"gone" | "unknown" | "late">;
}

/** The feedback of a sender. */
export interface SentFeedback {
  readonly projectId: string;
  readonly keyId: string;
  /** The rater that a token stands for; null for what the key itself sent. */
  readonly rater: string | null | "any";
  /** The entry; all if absent. */
  readonly id?: string;
  /** The answer or session; any if absent. */
  readonly target?: FeedbackTarget;
  /** Tells whether entries of a name are meant; all if absent. */
  readonly isNamed?: (name: string) => boolean;
}

/** The log for failures of the database. */
interface FeedbackLog {
  error(facts: object, message: string): void;
}

/** The ports of the feedback service. */
export interface FeedbackPorts {
  /** Bounds the events that are on their way. */
  readonly capacity: Capacity;
  readonly inferences: InferenceLookup;
  readonly feedback: FeedbackStore;
  /** Bounds what feedback tokens send. */
  readonly tokenValues: TokenBounds;
  /** The kinds of values by their names, which senders with API keys are told of. */
  readonly kinds: {
    open(values: readonly ValueName[]): Promise<void>;
    note(value: NewFeedbackEntry): string | undefined;
  };
  readonly log?: FeedbackLog;
  /** Hears of the events of a batch: why each was refused, undefined for one that was stored. */
  readonly count?: (refusals: readonly (ErrorReason | undefined)[]) => void;
}
