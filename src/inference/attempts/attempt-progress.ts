import type { ContentBlock, Usage } from "../../../gen/attune/content/v1/content_pb.ts";
import type { GenerateEvent, Serving } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { type CallCost, callCost, costNanos, countedCost, reportedNanos } from "../../catalog/cost.ts";
import type { PricePicos } from "../../catalog/prices.ts";
import type { InferenceError } from "../../hub/error.ts";
import type { UpstreamCall } from "../../hub/upstream.ts";
import { type Exchange, estimateLost, estimateUsage } from "../checks/estimate-usage.ts";
import { toOrigin } from "../history/open-input.ts";
import type { AnswerVerdict, AttemptOutcome, AttemptQuota, AttemptRecord, FirstToken, Origin } from "../ports.ts";
import type { BufferedAnswer } from "./buffered-answer.ts";
import type { ComparedAnswer } from "./candidates.ts";
import type { BegunAttempt } from "./run-strategy.ts";

/** The end of an attempt. */
type End = Pick<AttemptRecord, "outcome" | "latencyMs" | "error">;

/** The facts of an end; the latency is the time until now if absent. */
export type EndFacts = Partial<Omit<End, "outcome">>;

/** The gap of a request that was lost and sent again, at a model without a price. */
const LOST = "a request that was lost and sent again";

/** The progress of one call of an upstream: its target, times, tokens and end, as they come. */
export class AttemptProgress {
  readonly begun: BegunAttempt;
  /** The deployment that is asked. */
  readonly place: Origin;
  /** The losses of its request, and its differences from the plain one, once it is made. */
  request: Pick<UpstreamCall, "losses" | "optimizations"> = { losses: [] };
  /** True if its answer is the one that the caller gets. */
  isWinner = false;
  /** The verdict of checks; undefined where the answer was not checked. */
  verdict: AnswerVerdict | undefined;
  /** True if it was chosen among several, and why; undefined where there was nothing to choose. */
  choice: ComparedAnswer | { readonly reason: "not_awaited" } | undefined;
  /** The answer that is kept back until it is checked; undefined where answers are handed on as they come. */
  held: BufferedAnswer | undefined;
  /** The content of an answer that was not chosen, as far as it came. */
  notChosen: readonly ContentBlock[] = [];
  /** The part of its caller's limits that it takes; undefined where nothing limits it, or there was no room. */
  quota: AttemptQuota | undefined;
  /** Tokens as far as they are known. */
  usage: Usage | undefined;
  /** Returns what was asked and said so far, of which its tokens can be estimated. */
  readonly #exchange: () => Exchange;
  readonly #startedAt = new Date();
  readonly #startMs = performance.now();
  /** When its inference began, as performance.now() has it. */
  readonly #inferenceStartMs: number;
  #firstEventMs: number | undefined;
  #firstTokenMs: number | undefined;
  /** When its upstream began to write what can be read. */
  #visibleMs: number | undefined;
  /** When it began to reason unseen after that, if it does now, and for how long it did so before. */
  #hiddenSinceMs: number | undefined;
  #hiddenMs = 0;
  /** When its request went out. */
  #sentMs: number | undefined;
  /** The tokens of requests that were lost with their connections, and sent again. */
  readonly #lost: Usage[] = [];
  /** The cost that was asked for last: records are made several times of the same tokens. */
  #cost: { readonly usage: Usage | undefined; readonly lost: number; readonly cost: CallCost | undefined } | undefined;
  /** The upstream's report of itself at the beginning of its answer. */
  #serving: Serving | undefined;
  #end: End | undefined;

  constructor(begun: BegunAttempt, inferenceStartMs: number, exchange: () => Exchange) {
    this.#exchange = exchange;
    this.begun = begun;
    this.place = toOrigin(begun.planned);
    this.#inferenceStartMs = inferenceStartMs;
  }

