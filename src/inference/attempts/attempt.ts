import type { ContentBlock } from "../../../gen/attune/content/v1/content_pb.ts";
import type { Finished, GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { choiceEvent, createEvent, finishedEvent } from "../../hub/events.ts";
import type { EventSink } from "../../hub/upstream.ts";
import { checkEnded, createOrderCheck, createSizeCheck, findMaxTokens } from "../checks/check-stream.ts";
import { brokenUsage, completeUsage, type Exchange } from "../checks/estimate-usage.ts";
import { toSentInput } from "../history/compaction.ts";
import { beginsWithMembers } from "../history/recall-members.ts";
import { holdsOpaque, type Sealing, sealEvent } from "../history/seal-events.ts";
import { markToolCall } from "../history/tool-ids.ts";
import type { AttemptOutcome, CheckAnswer } from "../ports.ts";
import { askUpstream } from "./ask-upstream.ts";
import type { AttemptHost } from "./attempt-host.ts";
import { AttemptProgress, type EndFacts } from "./attempt-progress.ts";
import { BufferedAnswer } from "./buffered-answer.ts";
import { withoutEchoes } from "./cut-echoes.ts";
import { HeldBeginning, haveContent } from "./held-beginning.ts";
import { ownFinished, ownOfFurther, ownStarted } from "./own-events.ts";
import { RefusedAttempt } from "./refused-attempt.ts";
import type { BegunAttempt } from "./run-strategy.ts";

/**
 * One call of one upstream for an inference, whose answer is handed on as it comes, or kept back until it is checked.
 */
export class Attempt {
  readonly progress: AttemptProgress;
  readonly #run: AttemptHost;
  readonly #checkOrder = createOrderCheck();
  readonly #checkSize: ReturnType<typeof createSizeCheck>;
  readonly #mostTokens: number;
  readonly #sealing: Sealing;
  /** True once reasoning has come that only its maker can read. */
  #hasSealed = false;
  readonly #beginning = new HeldBeginning();
  /** Position of its answer among those that the caller gets, once it is one of them. */
  #choice = 0;

  constructor(run: AttemptHost, begun: BegunAttempt) {
    this.progress = new AttemptProgress(begun, run.startMs, () => this.#exchange);
    this.#run = run;
    this.#mostTokens = run.choicesPerCall * findMaxTokens(run.input, begun.planned.model);
    this.#checkSize = createSizeCheck(this.#mostTokens);
    this.#sealing = {
      answering: begun.planned.model,
      asked: run.plan.model,
      place: this.progress.place,
      signer: run.prompt.signer,
    };
  }

  /**
   * Makes the call and hands its answer on, once it is the one that the caller gets. Throws RefusedAttempt or
   * InferenceError.
   */
  async make(sink: EventSink): Promise<void> {
    try {
      await askUpstream(this.#run, this.progress, (events) => this.#take(events, sink));
      checkEnded(this.progress.isEnded);
    } catch (thrown) {
      throw this.#fail(thrown);
    } finally {
      this.#beginning.end();
    }
  }

  /**
   * Makes the call and keeps its answer back until it is whole and, with a check, checked; `deliver` hands it on.
   * Throws RefusedAttempt or InferenceError, nothing of the answer being lost on the caller then.
   */
  async hold(check?: CheckAnswer): Promise<void> {
    const answer = new BufferedAnswer(this.#run.id);
    this.progress.held = answer;
    try {
      await askUpstream(this.#run, this.progress, (events) => this.#keepBack(events, answer));
      checkEnded(answer.isFinished);
      const latencyMs = this.progress.elapsedMs;
      if (check !== undefined) this.progress.verdict = await check(answer.response, this.#signal);
      this.#endWith("completed", { latencyMs });
    } catch (thrown) {
      throw this.#fail(thrown);
    }
  }

  /** Hands on the answer that was kept back: it is the one that the caller gets. */
  async deliver(sink: EventSink): Promise<void> {
    this.#win();
    for (const batch of this.progress.held?.batches() ?? []) {
      if (this.#signal.aborted) throw InferenceError.fromAbort(this.#signal);
      const own = batch.map((event) => this.#own(event));
      for (const event of own) this.#run.add(event);
      await sink(own);
    }
  }

  /**
   * Takes note that an answer that is kept back was not chosen, nor waited for if it has not ended; whoever began it
   * ends its call. If its upstream was asked it costs its prompt at least, whether anything of it came or not.
   */
  breakOff(): void {
    this.progress.notChosen = this.progress.held?.response.content ?? [];
    if (this.progress.held?.isFinished === true) this.#endWith("completed");
    else {
      this.progress.estimateUsage();
      this.#endWith("canceled");
    }
  }

  get #signal(): AbortSignal {
    return this.progress.begun.signal;
  }

  /** Checks, completes and takes note of what the upstream sent, and hands it on. */
  #take(events: GenerateEvent[], sink: EventSink): void | Promise<void> {
    this.#note(events);
    const { begun, isWinner, hasAnswered } = this.progress;
    if (isWinner) {
      const late = this.#beginning.takeLate();
      return late === undefined ? this.#handOn(events, sink) : late.then(() => this.#handOn(events, sink));
    }
    if (begun.isHedged && !hasAnswered) return this.#beginning.add(events);
    const isBeginning = !begun.isHedged && !haveContent(events);
    if (isBeginning) return this.#beginning.add(events, (held) => this.#handOn(held, sink));
    return this.#handOn([...this.#beginning.take(), ...events], sink);
  }

  /** Hands on events of the answer that the caller gets; the first ones make it that. */
  #handOn(batch: GenerateEvent[], sink: EventSink): void | Promise<void> {
    if (!this.progress.isWinner) {
      this.progress.begun.claim();
      this.#win();
    }
    if (this.#run.input.n > 1) return this.#takeChoice(batch, sink);
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

  /** Hands on one of several choices; the end of the answer comes when all have ended. */
  #takeChoice(batch: readonly GenerateEvent[], sink: EventSink): void | Promise<void> {
    const choice: GenerateEvent[] = [];
    for (const event of batch) {
      this.#check(event);
      const own = this.#ownOfChoices(event);
      if (own === undefined) continue;
      this.#run.add(own);
      choice.push(own);
    }
    if (batch.at(-1)?.event.case === "finished") this.#endWith("completed");
    if (choice.length > 0) return sink(choice);
  }

  /** Checks what the upstream sent, and keeps it. */
  #keepBack(events: readonly GenerateEvent[], answer: BufferedAnswer): void {
    this.#note(events);
    for (const event of events) {
      this.#check(event);
      answer.add(event.event.case === "finished" ? finishedEvent(this.#counted(event.event.value)) : event);
    }
  }

  #note(events: readonly GenerateEvent[]): void {
    if (this.#signal.aborted) throw InferenceError.fromAbort(this.#signal);
    const first = this.progress.note(events);
    if (first !== undefined) this.#run.answered(first, this.progress);
  }

  /** Takes note of the tokens of an answer that is complete, and returns its end with them. */
  #counted(finished: Finished): Finished {
    const { progress } = this;
    const reported = finished.usage ?? progress.usage;
    const usage = completeUsage(reported, () => ({ ...this.#exchange, unseen: undefined }));
    progress.usage = usage;
    return usage === finished.usage ? finished : { ...finished, usage };
  }

  /** The content of its answer, as far as it came. */
  get #content(): readonly ContentBlock[] {
    const { held, isWinner } = this.progress;
    return held?.response.content ?? (isWinner ? this.#run.contentFrom(this.#choice) : []);
  }

  /** The exchange so far. */
  get #exchange(): Exchange {
    const { unseenMs: ms } = this.progress;
    const unseen = ms === undefined ? undefined : { ms, mostTokens: this.#mostTokens };
    const input = toSentInput(this.progress.begun.planned.upstream, this.#run.prompt.input);
    return { input, content: this.#content, unseen };
  }

  #win(): void {
    this.progress.isWinner = true;
    this.#choice = this.#run.won(this.progress);
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
    const run = this.#run;
    const { case: kind, value } = event.event;
    switch (kind) {
      case "started":
        return ownStarted(value, run, run.serving(value.serving));
      case "finished": {
        const counted = this.#counted(value);
        const savings = run.savings(this.progress.usage);
        return ownFinished(counted, { translationLosses: run.answerLosses(counted), savings });
      }
      default:
        // Most events are these, and hold neither state nor calls.
        if (kind === "blockDelta" && value.delta.case === "text") return event;
        this.#hasSealed ||= holdsOpaque(event);
        return sealEvent(markToolCall(event, this.#sealing, this.#recordedAs(event)), this.#sealing);
    }
  }

  /** Returns an event of several choices as the caller gets it; undefined where that is not this call's to say. */
  #ownOfChoices(event: GenerateEvent): GenerateEvent | undefined {
    const { case: kind, value } = event.event;
    if (kind === "choiceEvent") return this.#ownOfChoice(value.choice, createEvent(value.event));
    if (kind !== "finished") return this.#ownOfChoice(this.#choice, event);
    const counted = this.#counted(value);
    // One call with all choices has told the end of each.
    return this.#run.choicesPerCall > 1 ? undefined : this.#ownOfChoice(this.#choice, finishedEvent(counted));
  }

  #ownOfChoice(choice: number, event: GenerateEvent): GenerateEvent | undefined {
    const { case: kind, value } = event.event;
    if (kind !== "finished") return choice === 0 ? this.#own(event) : ownOfFurther(choice, event, this.#sealing);
    const translationLosses = this.#run.choiceLosses(choice, value);
    return choiceEvent(choice, { case: kind, value: { ...value, translationLosses } });
  }

  /**
   * Returns the inference by which reasoning that came before a call, or members of it, are recalled; undefined if
   * there are none, or callers keep them.
   */
  #recordedAs(event: GenerateEvent): string | undefined {
    const { id, prompt } = this.#run;
    if (this.#hasSealed && prompt.recalls === true) return id;
    return prompt.recallsMembers === true && beginsWithMembers(event) ? id : undefined;
  }

  #fail(thrown: unknown): unknown {
    const isRefused = thrown instanceof RefusedAttempt;
    const error = isRefused ? thrown.cause : withoutEchoes(InferenceError.from(thrown), this.#run.prompt.input);
    if (isRefused || error.facts.quota !== undefined) {
      this.#endWith("refused", { error });
      return thrown;
    }
    const { progress } = this;
    const { usage: reported } = error.facts;
    progress.usage = reported ?? progress.usage;
    const isCanceled = error.reason === ErrorReason.CANCELED;
    if (reported !== undefined && !isCanceled) progress.usage = brokenUsage(reported, this.#exchange);
    else if (progress.hasBegun || !error.isAnswer) progress.estimateUsage();
    this.#endWith(isCanceled ? "canceled" : "failed", isCanceled ? undefined : { error });
    return error;
  }

  #endWith(outcome: AttemptOutcome, known?: EndFacts): void {
    if (this.progress.end(outcome, known)) this.#run.ended(this.progress);
  }
}
