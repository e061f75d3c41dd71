import { create } from "@bufbuild/protobuf";
import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import {
  Deviation,
  type Finished,
  type GenerateEvent,
  type GenerateResponse,
  type InferenceInput,
  type Serving,
  ServingSchema,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import { costNanos, uncachedCostNanos } from "../catalog/cost.ts";
import { AnswerLosses } from "./answer-losses.ts";
import { Attempt, type AttemptHost } from "./attempt.ts";
import { attemptToMessage } from "./attempt-message.ts";
import { ErrorReason, type InferenceError } from "./error.ts";
import { ResponseFold } from "./fold.ts";
import type { Prompt } from "./history.ts";
import type {
  AttemptRecord,
  AttemptWatch,
  FirstToken,
  InferenceFacts,
  InferenceRecord,
  InferenceStatus,
  Plan,
  Principal,
} from "./ports.ts";
import type { BegunAttempt } from "./run-strategy.ts";

/** What is fixed when an inference begins. */
export interface RunFacts {
  readonly id: string;
  readonly principal: Principal;
  readonly input: InferenceInput;
  /** The input with the conversation that it continues. */
  readonly prompt: Prompt;
  readonly streamed: boolean;
  readonly plan: Plan;
  readonly watch?: AttemptWatch | undefined;
}

/** One inference from its beginning to its record: a list of attempts, of which one wins. */
export class InferenceRun implements AttemptHost {
  readonly id: string;
  readonly principal: Principal;
  readonly input: InferenceInput;
  readonly prompt: Prompt;
  readonly plan: Plan;
  readonly streamed: boolean;
  readonly startedAt = new Date();
  /** As performance.now() has it. */
  readonly startMs = performance.now();
  readonly #watch: AttemptWatch | undefined;
  readonly #fold = new ResponseFold();
  readonly #answerLosses: AnswerLosses;
  readonly #attempts: Attempt[] = [];
  #winner: Attempt | undefined;
  /** Whose failure the caller is told. */
  #told: Attempt | undefined;
  #firstTokenMs: number | undefined;
  #error: InferenceError | undefined;

  constructor(facts: RunFacts) {
    this.id = facts.id;
    this.principal = facts.principal;
    this.input = facts.input;
    this.prompt = facts.prompt;
    this.plan = facts.plan;
    this.streamed = facts.streamed;
    this.#watch = facts.watch;
    this.#answerLosses = new AnswerLosses(facts);
  }

  /** An attempt begins; returns it. */
  begin(begun: BegunAttempt): Attempt {
    const attempt = new Attempt(this, begun);
    this.#attempts.push(attempt);
    this.#watch?.began(attempt.place, begun.role);
    return attempt;
  }

  /** The attempt's answer is the one that the caller gets. */
  won(attempt: Attempt): void {
    this.#winner = attempt;
  }

  /** An attempt has ended. */
  ended(attempt: Attempt): void {
    this.#watch?.ended(attempt.record, this.#facts);
  }

  /** The first token of an attempt's answer has come. */
  answered(answer: FirstToken): void {
    this.#watch?.answered(answer, this.#facts);
  }

  /** Takes note of an event that goes to the caller. */
  add(event: GenerateEvent): void {
    if (this.#firstTokenMs === undefined && event.event.case === "blockStart") {
      this.#firstTokenMs = performance.now() - this.startMs;
    }
    if (event.event.case === "raw") this.#answerLosses.noteEvent(event.event.value);
    this.#fold.add(event);
  }

  /** What the caller's format cannot say of the answer, whose end has come and was not added yet. */
  answerLosses(finished: Finished): string[] {
    return this.#answerLosses.list(this.#fold.response.content, finished);
  }

  /** Who serves the inference, as far as it is known now; `said` is what the upstream says of it. */
  serving(said: Serving | undefined): Serving {
    const winner = this.#winner?.record;
    return create(ServingSchema, {
      upstream: winner?.upstream ?? "",
      upstreamModel: said?.upstreamModel || (winner?.upstreamModel ?? ""),
      upstreamRequestId: said?.upstreamRequestId ?? "",
      upstreamHeaders: said?.upstreamHeaders ?? {},
      optimizations: this.#optimizations(),
      deviation: Deviation.NONE,
      translationLosses: [...(winner?.losses ?? [])],
      attempts: this.#attempts.map(attemptToMessage),
    });
  }

  /** The inference has failed; returns the error with what the run knows of it. */
  fail(error: InferenceError): InferenceError {
    const { contextWindow } = this.plan.model;
    const known = error.reason === ErrorReason.CONTEXT_LENGTH_EXCEEDED ? { maxPromptTokens: contextWindow } : {};
    this.#told = this.#attempts.find((attempt) => attempt.error === error);
    this.#error = error.with({ ...known, inferenceId: this.id, usage: this.#fold.usage });
    return this.#error;
  }

  get finished(): boolean {
    return this.#fold.isFinished;
  }

  /** The answer, as far as it has come. */
  get response(): GenerateResponse {
    return this.#fold.response;
  }

  /** Makes the record. A run that neither finished nor failed was left by its caller. */
  record(): InferenceRecord {
    const { response } = this.#fold;
    const attempts = this.#attempts.map(({ record }) => record);
    const shown = (this.#winner ?? this.#told ?? this.#attempts.at(-1))?.record;
    const usage = shown?.usage;
    const { price } = this.plan.model;
    const isPriced = price !== undefined && usage !== undefined;
    if (response.serving !== undefined) {
      response.serving = create(ServingSchema, { ...response.serving, attempts: this.#attempts.map(attemptToMessage) });
    }
    return {
      id: this.id,
      projectId: this.principal.projectId,
      keyId: this.principal.keyId,
      dialect: this.input.dialect,
      streamed: this.streamed,
      model: this.plan.model.name,
      upstream: shown?.upstream ?? "",
      upstreamModel: shown?.upstreamModel ?? "",
      upstreamRequestId: shown?.upstreamRequestId ?? "",
      workload: this.input.workload,
      status: this.#status(),
      error: this.#error,
      startedAt: this.startedAt,
      latencyMs: performance.now() - this.startMs,
      timeToFirstTokenMs: this.#firstTokenMs,
      usage,
      isEstimated: shown?.isEstimated ?? false,
      costNanos: totalCost(attempts),
      baseCostNanos: isPriced ? costNanos(price, usage) : undefined,
      cacheSavedNanos: isPriced ? uncachedCostNanos(price, usage) - costNanos(price, usage) : undefined,
      input: this.input,
      previousId: this.prompt.previousId,
      stored: this.finished && isStored(this.input),
      output: response,
      attempts,
    };
  }

  get #facts(): InferenceFacts {
    return { id: this.id, model: this.plan.model.name, streamed: this.streamed };
  }

  #optimizations(): string[] {
    const roles = new Set(this.#attempts.map(({ begun }) => begun.role));
    return [...this.plan.optimizations, ...(["failover", "hedge"] as const).filter((role) => roles.has(role))];
  }

  #status(): InferenceStatus {
    if (this.finished) return "completed";
    return this.#error === undefined || this.#error.reason === ErrorReason.CANCELED ? "canceled" : "failed";
  }
}

/** Sums up what is known; attempts that failed before they answered cost nothing as a rule, and nobody tells. */
function totalCost(attempts: readonly AttemptRecord[]): number | undefined {
  const costs = attempts.flatMap(({ costNanos }) => costNanos ?? []);
  return costs.length === 0 ? undefined : costs.reduce((total, cost) => total + cost, 0);
}

/** Tells whether an inference is to be stored: what its caller said, or what its dialect does for those who do not say. */
function isStored({ store, dialect }: InferenceInput): boolean {
  return store ?? (dialect === Dialect.RESPONSES || dialect === Dialect.UNSPECIFIED);
}
