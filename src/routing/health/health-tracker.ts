import { ErrorReason } from "../../hub/error.ts";
import { Headroom } from "../../hub/headroom.ts";
import type { AttemptRecord, FirstToken, InferenceFacts, Origin } from "../../inference/ports.ts";
import { Ejection } from "../../lib/ejection.ts";

/** Time in which what is not confirmed loses most of its weight. */
const TAU_MS = 30_000;

/**
 * A moving average of times in milliseconds that follows a rise at once and a fall slowly, weighted by how long ago
 * each sample was (as Finagle's peak EWMA), with the plain average beside it.
 */
export class PeakEwma {
  #peakMs = 0;
  #meanMs = 0;
  #atMs = 0;
  #samples = 0;

  observe(ms: number, nowMs: number): void {
    const old = this.#samples === 0 ? 0 : Math.exp(-(nowMs - this.#atMs) / TAU_MS);
    // Samples that come together would count for nothing by time alone.
    const weight = Math.min(old, 0.9);
    this.#meanMs = weight * this.#meanMs + (1 - weight) * ms;
    this.#peakMs = ms > this.#peakMs ? ms : weight * this.#peakMs + (1 - weight) * ms;
    this.#atMs = nowMs;
    this.#samples += 1;
  }

  /** Returns the value at the latest sample; undefined if there is none. */
  get peakMs(): number | undefined {
    return this.#samples === 0 ? undefined : this.#peakMs;
  }

  /** The plain average; undefined before there are five samples. */
  get meanMs(): number | undefined {
    return this.#samples < 5 ? undefined : this.#meanMs;
  }