  /**
   * Takes note of when events came, and of what the upstream says at the beginning; returns the first token where it is
   * among them.
   */
  note(events: readonly GenerateEvent[]): FirstToken | undefined {
    if (this.#visibleMs !== undefined) {
      for (const event of events) this.#noteLater(event);
      return undefined;
    }
    const { elapsedMs } = this;
    this.#firstEventMs ??= elapsedMs;
    if (events.some(isVisible)) {
      this.#visibleMs = elapsedMs;
      for (const event of events) this.#noteLater(event);
    }
    if (this.#firstTokenMs !== undefined) return undefined;
    for (const { event } of events) {
      if (event.case === "started") {
        this.#serving = event.value.serving;
        this.usage = event.value.usage;
      }
      if (event.case !== "blockStart" && event.case !== "finished" && event.case !== "choiceEvent") continue;
      this.#firstTokenMs = elapsedMs;
      const upstreamHeaders = this.#serving?.upstreamHeaders ?? {};
      return { place: this.place, afterMs: elapsedMs, upstreamHeaders };
    }
    return undefined;
  }

  /** Takes note of reasoning that begins behind what can be read, and of what ends it. */
  #noteLater(event: GenerateEvent): void {
    const { case: kind, value } = event.event;
    if (kind === "blockDelta" && value.delta.case === "text") return;
    if (isVisible(event)) {
      if (this.#hiddenSinceMs !== undefined) this.#hiddenMs += this.elapsedMs - this.#hiddenSinceMs;
      this.#hiddenSinceMs = undefined;
    } else if (kind === "blockStart") this.#hiddenSinceMs ??= this.elapsedMs;
  }

  /** Its request goes out: from now on it costs, whether or not anything comes back. */
  readonly sent = (lostMs?: number): void => {
    if (lostMs === undefined) this.#sentMs ??= this.elapsedMs;
    else {
      const lost = estimateLost(lostMs, this.#exchange());
      if (lost !== undefined) this.#lost.push(lost);
      this.#sentMs = this.elapsedMs;
    }
  };

  get isSent(): boolean {
    return this.#sentMs !== undefined || this.hasBegun;
  }

  /**
   * Returns the time in which its upstream may have worked and nothing was to be seen of it; undefined where it was not
   * asked.
   */
  get unseenMs(): number | undefined {
    if (this.#sentMs === undefined) return undefined;
    const hiddenMs = this.#hiddenMs + (this.#hiddenSinceMs === undefined ? 0 : this.elapsedMs - this.#hiddenSinceMs);
    return (this.#visibleMs ?? this.elapsedMs) - this.#sentMs + hiddenMs;
  }

  /**
   * An answer that was broken off, on whichever side, costs what was asked and said so far, which few upstreams have
   * told by then, and what may have been made unseen.
   */
  estimateUsage(): void {
    if (!this.isEnded && this.isSent) this.usage = estimateUsage(this.usage, this.#exchange());
  }

  /** Takes note of how it ended; returns whether that is its end: only the first one counts. */
  end(outcome: AttemptOutcome, { error, latencyMs = this.elapsedMs }: EndFacts = {}): boolean {
    if (this.isEnded) return false;
    this.#end = { outcome, error, latencyMs };
    return true;
  }

  get isEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Returns whether anything of its answer has come. */
  get hasBegun(): boolean {
    return this.#firstEventMs !== undefined;
  }

  /** Returns whether a token of its answer has come. */
  get hasAnswered(): boolean {
    return this.#firstTokenMs !== undefined;
  }

  get error(): InferenceError | undefined {
    return this.#end?.error;
  }

  /** Milliseconds since it began. */
  get elapsedMs(): number {
    return performance.now() - this.#startMs;
  }

  /** Returns the record of the attempt; while it runs, it counts as broken off now. */
  get record(): AttemptRecord {
    if (this.#end !== undefined || this.isWinner)
      return this.#recordOf(this.#end ?? this.#endedNow("canceled"), this.usage);
    return this.#recordOf(this.#endedNow("canceled"), this.#usageIfCutOff);
  }

  /** Returns the record if the process dies now: a running attempt has cost what was asked and answered so far. */
  get recordIfCutOff(): AttemptRecord {
    if (this.isEnded) return this.record;
    const { held, usage } = this;
    if (held?.isFinished === true) return this.#recordOf(this.#endedNow("completed"), usage);
    // It is written before the request goes out, which it does unless the process dies just then.
    return this.#recordOf(this.#endedNow("canceled"), estimateUsage(usage, this.#exchange()));
  }

  get #usageIfCutOff(): Usage | undefined {
    return this.isSent ? estimateUsage(this.usage, this.#exchange()) : this.usage;
  }

  /** Returns the cost of its tokens, and of requests that were lost with their connections. */
  #costOf(price: PricePicos | undefined, usage: Usage | undefined): CallCost | undefined {
    const lost = this.#lost.length;
    if (this.#cost?.usage !== usage || this.#cost?.lost !== lost) {
      this.#cost = { usage, lost, cost: this.#sumCost(price, usage) };
    }
    return this.#cost?.cost;
  }

  #sumCost(price: PricePicos | undefined, usage: Usage | undefined): CallCost | undefined {
    const cost = usage && countedCost(price, usage, this.#startedAt);
    if (this.#lost.length === 0) return cost;
    if (price === undefined) return cost && { ...cost, gaps: [...cost.gaps, LOST] };
    const costs = [...this.#lost.map((lost) => callCost(price, lost, this.#startedAt)), ...(cost ? [cost] : [])];
    const nanos = costs.reduce((sum, each) => sum + each.nanos, 0);
    return { nanos, gaps: [...new Set(costs.flatMap(({ gaps }) => gaps))] };
  }

  #excessOf(price: PricePicos, usage: Usage): number | undefined {
    const reported = reportedNanos(usage);
    return reported === undefined ? undefined : reported - costNanos(price, usage, this.#startedAt);
  }

  #endedNow(outcome: AttemptOutcome): End {
    return { outcome, latencyMs: this.elapsedMs, error: undefined };
  }

  #recordOf({ outcome, latencyMs, error }: End, usage: Usage | undefined): AttemptRecord {
    const { model, upstream, deployment, propensity } = this.begun.planned;
    const price = deployment.price ?? model.price;
    const { verdict, choice } = this;
    const cost = this.#costOf(price, usage);
    const excess = price && usage && this.#excessOf(price, usage);
    return {
      upstream: upstream.name,
      upstreamModel: deployment.model,
      upstreamRequestId: this.#serving?.upstreamRequestId || (error?.facts.upstreamRequestId ?? ""),
      role: this.begun.role,
      startedAt: this.#startedAt,
      startedAfterMs: this.#startMs - this.#inferenceStartMs,
      firstEventMs: this.#firstEventMs,
      firstTokenMs: this.#firstTokenMs,
      latencyMs,
      outcome,
      isWinner: this.isWinner,
      error,
      usage,
      ...(this.#lost.length > 0 && { lost: this.#lost }),
      isEstimated: this.#lost.length > 0 || (usage?.estimated ?? false),
      costNanos: cost?.nanos,
      ...(cost && cost.gaps.length > 0 && { costGaps: cost.gaps }),
      ...(excess !== undefined && { reportedExcessNanos: excess }),
      losses: this.request.losses,
      ...(verdict && { failedChecks: verdict.failed, isUnjudged: !verdict.isComplete }),
      // What has failed or was refused was not looked at for the choice; where all had, the next one had nobody to be
      // compared with.
      ...(choice && error === undefined && this.begun.role === "candidate" && comparedMembers(choice)),
      propensity,
    };
  }
}

function comparedMembers({ reason, ...compared }: NonNullable<AttemptProgress["choice"]>) {
  return { ...compared, candidateReason: reason };
}

/** Returns whether an event shows that a model has come to write what can be read; reasoning may go on unseen. */
function isVisible({ event }: GenerateEvent): boolean {
  switch (event.case) {
    case "blockStart":
      return event.value.block?.kind.case !== "thinking" && event.value.block?.kind.case !== "opaque";
    case "blockDelta":
      return event.value.delta.case === "thinking";
    case "choiceEvent":
    case "finished":
      return true;
    default:
      return false;
  }
}
