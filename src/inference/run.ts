import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import type {
  Finished,
  GenerateEvent,
  GenerateResponse,
  InferenceInput,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import { costNanos } from "../catalog/cost.ts";
import { AnswerLosses } from "./answer-losses.ts";
import { ErrorReason, type InferenceError } from "./error.ts";
import { ResponseFold } from "./fold.ts";
import type { Prompt } from "./history.ts";
import type { Attempt, InferenceRecord, InferenceStatus, Plan, Principal } from "./ports.ts";

/** What is fixed when an inference begins. */
export interface RunFacts {
  readonly id: string;
  readonly principal: Principal;
  readonly input: InferenceInput;
  /** The input with the conversation that it continues. */
  readonly prompt: Prompt;
  readonly streamed: boolean;
  readonly plan: Plan;
}

/** One inference from its beginning to its record. */
export class InferenceRun {
  readonly id: string;
  readonly principal: Principal;
  readonly input: InferenceInput;
  readonly prompt: Prompt;
  readonly plan: Plan;
  readonly streamed: boolean;
  readonly startedAt = new Date();
  readonly #startMs = performance.now();
  readonly #fold = new ResponseFold();
  readonly #answerLosses: AnswerLosses;
  readonly #optimizations: string[] = [];
  #attempt: Attempt | undefined;
  #losses: readonly string[] = [];
  #firstTokenMs: number | undefined;
  #error: InferenceError | undefined;

  constructor(facts: RunFacts) {
    this.id = facts.id;
    this.principal = facts.principal;
    this.input = facts.input;
    this.prompt = facts.prompt;
    this.plan = facts.plan;
    this.streamed = facts.streamed;
    this.#answerLosses = new AnswerLosses(facts);
  }

  /** The attempt that is made now, and what its upstream cannot carry. */
  tryAttempt(attempt: Attempt, losses: readonly string[]): void {
    this.#attempt = attempt;
    this.#losses = losses;
  }

  /** The attempt failed before it began to answer, and another one follows. */
  failedOver(): void {
    if (!this.#optimizations.includes("failover")) this.#optimizations.push("failover");
  }

  /** Takes note of an event that goes to the caller. */
  add(event: GenerateEvent): void {
    if (this.#firstTokenMs === undefined && event.event.case === "blockStart") {
      this.#firstTokenMs = performance.now() - this.#startMs;
    }
    if (event.event.case === "raw") this.#answerLosses.noteEvent(event.event.value);
    this.#fold.add(event);
  }

  /** What the caller's format cannot say of the answer, whose end has come and was not added yet. */
  answerLosses(finished: Finished): string[] {
    return this.#answerLosses.list(this.#fold.response.content, finished);
  }

  /** The inference has failed; returns the error with what the run knows of it. */
  fail(error: InferenceError): InferenceError {
    const { contextWindow } = this.plan.model;
    const known = error.reason === ErrorReason.CONTEXT_LENGTH_EXCEEDED ? { maxPromptTokens: contextWindow } : {};
    this.#error = error.with({ ...known, inferenceId: this.id, usage: this.#fold.usage });
    return this.#error;
  }

  get started(): boolean {
    return this.#fold.isStarted;
  }

  get finished(): boolean {
    return this.#fold.isFinished;
  }

  get response(): GenerateResponse {
    return this.#fold.response;
  }

  get upstream(): string {
    return this.#attempt?.upstream.name ?? "";
  }

  get upstreamModel(): string {
    return this.#attempt?.deployment.model ?? "";
  }

  get losses(): readonly string[] {
    return this.#losses;
  }

  get optimizations(): readonly string[] {
    return this.#optimizations;
  }

  /** Makes the record. A run that neither finished nor failed was left by its caller. */
  record(): InferenceRecord {
    const { response } = this.#fold;
    const usage = this.#error?.facts.usage ?? this.#fold.usage;
    const { price } = this.plan.model;
    return {
      id: this.id,
      projectId: this.principal.projectId,
      keyId: this.principal.keyId,
      dialect: this.input.dialect,
      streamed: this.streamed,
      model: this.plan.model.name,
      upstream: this.upstream,
      upstreamModel: this.upstreamModel,
      upstreamRequestId: response.serving?.upstreamRequestId || (this.#error?.facts.upstreamRequestId ?? ""),
      workload: this.input.workload,
      status: this.#status(),
      error: this.#error,
      startedAt: this.startedAt,
      latencyMs: performance.now() - this.#startMs,
      timeToFirstTokenMs: this.#firstTokenMs,
      usage,
      costNanos: price === undefined || usage === undefined ? undefined : costNanos(price, usage),
      input: this.input,
      previousId: this.prompt.previousId,
      stored: this.finished && isStored(this.input),
      output: response,
    };
  }

  #status(): InferenceStatus {
    if (this.finished) return "completed";
    return this.#error === undefined || this.#error.reason === ErrorReason.CANCELED ? "canceled" : "failed";
  }
}

/** Tells whether an inference is to be stored: what its caller said, or what its dialect does for those who do not say. */
function isStored({ store, dialect }: InferenceInput): boolean {
  return store ?? (dialect === Dialect.RESPONSES || dialect === Dialect.UNSPECIFIED);
}
