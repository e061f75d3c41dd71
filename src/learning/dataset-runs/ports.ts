import type { GenerateResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { HubInput } from "../../hub/input.ts";
import type { BackgroundAnswer, PlannedAttempt } from "../../inference/ports.ts";
import type { BackgroundRequest, RatedAnswer, RatedAnswers, ShadowBudgets, ShadowModels } from "../shadow/ports.ts";

/**
 * The state of a run. It ends by itself, by a person, with its process (`interrupted`), or where a budget in USD or the
 * run's own limit has no room for the next call (`over-budget`).
 */
export type RunState = "running" | "completed" | "cancelled" | "interrupted" | "over-budget";

/** The first model of a run, or the second. */
export type RunSide = 0 | 1;

/** The outcome of a request: one is skipped that cannot be asked again. */
export type RunOutcome = "answered" | "failed" | "skipped";

/** The judge of a workload, and its rubric. */
interface RunJudge {
  /** Name of the model that grades. */
  readonly model: string;
  readonly rubric: string | undefined;
}

/** A recorded request of a dataset. */
export interface RunRequest {
  readonly inferenceId: string;
  /** Base: the model that was asked for. */
  readonly model: string;
  readonly family: string;
  /** As recorded; null where nothing was. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** The judge of its workload; undefined where it has none. */
  readonly judge: RunJudge | undefined;
}

/** A run that begins. */
export interface PlannedRun {
  readonly id: string;
  readonly projectId: string;
  readonly models: readonly [first: string, second: string];
  readonly requests: readonly RunRequest[];
  /** The most that its calls may cost together; undefined where a model has no price. */
  readonly mostNanos: number | undefined;
}

/** An answer of a run. */
export interface RunAnswer {
  readonly id: string;
  readonly inferenceId: string;
  readonly side: RunSide;
  readonly outcome: RunOutcome;
  readonly problem: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costNanos: number | null;
  readonly gradeNanos: number | null;
  readonly latencyMs: number | null;
  readonly failedChecks: readonly string[] | null;
  readonly isGood: boolean | null;
  /** Empty where there is none. */
  readonly text: string;
}

/** A recorded request with its answer. */
export interface RecordedAnswer {
  readonly input: HubInput;
  readonly response: GenerateResponse;
}

/** The store of runs, as whoever runs them needs it. */
export interface DatasetRunStore {
  /** Adds answers to a run that is there. */
  write(runId: string, answers: readonly RunAnswer[]): Promise<void>;
  /** Says that a run goes on. Resolves to false where it is to end, or is gone. */
  beat(runId: string): Promise<boolean>;
  /** Writes how a run has ended. */
  end(runId: string, state: RunState): Promise<void>;
  /** Reads an answer of a project with its whole conversation; undefined where it is not stored whole. */
  readAnswer(inferenceId: string, projectId: string): Promise<RecordedAnswer | undefined>;
  /** See ShadowStore. */
  readRated(family: RatedAnswers, mostOfSign: number): Promise<readonly RatedAnswer[]>;
}

/** The models that runs and their judges ask. */
export interface RunModels extends ShadowModels {
  /** Asks a model for an answer to a recorded request. Throws InferenceError. */
  answer(planned: PlannedAttempt, request: BackgroundRequest, signal: AbortSignal): Promise<BackgroundAnswer>;
  /** Returns the reason why a recorded request cannot be sent again; undefined where it can. */
  problemOf(input: HubInput): string | undefined;
  /** Names the checks that an answer fails: those of base, and of the form that was asked for. */
  check(
    base: string,
    answered: RecordedAnswer & { readonly projectId: string },
    signal: AbortSignal,
  ): Promise<readonly string[]>;
}

/** The ports of runs. */
export interface RunPorts {
  /** The models that can be called now. */
  readonly models: () => RunModels;
  readonly store: DatasetRunStore;
  readonly budgets: ShadowBudgets;
  readonly onFailure: (error: unknown) => void;
  /** The pause before a call is tried again, longer each time; a second if absent. */
  readonly pauseMs?: number;
}
