import { FLEX_TIER, findFlexPrice } from "../../catalog/flex-price.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import type { PlannedAttempt } from "../ports.ts";

/** The time for which a place is asked in the ordinary tier once the flex tier had no room there. */
const FULL_MS = 60_000;

/** Reasons of a refusal for want of room; a provider that does not know the tier refuses the request as it is. */
const FULL: ReadonlySet<ErrorReason> = new Set([ErrorReason.RATE_LIMITED, ErrorReason.UPSTREAM_OVERLOADED]);

/**
 * Asks in the flex tier where a place has one that is cheaper, and in the ordinary tier where it refuses: for a minute
 * where it has no room, and for good where it does not know the tier for the model.
 */
export class FlexTier {
  readonly #now: () => number;
  /** Per place: the time from which on it is asked in the flex tier again. */
  readonly #closedUntil = new Map<string, number>();

  /** `now` returns milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Has `call` ask a place in the tier that it is given. */
  async ask<T>(planned: PlannedAttempt, call: (serviceTier?: string) => Promise<T>): Promise<T> {
    const place = JSON.stringify([planned.upstream.name, planned.deployment.model]);
    if (!isFlexCheaper(planned) || this.#now() < (this.#closedUntil.get(place) ?? 0)) return await call();
    try {
      return await call(FLEX_TIER);
    } catch (thrown) {
      const { reason, facts } = InferenceError.from(thrown);
      const isFull = FULL.has(reason);
      const isUnknown = reason === ErrorReason.INVALID_REQUEST && facts.upstreamStatus !== undefined;
      if (!isFull && !isUnknown) throw thrown;
      const answer = await call();
      this.#closedUntil.set(place, isFull ? this.#now() + FULL_MS : Number.POSITIVE_INFINITY);
      return answer;
    }
  }
}

function isFlexCheaper({ model, upstream, deployment }: PlannedAttempt): boolean {
  return upstream.takesFlexTier === true && findFlexPrice(model, deployment) !== undefined;
}
