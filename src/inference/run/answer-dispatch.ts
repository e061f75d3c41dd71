import type { GenerateEvent, GenerateResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import type { EventSink } from "../../hub/upstream.ts";
import { afterPollPhase, EventLoopBudget } from "../../lib/event-loop-budget.ts";
import type { Attempt } from "../attempts/attempt.ts";
import { runCandidates } from "../attempts/run-candidates.ts";
import { runChecked } from "../attempts/run-checked.ts";
import { runChoices } from "../attempts/run-choices.ts";
import { type BegunAttempt, runStrategy } from "../attempts/run-strategy.ts";
import type { ResponseCache } from "../coalescing/response-cache.ts";
import type { SharedCall } from "../coalescing/shared-call.ts";
import type { SharedCalls } from "../coalescing/shared-calls.ts";
import type { AttemptRole, Coalescing, Recorder } from "../ports.ts";
import type { Deadline } from "./deadline.ts";
import type { InFlight } from "./in-flight.ts";
import type { InferenceRun } from "./inference-run.ts";
import type { WaitingRequests } from "./waiting-requests.ts";

/** An inference that is to be answered. */
interface AnswerableRun {
  readonly run: InferenceRun;
  /** Takes the answer. */
  readonly sink: EventSink;
  /** The keys that it shares with others that the same answer may serve; undefined if there are none. */
  readonly coalescing: Coalescing | undefined;
}

/** The parts that answering needs. */
export interface AnsweringParts {
  readonly recorder: Recorder;
  readonly inFlight: InFlight;
  readonly waiting: WaitingRequests;
  readonly shared: SharedCalls;
  /** Answers that may be given again; undefined if none are kept. */
  readonly cached: ResponseCache | undefined;
  readonly mayBegin: (role: AttemptRole) => boolean;
}

/** Answers that end have one together: to record one takes as long as its request and its answer are large. */
const share = new EventLoopBudget();

/** Answers one inference, by calls of its own or with the answer to an identical one, and records it once. */
export class AnswerDispatch {
  readonly #run: InferenceRun;
  readonly #sink: EventSink;
  readonly #coalescing: Coalescing | undefined;
  readonly #parts: AnsweringParts;
  #isRecorded = false;
  /** Runs until the deadline; undefined without one. */
  #timer: NodeJS.Timeout | undefined;
  /** Gives one of several answers where the others are late; undefined where one alone is asked for. */
  #giveEarly: (() => boolean) | undefined;
  /** Settles when the call has ended that this one began, and that goes on for others when its caller has left. */
  #goesOn: Promise<void> | undefined;

  constructor({ run, sink, coalescing }: AnswerableRun, parts: AnsweringParts) {
    this.#run = run;
    this.#sink = sink;
    this.#coalescing = coalescing;
    this.#parts = parts;
  }

  /**
   * Resolves at the end of the answer. Throws InferenceError, DEADLINE_EXCEEDED where it is not there by the deadline.
   * `signal` aborts when the caller leaves.
   */
  async answer(signal: AbortSignal, deadline?: Deadline): Promise<void> {
    const run = this.#run;
    const stop = new AbortController();
    this.#timer = deadline?.start((error) => {
      if (this.#giveEarly?.() !== true) stop.abort(error);
    });
    const leave = (): void => stop.abort(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    const facts = { projectId: run.principal.projectId, model: run.plan.model.name, workload: run.input.workload };
    this.#parts.inFlight.add(run.id, facts, (error) => stop.abort(error));
    this.#parts.waiting.add(run);
    run.summary?.begin(run.id);
    try {
      await this.#serve(stop.signal);
    } catch (thrown) {
      throw run.fail(InferenceError.from(thrown));
    } finally {
      clearTimeout(this.#timer);
      signal.removeEventListener("abort", leave);
      if (this.#goesOn === undefined) this.#record();
      else void this.#goesOn.then(() => this.#record());
    }
  }

  /** Answers with what is under way, with what was kept, or by calls of its own. */
  async #serve(signal: AbortSignal): Promise<void> {
    const { sharedKey } = this.#coalescing ?? {};
    const isShared = sharedKey !== undefined && this.#parts.shared.find(sharedKey, this.#run) !== undefined;
    const query = isShared ? undefined : await this.#findKept();
    if (signal.aborted) throw InferenceError.fromAbort(signal);
    if (query !== undefined) await this.#take(this.#run.replay(query));
    else await (sharedKey === undefined ? this.#ask(signal, this.#take) : this.#share(sharedKey, signal));
  }

  /**
   * Finds the answer to an identical request of before. Only what the model itself has answered is kept, and stands for
   * its answer.
   */
  async #findKept(): Promise<GenerateResponse | undefined> {
    const { plan, principal } = this.#run;
    const cache = this.#coalescing?.kept;
    if (cache === undefined || plan.strategy.attempts[0]?.model !== plan.model) return undefined;
    const sinceMs = Date.now() - cache.ttlMs;
    return await this.#parts.cached?.find({ key: cache.key, projectId: principal.projectId, sinceMs });
  }

  /** Hands events on to the caller. */
  readonly #take: EventSink = (events) => {
    // A stream that has begun is bounded by its silence.
    if (this.#run.streamed) clearTimeout(this.#timer);
    if (events.at(-1)?.event.case !== "finished") return this.#sink(events);
    if (!this.#run.streamed) return this.#finish(events);
    // Before the last words go out: what a caller has had whole, no death of the process takes back.
    this.#record();
    return this.#sink(events);
  };

  /**
   * Hands a whole answer on, together with all that end in this iteration of the event loop:
   * docs/decisions/0061-turns.md has what that saves.
   */
  async #finish(events: GenerateEvent[]): Promise<void> {
    await afterPollPhase();
    // Not awaited where it may begin at once: the share is used up by records, so that the next one may be asked for
    // only after this one.
    const turn = share.acquire();
    if (turn !== undefined) await turn;
    // Its caller has left meanwhile, and that is what its record says.
    if (this.#isRecorded) return;
    this.#record();
    // All that end now are recorded before any of them goes out; in a later turn, if that has used up this one.
    await share.acquire();
    await this.#sink(events);
  }

  /** Makes the attempts of its own plan. */
  async #ask(signal: AbortSignal, sink: EventSink): Promise<void> {
    const run = this.#run;
    const { mayBegin } = this.#parts;
    const { strategy } = run.plan;
    const begin = (begun: BegunAttempt): Attempt => run.begin(begun);
    const onLate = (giveEarly: () => boolean): void => {
      this.#giveEarly = giveEarly;
    };
    const limits = { signal, mayBegin, putDown: () => this.#putDown(), onLate };
    if (run.input.n > 1) {
      const choices = { count: run.input.n / run.choicesPerCall, begin, sink, end: () => run.endChoices() };
      return await runChoices(strategy, choices, limits);
    }
    if (strategy.kind === "sequence" || strategy.kind === "hedged") {
      return await runStrategy(strategy, (begun) => begin(begun).make(sink), limits);
    }
    const chosen =
      strategy.kind === "checked"
        ? await runChecked(strategy, begin, limits)
        : await runCandidates(strategy, begin, limits);
    if (signal.aborted) throw InferenceError.fromAbort(signal);
    await chosen.deliver(sink);
  }

  async #share(key: string, signal: AbortSignal): Promise<void> {
    const run = this.#run;
    const found = this.#parts.shared.find(key, run);
    if (found === undefined) return this.#lead(this.#parts.shared.begin(key, run), signal);
    run.follow(found.leader);
    try {
      await found.join((events) => this.#take(run.adopt(events)), signal);
    } catch (thrown) {
      // Nobody gets the failure of a call that was made for somebody else, unless the answer has begun.
      if (run.hasBegun || signal.aborted) throw thrown;
      run.follow(undefined);
      await this.#ask(signal, this.#take);
    }
  }

  async #lead(call: SharedCall, signal: AbortSignal): Promise<void> {
    const joined = call.join(this.#take, signal);
    const made = this.#ask(call.signal, (events) => call.take(events)).then(
      () => call.end(),
      (thrown) => call.end(InferenceError.from(thrown)),
    );
    try {
      await joined;
    } catch (thrown) {
      if (call.isRead) this.#goesOn = made;
      else await made;
      throw thrown;
    }
  }

  #putDown(): void {
    if (!this.#isRecorded) this.#parts.recorder.offerProvisional(() => this.#run.provisionalRecord());
  }

  #record(): void {
    if (this.#isRecorded) return;
    this.#isRecorded = true;
    this.#parts.waiting.remove(this.#run);
    const record = this.#run.record();
    this.#parts.recorder.offer(record);
    this.#run.summary?.addRecord(record);
    this.#parts.inFlight.delete(this.#run.id);
  }
}
