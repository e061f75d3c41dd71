import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Dialect, type Usage } from "../../gen/attune/content/v1/content_pb.ts";
import {
  Deviation,
  type Finished,
  FinishedSchema,
  type GenerateEvent,
  GenerateEventSchema,
  type GenerateResponse,
  type Saving,
  type Serving,
  ServingSchema,
  StartedSchema,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import type { HubInput } from "../lib/hub-input.ts";
import { isStored } from "../lib/is-stored.ts";
import { AnswerLosses } from "./answer-losses.ts";
import { Attempt, type AttemptHost } from "./attempt.ts";
import { attemptToMessage } from "./attempt-message.ts";
import { ErrorReason, type InferenceError } from "./error.ts";
import { estimateUsage } from "./estimate-usage.ts";
import { ResponseFold } from "./fold.ts";
import { isWhole, keptServing, sharedServing } from "./given-again.ts";
import type { Prompt } from "./history.ts";
import type {
  AttemptRole,
  AttemptWatch,
  FirstToken,
  InferenceFacts,
  InferenceRecord,
  InferenceStatus,
  Plan,
  Principal,
} from "./ports.ts";
import { replayEvents } from "./replay-events.ts";
import { runCosts } from "./run-costs.ts";
import type { BegunAttempt } from "./run-strategy.ts";
import { savingsToMessages } from "./savings-message.ts";
import { PieceRecorder } from "./stream-pieces.ts";

/** What attempts beyond the first are called among what was done. */
const ACTING_ROLES = [
  ["failover", "failover"],
  ["hedge", "hedge"],
  ["retry", "checked-retry"],
] as const satisfies readonly (readonly [AttemptRole, string])[];

/** What is fixed when an inference begins. */
export interface RunFacts {
  readonly id: string;
  readonly principal: Principal;
  readonly input: HubInput;
  /** The input with the conversation that it continues. */
  readonly prompt: Prompt;
  readonly streamed: boolean;
  readonly plan: Plan;
  readonly watch?: AttemptWatch | undefined;
  /** Whether it goes on without its caller, who reads it by its id however it ends. */
  readonly background?: boolean;
  /** What identical requests have in common that may be given the answer again; undefined where none may. */
  readonly keptKey?: string | undefined;
}

/**
 * One inference from its beginning to its record: a list of attempts, of which one wins. Longer than 300 lines, since all that can be told of
 * an inference meets here, however it was answered.
 */
export class InferenceRun implements AttemptHost {
  readonly id: string;
  readonly principal: Principal;
  readonly input: HubInput;
  readonly prompt: Prompt;
  readonly plan: Plan;
  readonly streamed: boolean;
  readonly startedAt = new Date();
  /** As performance.now() has it. */
  readonly startMs = performance.now();
  readonly #watch: AttemptWatch | undefined;
  readonly #isBackground: boolean;
  readonly #fold = new ResponseFold();
  /** How the answer comes; undefined where nobody can have its stream again. */
  readonly #pieces: PieceRecorder | undefined;
  readonly #answerLosses: AnswerLosses;
  readonly #attempts: Attempt[] = [];
  #winner: Attempt | undefined;
  /** Whose failure the caller is told. */
  #told: Attempt | undefined;
  #firstTokenMs: number | undefined;
  #error: InferenceError | undefined;
  /** From the start to the failure, or to when its caller left. */
  #failedMs: number | undefined;
  /** The inference whose answer it shares. */
  #leader: InferenceRun | undefined;
  /** The answer of before that it is given. */
  #kept: GenerateResponse | undefined;
  readonly #keptKey: string | undefined;

  constructor(facts: RunFacts) {
    this.id = facts.id;
    this.principal = facts.principal;
    this.input = facts.input;
    this.prompt = facts.prompt;
    this.plan = facts.plan;
    this.streamed = facts.streamed;
    this.#watch = facts.watch;
    this.#isBackground = facts.background ?? false;
    const isGivenAgain = facts.streamed && facts.input.dialect === Dialect.RESPONSES && isStored(facts.input);
    this.#keptKey = facts.keptKey;
    this.#pieces = isGivenAgain || (facts.streamed && facts.keptKey !== undefined) ? new PieceRecorder() : undefined;
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
    this.#watch?.ended(attempt.record, this.#factsOf(attempt));
  }

  /** The first token of an attempt's answer has come. */
  answered(answer: FirstToken, attempt: Attempt): void {
    this.#watch?.answered(answer, this.#factsOf(attempt));
  }

  /** It is answered with what another inference is answered with; undefined: it asks for itself after all. */
  follow(leader: InferenceRun | undefined): void {
    this.#leader = leader;
  }

  /** It is answered with what an identical request was answered with before; returns the events as its own caller gets them. */
  replay(kept: GenerateResponse): GenerateEvent[] {
    this.#kept = kept;
    return this.adopt([...replayEvents(kept)]);
  }

  /** Takes note of events of the inference that it follows, and returns them as its own caller gets them. */
  adopt(events: GenerateEvent[]): GenerateEvent[] {
    return events.map((event) => {
      const own = this.#adopted(event);
      this.add(own);
      return own;
    });
  }

  /** Takes note of an event that goes to the caller. */
  add(event: GenerateEvent): void {
    // An answer may go on for others when its caller has left.
    if (this.#firstTokenMs === undefined && event.event.case === "blockStart" && this.#error === undefined) {
      this.#firstTokenMs = performance.now() - this.startMs;
    }
    if (event.event.case === "raw") this.#answerLosses.noteEvent(event.event.value);
    this.#pieces?.add(event);
    this.#fold.add(event);
  }

  /** What the caller's format cannot say of the answer, whose end has come and was not added yet. */
  answerLosses(finished: Finished): string[] {
    return this.#answerLosses.list(this.#fold.response.content, finished);
  }

  /** What was saved with so many tokens, against a plain call of the base model. */
  savings(usage: Usage | undefined): Saving[] {
    return savingsToMessages(this.#costs(usage).saved);
  }

  /** Who serves the inference, as far as it is known now; `said` is what the upstream says of it. */
  serving(said: Serving | undefined): Serving {
    const winner = this.#winner?.record;
    return create(ServingSchema, {
      model: this.#winner?.begun.planned.model.name ?? "",
      upstream: winner?.upstream ?? "",
      upstreamModel: said?.upstreamModel || (winner?.upstreamModel ?? ""),
      upstreamRequestId: said?.upstreamRequestId ?? "",
      upstreamHeaders: said?.upstreamHeaders ?? {},
      optimizations: this.#optimizations(),
      deviation: this.#deviationOf(this.#winner),
      translationLosses: [...(winner?.losses ?? [])],
      attempts: this.#attempts.map(attemptToMessage),
    });
  }

  /** The inference has failed; returns the error with what the run knows of it. */
  fail(error: InferenceError): InferenceError {
    const { contextWindow } = this.plan.model;
    const known = error.reason === ErrorReason.CONTEXT_LENGTH_EXCEEDED ? { maxPromptTokens: contextWindow } : {};
    this.#told = this.#attempts.find((attempt) => attempt.error === error);
    this.#failedMs = performance.now() - this.startMs;
    this.#error = error.with({ ...known, inferenceId: this.id, usage: this.#fold.usage });
    return this.#error;
  }

  /** The attempt whose answer the caller got; undefined where nobody has answered, or another inference's answer was given. */
  get winner(): Attempt | undefined {
    return this.#winner;
  }

  get finished(): boolean {
    return this.#fold.isFinished;
  }

  /** Whether anything of an answer has come. */
  get hasBegun(): boolean {
    return this.#fold.isStarted;
  }

  /** The answer, as far as it has come. */
  get response(): GenerateResponse {
    return this.#fold.response;
  }

  /** Makes the record. A run that neither finished nor failed was left by its caller. */
  record(): InferenceRecord {
    const { response } = this.#fold;
    const attempts = this.#attempts.map(({ record }) => record);
    const leader = this.#leader;
    const winner = leader === undefined ? this.#winner : leader.#winner;
    const last = winner ?? this.#told ?? this.#attempts.at(-1);
    const shown = last?.record;
    const kept = this.#kept?.serving;
    const isOwn = leader === undefined && kept === undefined;
    const usage = isOwn ? shown?.usage : this.#sharedUsage();
    if (response.serving !== undefined) {
      response.serving = create(ServingSchema, { ...response.serving, attempts: this.#attempts.map(attemptToMessage) });
    }
    if (this.#isBackground && response.id === "") {
      // Nothing came of an answer; its caller knows it by its id all the same.
      response.id = this.id;
      response.model = this.input.model;
      response.createdAt = timestampFromDate(this.startedAt);
    }
    if (this.#pieces !== undefined) response.pieces = this.#pieces.message;
    return {
      id: this.id,
      projectId: this.principal.projectId,
      keyId: this.principal.keyId,
      dialect: this.input.dialect,
      streamed: this.streamed,
      model: this.plan.model.name,
      servedModel: (last?.begun.planned.model ?? this.plan.model).name,
      upstream: shown?.upstream ?? kept?.upstream ?? "",
      upstreamModel: shown?.upstreamModel ?? this.#keptModel ?? "",
      upstreamRequestId: shown?.upstreamRequestId ?? kept?.upstreamRequestId ?? "",
      workload: this.input.workload,
      decision: this.plan.decision,
      status: this.#status(),
      error: this.#error,
      startedAt: this.startedAt,
      latencyMs: this.#failedMs ?? performance.now() - this.startMs,
      timeToFirstTokenMs: this.#firstTokenMs,
      usage,
      isEstimated: isOwn ? (shown?.isEstimated ?? false) : this.#isCutShort,
      twinKey: isOwn && this.#mayBeGivenAgain ? this.#keptKey : undefined,
      ...this.#costs(usage),
      input: this.input,
      previousId: this.prompt.previousId,
      stored: (this.finished || this.#isBackground) && isStored(this.input),
      output: response,
      attempts,
    };
  }

  /** What the inference costs by now, with so many tokens. */
  #costs(usage: Usage | undefined): ReturnType<typeof runCosts> {
    const leader = this.#leader;
    const winner = leader === undefined ? this.#winner : leader.#winner;
    const last = winner ?? this.#told ?? this.#attempts.at(-1);
    return runCosts({
      base: this.plan.model,
      served: last?.begun.planned.model ?? this.plan.model,
      price: last && (last.begun.planned.deployment.price ?? last.begun.planned.model.price),
      usage,
      attempts: this.#attempts.map(({ record }) => record),
      isMarked: winner?.request.optimizations?.includes("cache-marks") ?? false,
      shared: this.#kept !== undefined ? "replay" : leader !== undefined ? "sharing" : undefined,
    });
  }

  #factsOf({ begun }: Attempt): InferenceFacts {
    return { id: this.id, model: begun.planned.model.name, streamed: this.streamed };
  }

  #deviationOf(attempt: Attempt | undefined): Deviation {
    return attempt === undefined || attempt.begun.planned.model === this.plan.model ? Deviation.NONE : Deviation.ROUTED;
  }

  #optimizations(): string[] {
    const roles = new Set(this.#attempts.map(({ begun }) => begun.role));
    const begun = ACTING_ROLES.filter(([role]) => roles.has(role)).map(([, name]) => name);
    return [...this.plan.optimizations, ...begun, ...(this.#winner?.request.optimizations ?? [])];
  }

  /** An event of the inference that it follows, as its own: all but the first and the last are the same. */
  #adopted(shared: GenerateEvent): GenerateEvent {
    const { case: kind, value } = shared.event;
    if (kind === "started") {
      const { serving } = value;
      const own = create(StartedSchema, {
        ...value,
        id: this.id,
        model: this.input.model,
        createdAt: timestampFromDate(this.startedAt),
        ...(serving !== undefined && {
          serving: this.#kept === undefined ? sharedServing(serving) : keptServing(this.#kept),
        }),
      });
      return create(GenerateEventSchema, { event: { case: kind, value: own } });
    }
    if (kind !== "finished") return shared;
    const own = create(FinishedSchema, {
      ...value,
      completedAt: timestampFromDate(new Date()),
      translationLosses: this.answerLosses(value),
      savings: this.savings(value.usage ?? this.#fold.usage),
    });
    return create(GenerateEventSchema, { event: { case: kind, value: own } });
  }

  /** Tokens of a shared answer, as far as it came; undefined if nothing of it did. */
  #sharedUsage(): Usage | undefined {
    const { usage, response } = this.#fold;
    return this.#isCutShort ? estimateUsage(usage, this.prompt.input, response.content) : usage;
  }

  /** Whether its caller has left in the middle of the answer. */
  get #isCutShort(): boolean {
    return this.hasBegun && this.#status() === "canceled";
  }

  /** What the model is called where it gave the answer of before: upstreams may call themselves otherwise. */
  get #keptModel(): string | undefined {
    const serving = this.#kept?.serving;
    if (serving === undefined) return undefined;
    const deployment = this.plan.model.deployments.find(({ upstream }) => upstream === serving.upstream);
    return deployment?.model ?? serving.upstreamModel;
  }

  /** Whether the model itself has answered, whole and of its own accord, with nothing found wrong. */
  get #mayBeGivenAgain(): boolean {
    const winner = this.#winner;
    const isBase = winner?.begun.planned.model === this.plan.model && (winner.verdict?.failed.length ?? 0) === 0;
    return isBase && this.#status() === "completed" && isWhole(this.#fold.response.finished);
  }

  #status(): InferenceStatus {
    if (this.finished && this.#error === undefined) return "completed";
    return this.#error === undefined || this.#error.reason === ErrorReason.CANCELED ? "canceled" : "failed";
  }
}
