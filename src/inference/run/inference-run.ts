import { type ContentBlock, Dialect, type Usage } from "../../../gen/attune/content/v1/content_pb.ts";
import type {
  Finished,
  GenerateEvent,
  GenerateResponse,
  Saving,
  Serving,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { QuotaState } from "../../../gen/attune/quota/v1/quota_pb.ts";
import { UNKNOWN_TOKENS } from "../../catalog/model.ts";
import { ErrorReason, type InferenceError } from "../../hub/error.ts";
import type { HubInput } from "../../hub/input.ts";
import type { Principal } from "../../hub/principal.ts";
import type { RequestSummary } from "../../hub/request-summary.ts";
import { isStored } from "../../hub/request-traits.ts";
import { Attempt } from "../attempts/attempt.ts";
import type { AttemptHost } from "../attempts/attempt-host.ts";
import type { AttemptProgress } from "../attempts/attempt-progress.ts";
import { ownFinished } from "../attempts/own-events.ts";
import { savingsToMessages } from "../attempts/run-costs.ts";
import type { RunFacts } from "../attempts/run-facts.ts";
import type { BegunAttempt } from "../attempts/run-strategy.ts";
import { choicesPerCall } from "../attempts/strategy.ts";
import { AnswerLosses } from "../checks/answer-losses.ts";
import { differingMembers } from "../checks/choice-members.ts";
import { PieceRecorder } from "../checks/piece-recorder.ts";
import { ResponseFold } from "../checks/response-fold.ts";
import { type ReusedAnswer, type ReuseTarget, rewriteEvent } from "../coalescing/reused-answer.ts";
import { foreignMembers } from "../history/foreign-members.ts";
import type { Prompt } from "../history/history.ts";
import { replayEvents } from "../history/replay-events.ts";
import type {
  AttemptQuota,
  AttemptWatch,
  FirstToken,
  InferenceFacts,
  InferenceRecord,
  Plan,
  PricedPlace,
} from "../ports.ts";
import { AnswerSource } from "./answer-source.ts";
import { provisionalRecord } from "./provisional-record.ts";
import { type RunOutcome, runRecord } from "./run-record.ts";
import type { Waiting } from "./waiting-requests.ts";

/**
 * One inference from its beginning to its record. Its answer comes from attempts of its own, of which one wins, or from
 * another inference.
 */
export class InferenceRun implements AttemptHost, ReuseTarget, Waiting {
  readonly id: string;
  readonly principal: Principal;
  readonly input: HubInput;
  readonly prompt: Prompt;
  readonly plan: Plan;
  readonly streamed: boolean;
  /** Choices that each call of an upstream asks for. */
  readonly choicesPerCall: number;
  readonly startedAt = new Date();
  /** As performance.now() has it. */
  readonly startMs = performance.now();
  slot = -1;
  /** The summary of the request that it is for. */
  readonly summary: RequestSummary | undefined;
  readonly #facts: RunFacts;
  readonly #watch: AttemptWatch | undefined;
  readonly #source: AnswerSource;
  readonly #fold = new ResponseFold();
  /** The pieces in which the answer comes; undefined where its stream cannot be replayed. */
  readonly #pieces: PieceRecorder | undefined;
  readonly #answerLosses: AnswerLosses;
  #firstTokenMs: number | undefined;
  /** The end of the first of several choices. */
  #firstEnd: Finished | undefined;
  #error: InferenceError | undefined;
  /** From the start to the failure, or to when its caller left. */
  #failedMs: number | undefined;

  constructor(facts: RunFacts) {
    this.id = facts.id;
    this.principal = facts.principal;
    this.input = facts.input;
    this.prompt = facts.prompt;
    this.plan = facts.plan;
    this.streamed = facts.streamed;
    this.summary = facts.summary;
    this.choicesPerCall = choicesPerCall(facts.input, facts.plan);
    this.#facts = facts;
    this.#watch = facts.watch;
    this.#source = new AnswerSource(facts);
    const isGivenAgain = facts.streamed && facts.input.dialect === Dialect.RESPONSES && isStored(facts.input);
    this.#pieces =
      isGivenAgain || (facts.streamed && facts.responseCacheKey !== undefined) ? new PieceRecorder() : undefined;
    this.#answerLosses = new AnswerLosses(facts);
  }

  /** An attempt begins; returns it. */
  begin(begun: BegunAttempt): Attempt {
    const attempt = new Attempt(this, begun);
    const position = this.#source.attempts.push(attempt.progress) - 1;
    this.#watch?.began(attempt.progress.place, { role: begun.role, position });
    return attempt;
  }

  /** The attempt's answer is the one that the caller gets. */
  won(attempt: AttemptProgress): number {
    return this.#source.won(attempt);
  }

  /** Reserves what an attempt may take of the caller's limits. */
  reserve(place: PricedPlace): AttemptQuota | Promise<AttemptQuota> | undefined {
    return this.#facts.quota?.reserve({ ...place, answers: this.choicesPerCall }, this.prompt.input);
  }

  traceHeaders(attempt: AttemptProgress): Readonly<Record<string, string>> | undefined {
    const trace = this.summary?.trace;
    return trace?.upstreamHeaders(this.#source.attempts.indexOf(attempt));
  }

  /** An attempt has ended. */
  ended(attempt: AttemptProgress): void {
    const { record } = attempt;
    attempt.quota?.settle(record);
    this.#watch?.ended(record, this.#factsOf(attempt));
  }

  /** The first token of an attempt's answer has come. */
  answered(answer: FirstToken, attempt: AttemptProgress): void {
    this.#watch?.answered(answer, this.#factsOf(attempt));
  }

  /** It is answered with what another inference is answered with; undefined: it asks for itself after all. */
  follow(leader: InferenceRun | undefined): void {
    this.#source.given = leader && { kind: "coalescing", leader };
  }

  /**
   * It is answered with what an identical request was answered with before; returns the events as its own caller gets
   * them.
   */
  replay(kept: GenerateResponse): GenerateEvent[] {
    this.#source.given = { kind: "responseCache", kept };
    return this.adopt([...replayEvents(kept)]);
  }

  /** Takes note of events of another inference's answer, and returns them as its own caller gets them. */
  adopt(events: GenerateEvent[]): GenerateEvent[] {
    return events.map((event) => {
      const own = rewriteEvent(event, this);
      this.add(own);
      return own;
    });
  }

  /** Takes note of an event that goes to the caller. */
  add(event: GenerateEvent): void {
    // An answer may go on for others when its caller has left.
    const { case: kind, value } = event.event.case === "choiceEvent" ? event.event.value.event : event.event;
    if (this.#firstTokenMs === undefined && kind === "blockStart" && this.#error === undefined) {
      this.#firstTokenMs = performance.now() - this.startMs;
    }
    if (kind === "raw") this.#answerLosses.noteEvent(value);
    if (kind === "finished" && event.event.case === "choiceEvent" && event.event.value.choice === 0) {
      this.#firstEnd = value;
    }
    this.#pieces?.add(event);
    this.#fold.add(event);
  }

  /** Returns the parts of the answer that the caller's format cannot carry; its end has come and was not added yet. */
  answerLosses(finished: Finished): string[] {
    const { content, furtherChoices } = this.#fold.response;
    const losses = this.#answerLosses.list(content, finished);
    if (furtherChoices.length === 0) return losses;
    const ofTotal =
      finished.usage?.extension === undefined ? [] : foreignMembers(finished.usage.extension, "answer.usage");
    const ofFurther = furtherChoices.flatMap((choice) => choice.finished?.translationLosses ?? []);
    const extensions = [finished, ...furtherChoices.map((choice) => choice.finished)].map((end) => end?.extension);
    const ofAll = differingMembers(this.input.dialect, extensions);
    return [...new Set([...losses, ...ofFurther, ...ofTotal, ...ofAll])];
  }

  /** Adds the end of several choices, which all have ended, and returns it: that of the first, with all tokens. */
  endChoices(): GenerateEvent {
    const first = this.#firstEnd;
    if (first === undefined) throw new Error("the first choice has not ended");
    const usage = this.#source.totalUsage(this.winner?.usage);
    const members = { translationLosses: this.answerLosses(first), savings: this.savings(usage) };
    const end = ownFinished({ ...first, usage }, members);
    this.add(end);
    return end;
  }

  /** Returns what a call has said whose first choice has this position, as far as it has come. */
  contentFrom(choice: number): ContentBlock[] {
    return Array.from({ length: this.choicesPerCall }, (_, at) => this.#fold.contentOf(choice + at)).flat();
  }

  /** Returns the parts of a choice that the caller's format cannot carry. */
  choiceLosses(choice: number, finished: Finished): string[] {
    return this.#answerLosses.list(this.#fold.contentOf(choice), finished);
  }

  /** Returns the savings with this usage, against a plain call of the base model. */
  savings(usage: Usage | undefined): Saving[] {
    return savingsToMessages(this.#source.costs(usage, this.#source.records).saved);
  }

  /** Returns who serves the inference, as far as it is known now; `reported` is the upstream's own report. */
  serving(reported: Serving | undefined): Serving {
    return { ...this.#source.serving(reported), quotas: this.quotas() };
  }

  /** Returns the limits that it is counted in, with what is left of them now. */
  quotas(): QuotaState[] {
    return this.#facts.quota?.states() ?? [];
  }

  /** The inference has failed; returns the error with what the run knows of it. */
  fail(error: InferenceError): InferenceError {
    const { contextWindow, maxInputTokens = contextWindow } = this.plan.model;
    const isKnown = error.reason === ErrorReason.CONTEXT_LENGTH_EXCEEDED && maxInputTokens !== UNKNOWN_TOKENS;
    const known = isKnown ? { maxPromptTokens: maxInputTokens } : {};
    this.#source.failed(error);
    this.#failedMs = performance.now() - this.startMs;
    this.#error = error
      .with({ ...known, inferenceId: this.id })
      .spending(this.#source.totalUsage(this.#source.shown?.usage) ?? this.usage);
    return this.#error;
  }

  /**
   * The attempt whose answer the caller got; undefined where nobody has answered, or another inference's answer was
   * given.
   */
  get winner(): AttemptProgress | undefined {
    return this.#source.winner;
  }

  /** Another inference's answer; undefined where it asks for itself. */
  get given(): ReusedAnswer | undefined {
    return this.#source.given;
  }

  get finished(): boolean {
    return this.#fold.isFinished;
  }

  /** Returns whether anything of an answer has come. */
  get hasBegun(): boolean {
    return this.#fold.isStarted;
  }

  /** The answer, as far as it has come. */
  get response(): GenerateResponse {
    return this.#fold.response;
  }

  /** Tokens of the answer, as far as they are known. */
  get usage(): Usage | undefined {
    return this.#fold.usage;
  }

  /** Makes the record. */
  record(): InferenceRecord {
    return runRecord(this.#facts, this.#outcome);
  }

  /** Makes the record that stands where this process dies before there is another one. */
  provisionalRecord(): InferenceRecord {
    return provisionalRecord(this.#facts, this.#outcome);
  }

  get #outcome(): RunOutcome {
    return {
      startedAt: this.startedAt,
      latencyMs: this.#failedMs ?? performance.now() - this.startMs,
      timeToFirstTokenMs: this.#firstTokenMs,
      source: this.#source,
      fold: this.#fold,
      pieces: this.#pieces,
      error: this.#error,
    };
  }

  #factsOf({ begun }: AttemptProgress): InferenceFacts {
    return {
      id: this.id,
      requestId: this.summary?.requestId,
      traceId: this.summary?.trace?.traceId,
      model: begun.planned.model.name,
      streamed: this.streamed,
    };
  }
}
