import type { GenerateResponse, InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { HubInput } from "../../hub/input.ts";
import type { BackgroundAnswer, PlannedAttempt } from "../../inference/ports.ts";

/**
 * Why an answer was graded: another model was tried on it, its caller has given feedback, or its caller has said
 * nothing where people only complain. A verdict is of people of the project on a trial's answer.
 */
export type ShadowKind = "trial" | "check" | "silent" | "verdict";

/** A shadow trial, or a check of the judge, as it is recorded. It holds no text. */
export interface ShadowRecord {
  readonly id: string;
  readonly inferenceId: string;
  readonly projectId: string;
  /** The improvement that asked for it; null for one of ordinary traffic. */
  readonly improvementId: string | null;
  /** Base: the model that was asked for. */
  readonly model: string;
  readonly family: string;
  readonly kind: ShadowKind;
  /** The model that answered, and the one that was tried; null where none was. */
  readonly servedModel: string;
  readonly trialModel: string | null;
  /** The judge's grades; null where there is none. */
  readonly servedGood: boolean | null;
  readonly trialGood: boolean | null;
  /** The second judge's grades; null if it was not asked, or gave none. */
  readonly servedGoodSecond: boolean | null;
  readonly trialGoodSecond: boolean | null;
  /** The reward of a check or a verdict, from 0 to 1; null for other kinds. */
  readonly reward: number | null;
  /** Of all calls. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Null where no call had a price. */
  readonly costNanos: number | null;
  readonly startedAt: Date;
  /** All answers were graded, some were not, or the trial's model did not answer. */
  readonly outcome: "graded" | "ungraded" | "failed";
}

/** The settings of a process's shadow trials; a workload's controls have the others. */
export interface ShadowSettings {
  /** Trials and checks of a process at a time. */
  readonly concurrency: number;
  /** The time that the calls of one may take together. */
  readonly timeoutMs: number;
}

/** The money that trials may spend: an amount a day, or where a day is named, once. */
export interface Purse {
  /** See ShadowControls. */
  readonly budget: string;
  readonly mostNanos: number;
  /** Days since 1970, UTC; today if absent. */
  readonly day?: number;
}

/** Money of a day that is set aside for calls to come. */
export interface Reservation {
  /** Days since 1970, UTC. */
  readonly day: number;
  /** See ShadowControls. */
  readonly budget: string;
  readonly nanos: number;
}

/** An answer, and what it answers. */
export interface AnsweredPrompt {
  readonly input: InferenceInput;
  readonly response: GenerateResponse;
}

/** The answers of a family of a workload that people rated. */
export interface RatedAnswers {
  readonly projectId: string;
  readonly model: string;
  readonly family: string;
}

/** An answer that people clearly liked or disliked, with what they said of it in words. */
export interface RatedAnswer extends AnsweredPrompt {
  readonly inferenceId: string;
  readonly isLiked: boolean;
  readonly notes: readonly string[];
}

/** The store of shadow trials, which all processes share. */
export interface ShadowStore {
  /** Sets money aside where a purse has not spent all that it may then; undefined where it has. */
  reserve(purse: Purse, nanos: number): Promise<Reservation | undefined>;
  /** Gives back what was set aside: nothing was called. */
  release(reservation: Reservation): Promise<void>;
  /**
   * Writes a record, what is to be learned of it, and what it cost in the place of what was set aside, in one
   * transaction. The latest trials' answers of a workload are kept, for people to judge and to see.
   */
  write(record: ShadowRecord, reservation: Reservation, answer?: GenerateResponse): Promise<void>;
  /** Reads an answer of a project with its whole conversation; undefined where it is not stored whole. */
  readAnswer(inferenceId: string, projectId: string): Promise<AnsweredPrompt | undefined>;
  /** Reads some of the latest liked and disliked answers that are stored whole, those with notes first. */
  readRated(family: RatedAnswers, mostOfSign: number): Promise<readonly RatedAnswer[]>;
}

/** The budgets in USD of a project and of the installation, in which trials count. */
export interface ShadowBudgets {
  /**
   * Reserves money, and resolves to what replaces it with what was spent; undefined where a budget has no room for it.
   */
  reserve(projectId: string, nanos: number): Promise<((spentNanos: number) => void) | undefined>;
}

/** A request that no caller waits for. */
export interface BackgroundRequest {
  readonly input: HubInput;
  readonly projectId: string;
  /** Tier of service that is asked for; as the input asks if absent. */
  readonly serviceTier?: string;
}

/** The models that trials and the judge ask. */
export interface ShadowModels {
  /** Returns a healthy place of a model, by its name; undefined where it has none. */
  find(name: string): PlannedAttempt | undefined;
  /** Returns what a call costs, in nano-USD; 0 for a model without a price. */
  price(planned: PlannedAttempt, tokens: { readonly input: number; readonly output: number }): number;
  /** Asks a model for nobody but the judge's reader. Throws InferenceError. */
  ask(planned: PlannedAttempt, request: BackgroundRequest, signal: AbortSignal): Promise<BackgroundAnswer>;
}

/**
 * Why an answer was drawn and nothing tried or graded: no room in the queue, no money left in the day or in a
 * budget (`spend`), no
 * healthy place of a model (`unavailable`), a model that cannot take the request as it is (`unfit`), a text that is not
 * stored, or no database.
 */
export type ShadowSkip = "full" | "spend" | "unavailable" | "unfit" | "text" | "store";

/** Watches trials. */
export interface ShadowWatch {
  recorded(record: ShadowRecord): void;
  skipped(why: ShadowSkip): void;
}
