import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Usage } from "../../gen/attune/content/v1/content_pb.ts";
import {
  type Finished,
  FinishedSchema,
  type GenerateEvent,
  GenerateEventSchema,
  type GenerateResponse,
  type InferenceInput,
  type Saving,
  type Serving,
  type Started,
  StartedSchema,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import { costNanos } from "../catalog/cost.ts";
import { createOrderCheck } from "./check-order.ts";
import { createSizeCheck } from "./check-size.ts";
import { checkStrict } from "./check-strict.ts";
import { prepareAsked } from "./compaction.ts";
import { ErrorReason, InferenceError } from "./error.ts";
import { estimateUsage } from "./estimate-usage.ts";
import { HeldAnswer } from "./held-answer.ts";
import type { Prompt } from "./history.ts";
import { prepareAtPlaces } from "./history-places.ts";
import { openInput } from "./open-input.ts";
import type {
  AnswerVerdict,
  AttemptOutcome,
  AttemptRecord,
  CheckAnswer,
  EventSink,
  FirstToken,
  Origin,
  Plan,
  Principal,
  UpstreamCall,
} from "./ports.ts";
import { type BegunAttempt, RefusedAttempt, refusing } from "./run-strategy.ts";
import { sealEvent } from "./seal-events.ts";
import { markToolCall } from "./tool-ids.ts";

/** What an attempt needs of the inference that it is made for. */
export interface AttemptHost {
  readonly id: string;
  readonly principal: Principal;
  readonly input: InferenceInput;
  readonly prompt: Prompt;
  readonly plan: Plan;
  readonly streamed: boolean;
  readonly startedAt: Date;
  /** As performance.now() has it. */
  readonly startMs: number;
  /** Whether the end of the answer has been added. */
  readonly finished: boolean;
  /** The answer, as far as it has been added. */
  readonly response: GenerateResponse;
  /** The attempt's answer is the one that the caller gets. */
  won(attempt: Attempt): void;
  /** The first token of the attempt's answer has come. */
  answered(answer: FirstToken, attempt: Attempt): void;
  /** The attempt has ended. */
  ended(attempt: Attempt): void;
  /** Adds an event of the answer. */
  add(event: GenerateEvent): void;
  /** Who serves the inference; `said` is what the upstream says of it. */
  serving(said: Serving | undefined): Serving;
  /** What was saved with so many tokens, against a plain call of the base model. */
  savings(usage: Usage | undefined): Saving[];
  /** What the caller's format cannot say of the answer, whose end was not added yet. */
  answerLosses(finished: Finished): string[];
}

/** How an attempt ended, and what is known of it then. */
type End = Pick<AttemptRecord, "outcome" | "latencyMs" | "error">;

/**
 * One call of one upstream for an inference. Longer than 300 lines, since an answer that is handed on as it comes and one that is kept back are
 * the same but for that.
 */
export class Attempt {
  readonly begun: BegunAttempt;
  /** Who is asked. */
  readonly place: Origin;
  /** What its request lost, and how it differs from the plain one, once it is made. */
  request: Pick<UpstreamCall, "losses" | "optimizations"> = { losses: [] };
  readonly #run: AttemptHost;
  readonly #startedAt = new Date();
  readonly #startMs = performance.now();
  readonly #checkOrder = createOrderCheck();
  readonly #checkSize: ReturnType<typeof createSizeCheck>;
  #upstreamRequestId = "";
  #firstEventMs: number | undefined;
  #firstTokenMs: number | undefined;
  #upstreamHeaders: Readonly<Record<string, string>> = {};
  /** Events that came before the first token, where another attempt may have that before. */
  readonly #held: GenerateEvent[] = [];
  #hasClaimed = false;
  /** The answer that is kept back until it is checked. */
  #answer: HeldAnswer | undefined;
  #verdict: AnswerVerdict | undefined;
  #usage: Usage | undefined;
  #isEstimated = false;
  #end: End | undefined;

  constructor(run: AttemptHost, begun: BegunAttempt) {
    const { upstream, deployment } = begun.planned;
    this.begun = begun;
    this.#run = run;
    this.place = { upstream: upstream.name, model: deployment.model };
    this.#checkSize = createSizeCheck(maxTokensOf(run, begun));
  }

  /** Makes the call and hands its answer on, once it is the one that the caller gets. Throws RefusedAttempt or InferenceError. */
  async make(sink: EventSink): Promise<void> {
    try {
      await this.#prepare().send((events) => this.#take(events, sink), this.begun.signal);
      if (!this.#run.finished) throw interrupted();
    } catch (thrown) {
      throw this.#fail(thrown);
    }
  }

  /**
   * Makes the call and keeps its answer back until it is whole and checked; `deliver` hands it on. Throws RefusedAttempt or InferenceError,
   * nothing of the answer being lost on the caller then.
   */
  async hold(check: CheckAnswer): Promise<void> {
    const answer = new HeldAnswer(this.#run.id);
    this.#answer = answer;
    try {
      await this.#prepare().send((events) => this.#keepBack(events, answer), this.begun.signal);
      if (!answer.isFinished) throw interrupted();
      const latencyMs = this.#elapsedMs();
      this.#verdict = await check(answer.response);
      this.#endWith("completed", { latencyMs });
    } catch (thrown) {
      throw this.#fail(thrown);
    }
  }

  /** Hands on the answer that was kept back: it is the one that the caller gets. */
  async deliver(sink: EventSink): Promise<void> {
    this.#hasClaimed = true;
    this.#run.won(this);
    for (const batch of this.#answer?.batches() ?? []) {
      if (this.begun.signal.aborted) throw InferenceError.fromAbort(this.begun.signal);
      const own = batch.map((event) => this.#own(event));
      for (const event of own) this.#run.add(event);
      await sink(own);
    }
  }

  /** What checks have found; undefined where the answer was not checked. */
  get verdict(): AnswerVerdict | undefined {
    return this.#verdict;
  }

  get isEnded(): boolean {
    return this.#end !== undefined;
  }

  get error(): InferenceError | undefined {
    return this.#end?.error;
  }

  /** What is known of the attempt; while it runs, it counts as broken off now. */
  get record(): AttemptRecord {
    const { model, upstream, deployment, propensity } = this.begun.planned;
    const { outcome, latencyMs, error } = this.#end ?? { outcome: "canceled", latencyMs: this.#elapsedMs() };
    const price = deployment.price ?? model.price;
    const usage = this.#usage;
    return {
      upstream: upstream.name,
      upstreamModel: deployment.model,
      upstreamRequestId: this.#upstreamRequestId || (error?.facts.upstreamRequestId ?? ""),
      role: this.begun.role,
      startedAt: this.#startedAt,
      startedAfterMs: this.#startMs - this.#run.startMs,
      firstEventMs: this.#firstEventMs,
      firstTokenMs: this.#firstTokenMs,
      latencyMs,
      outcome,
      isWinner: this.#hasClaimed,
      error,
      usage,
      isEstimated: this.#isEstimated,
      costNanos: price === undefined || usage === undefined ? undefined : costNanos(price, usage),
      losses: this.request.losses,
      ...(this.#verdict && { failedChecks: this.#verdict.failed, isUnjudged: !this.#verdict.isComplete }),
      propensity,
    };
  }

  #prepare(): UpstreamCall {
    const { model, upstream, deployment } = this.begun.planned;
    const run = this.#run;
    const target = {
      model,
      deployment,
      streamed: run.streamed,
      inferenceId: run.id,
      projectId: run.principal.projectId,
      cachedParts: run.plan.cachedParts,
      cacheKey: run.plan.cacheKey,
    };
    return refusing(() => {
      const call = prepareAtPlaces(run.prompt, () =>
        prepareAsked(upstream, openInput(run.prompt.input, this.place), target),
      );
      this.request = call;
      checkStrict(run.input, call.losses, upstream.name);
      return call;
    });
  }

  /** Checks, completes and takes note of what the upstream sent, and hands it on. */
  #take(events: GenerateEvent[], sink: EventSink): void | Promise<void> {
    const { signal, isHedged } = this.begun;
    if (signal.aborted) throw InferenceError.fromAbort(signal);
    this.#firstEventMs ??= this.#elapsedMs();
    if (this.#firstTokenMs === undefined) this.#noteFirst(events);
    let batch = events;
    if (!this.#hasClaimed) {
      if (isHedged && this.#firstTokenMs === undefined) return this.#hold(events);
      if (this.#held.length > 0) batch = [...this.#held, ...events];
      this.begun.claim();
      this.#hasClaimed = true;
      this.#run.won(this);
    }
    for (let index = 0; index < batch.length; index++) {
      const event = batch[index];
      if (event === undefined) continue;
      this.#check(event);
      const own = this.#own(event);
      if (own !== event) batch[index] = own;
      this.#run.add(own);
    }
    if (this.#run.finished) this.#endWith("completed");
    return sink(batch);
  }

  /** Checks what the upstream sent, and keeps it. */
  #keepBack(events: readonly GenerateEvent[], answer: HeldAnswer): void {
    if (this.begun.signal.aborted) throw InferenceError.fromAbort(this.begun.signal);
    this.#firstEventMs ??= this.#elapsedMs();
    if (this.#firstTokenMs === undefined) this.#noteFirst(events);
    for (const event of events) {
      this.#check(event);
      const { case: kind, value } = event.event;
      if (kind === "started" || kind === "finished") this.#usage = value.usage ?? this.#usage;
      answer.add(event);
    }
  }

  /** Takes note of when the answer begins, and of what the upstream says of its limits. */
  #noteFirst(events: readonly GenerateEvent[]): void {
    for (const { event } of events) {
      if (event.case === "started") this.#upstreamHeaders = event.value.serving?.upstreamHeaders ?? {};
      if (event.case !== "blockStart" && event.case !== "finished") continue;
      const upstreamHeaders = this.#upstreamHeaders;
      this.#firstTokenMs = this.#elapsedMs();
      this.#run.answered({ place: this.place, afterMs: this.#firstTokenMs, upstreamHeaders }, this);
      return;
    }
  }

  #hold(events: readonly GenerateEvent[]): void {
    for (const event of events) {
      this.#held.push(event);
      if (event.event.case === "started") this.#usage = event.event.value.usage;
    }
  }

  #check(event: GenerateEvent): void {
    try {
      this.#checkOrder(event);
      this.#checkSize(event);
    } catch (thrown) {
      throw InferenceError.fromUpstream(thrown);
    }
  }

  /** Returns an event as the caller gets it; what the upstream handed on is not changed. */
  #own(event: GenerateEvent): GenerateEvent {
    switch (event.event.case) {
      case "started":
        return create(GenerateEventSchema, { event: { case: "started", value: this.#startedOf(event.event.value) } });
      case "finished":
        return create(GenerateEventSchema, { event: { case: "finished", value: this.#finishedOf(event.event.value) } });
      default:
        return sealEvent(markToolCall(event, this.begun.planned.model, this.#run.plan.model), this.place);
    }
  }

  #startedOf(started: Started): Started {
    const { serving, usage } = started;
    this.#upstreamRequestId = serving?.upstreamRequestId ?? "";
    this.#usage = usage;
    return create(StartedSchema, {
      id: this.#run.id,
      model: this.#run.input.model,
      createdAt: timestampFromDate(this.#run.startedAt),
      serving: this.#run.serving(serving),
      ...(usage !== undefined && { usage }),
    });
  }

  #finishedOf(finished: Finished): Finished {
    if (finished.usage !== undefined) this.#usage = finished.usage;
    return create(FinishedSchema, {
      ...finished,
      completedAt: timestampFromDate(new Date()),
      translationLosses: this.#run.answerLosses(finished),
      savings: this.#run.savings(this.#usage),
    });
  }

  #fail(thrown: unknown): unknown {
    if (thrown instanceof RefusedAttempt) {
      this.#endWith("refused", { error: thrown.cause });
      return thrown;
    }
    const error = InferenceError.from(thrown);
    this.#usage = error.facts.usage ?? this.#usage;
    if (error.reason !== ErrorReason.CANCELED) this.#endWith("failed", { error });
    else {
      this.#estimateUsage();
      this.#endWith("canceled");
    }
    return error;
  }

  #endWith(
    outcome: AttemptOutcome,
    { error, latencyMs = this.#elapsedMs() }: Partial<Omit<End, "outcome">> = {},
  ): void {
    if (this.#end !== undefined) return;
    this.#end = { outcome, error, latencyMs };
    this.#run.ended(this);
  }

  /** An answer that was broken off costs what was asked and said so far, which few upstreams have told by then. */
  #estimateUsage(): void {
    if (this.#firstEventMs === undefined || this.#end !== undefined) return;
    const content = this.#hasClaimed ? this.#run.response.content : (this.#answer?.response.content ?? []);
    this.#usage = estimateUsage(this.#usage, this.#run.prompt.input, content);
    this.#isEstimated = true;
  }

  #elapsedMs(): number {
    return performance.now() - this.#startMs;
  }
}

function interrupted(): InferenceError {
  return new InferenceError(ErrorReason.STREAM_INTERRUPTED, "the upstream's stream ended without an end event");
}

/** Most tokens that the answer may have. */
function maxTokensOf({ input }: AttemptHost, { planned }: BegunAttempt): number {
  return Math.min(input.maxOutputTokens ?? Number.POSITIVE_INFINITY, planned.model.maxOutputTokens);
}