  /** The part of it that is still believed, 0 to 1. */
  trustAt(nowMs: number): number {
    return Math.exp(-(nowMs - this.#atMs) / TAU_MS);
  }
}

/** The health of a deployment at one moment. */
export interface PlaceHealth {
  /** True if it failed of late, so that it is left for last. */
  readonly isOut: boolean;
  /** The part of its share that it has again, 0 to 1. */
  readonly returned: number;
  /** Calls of it that have not ended. */
  readonly inFlight: number;
  /**
   * From the beginning of a call to the first token of its answer, at its worst of late; undefined if nothing is known.
   */
  readonly peakMs: number | undefined;
  /** The same on average; undefined if little is known. */
  readonly meanMs: number | undefined;
  /** The part of the two that is still believed, 0 to 1. */
  readonly trust: number;
  /** The smallest part that is left of its rate limits, 0 to 1; 1 if it tells nothing of them. */
  readonly headroom: number;
}

/** The health of a deployment, as people are told it. */
export interface HealthReport extends Omit<PlaceHealth, "headroom"> {
  /** Undefined where the deployment has told of no rate limit in the last minute. */
  readonly headroom: number | undefined;
  /** Calls that have failed since the last one that was answered whole, for whatever reason. */
  readonly failures: number;
  /** True if a call was answered whole since this process started. */
  readonly hasSucceeded: boolean;
}

/** The health of all deployments. */
export interface HealthSnapshot {
  /** `streamed` tells whose times are asked for: those of streams, or of whole answers. */
  healthOf(place: Origin, streamed: boolean): PlaceHealth;
}

/**
 * Failures of the place itself, whoever asks. What the caller's request or its key's limits bring about says nothing of
 * it.
 */
const OF_PLACE: ReadonlySet<ErrorReason> = new Set([
  ErrorReason.MODEL_NOT_FOUND,
  ErrorReason.NOT_FOUND,
  ErrorReason.RATE_LIMITED,
  ErrorReason.QUOTA_EXCEEDED,
  ErrorReason.UPSTREAM_OVERLOADED,
  ErrorReason.UPSTREAM_ERROR,
  ErrorReason.UPSTREAM_UNAUTHENTICATED,
  ErrorReason.UPSTREAM_MISCONFIGURED,
  ErrorReason.UPSTREAM_UNREACHABLE,
  ErrorReason.UPSTREAM_TIMEOUT,
  ErrorReason.STREAM_INTERRUPTED,
]);

interface TargetState {
  readonly ejection: Ejection;
  readonly streamed: PeakEwma;
  readonly whole: PeakEwma;
  readonly headroom: Headroom;
  inFlight: number;
  failures: number;
  hasSucceeded: boolean;
}

/** Watches the places that this process asks. It holds an entry for each configured place that was asked. */
export class HealthTracker implements HealthSnapshot {
  readonly #now: () => number;
  readonly #keysHeadroomOf: ((place: Origin) => number | undefined) | undefined;
  readonly #states = new Map<string, TargetState>();

  /**
   * `now` is a steady clock in milliseconds. `keysHeadroomOf` returns what is left at a place with several keys, where
   * each answer tells of the limits of one key.
   */
  constructor(now: () => number, keysHeadroomOf?: (place: Origin) => number | undefined) {
    this.#now = now;
    this.#keysHeadroomOf = keysHeadroomOf;
  }

  began(place: Origin): void {
    this.#stateOf(place).inFlight += 1;
  }

  answered({ place, afterMs, upstreamHeaders }: FirstToken, { streamed }: InferenceFacts): void {
    const state = this.#stateOf(place);
    const nowMs = this.#now();
    (streamed ? state.streamed : state.whole).observe(afterMs, nowMs);
    state.headroom.note(upstreamHeaders, nowMs);
  }

  ended(
    { upstream, upstreamModel, outcome, error, firstTokenMs, latencyMs }: AttemptRecord,
    inference: InferenceFacts,
  ): void {
    const state = this.#stateOf({ upstream, model: upstreamModel });
    const nowMs = this.#now();
    state.inFlight = Math.max(0, state.inFlight - 1);
    if (outcome === "completed") {
      state.ejection.succeeded(nowMs);
      state.failures = 0;
      state.hasSucceeded = true;
    }
    // Callers who fill the queue before it say nothing of the place.
    const isFailed = outcome === "failed" && error?.facts.isQueueFull !== true;
    if (isFailed) state.failures += 1;
    if (outcome === "canceled" && firstTokenMs === undefined) {
      // It would have taken longer still: who waited longer than on average has as long ahead as whoever begins now.
      // Without that, a place whose calls are hedged would never seem slower than the hedges let it.
      const times = inference.streamed ? state.streamed : state.whole;
      if (latencyMs > (times.meanMs ?? times.peakMs ?? 0)) times.observe(latencyMs + (times.peakMs ?? 0), nowMs);
    }
    if (!isFailed || error === undefined || !OF_PLACE.has(error.reason)) return;
    state.ejection.failed(nowMs, error.facts.retryAfterMs ?? 0);
    state.headroom.note(error.facts.upstreamHeaders ?? {}, nowMs);
  }

  healthOf(place: Origin, streamed: boolean): PlaceHealth {
    const state = this.#stateOf(place);
    const nowMs = this.#now();
    const times = streamed ? state.streamed : state.whole;
    return {
      isOut: state.ejection.isOut(nowMs),
      returned: state.ejection.returned(nowMs),
      inFlight: state.inFlight,
      peakMs: times.peakMs,
      meanMs: times.meanMs,
      trust: times.trustAt(nowMs),
      headroom: this.#headroomOf(place, state, nowMs) ?? 1,
    };
  }

  /** Returns the health for streams, with what routing does not need. */
  reportOf(place: Origin): HealthReport {
    const state = this.#stateOf(place);
    const { failures, hasSucceeded } = state;
    const headroom = this.#headroomOf(place, state, this.#now());
    return { ...this.healthOf(place, true), headroom, failures, hasSucceeded };
  }

  #headroomOf(place: Origin, { headroom }: TargetState, nowMs: number): number | undefined {
    return this.#keysHeadroomOf?.(place) ?? headroom.at(nowMs);
  }

  #stateOf({ upstream, model }: Origin): TargetState {
    const key = `${upstream}\n${model}`;
    let state = this.#states.get(key);
    if (state === undefined) {
      const times = { streamed: new PeakEwma(), whole: new PeakEwma() };
      const counts = { inFlight: 0, failures: 0, hasSucceeded: false };
      state = { ejection: new Ejection(), headroom: new Headroom(), ...times, ...counts };
      this.#states.set(key, state);
    }
    return state;
  }
}
