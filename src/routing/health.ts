import { ErrorReason } from "../inference/error.ts";
import type { AttemptRecord, Origin } from "../inference/ports.ts";

/** Which places failed of late, at one moment. */
export interface HealthSnapshot {
  /** Until when a place is left for last, by the clock of the watch; 0 for one that has not failed of late. */
  coolingUntilMs(place: Origin): number;
}

/** Watches the places that serve models. */
export interface Health extends HealthSnapshot {
  /** Takes an attempt into account that has ended. */
  observe(attempt: AttemptRecord): void;
}

/** After its second failure a place is left for last so long; after each further one twice as long. */
const FIRST_MS = 1000;
const LONGEST_MS = 60_000;

/** Failures of the place itself, whoever asks. What the caller's request or its key's limits bring about says nothing of it. */
const OF_PLACE: ReadonlySet<ErrorReason> = new Set([
  ErrorReason.MODEL_NOT_FOUND,
  ErrorReason.NOT_FOUND,
  ErrorReason.RATE_LIMITED,
  ErrorReason.QUOTA_EXCEEDED,
  ErrorReason.UPSTREAM_OVERLOADED,
  ErrorReason.UPSTREAM_ERROR,
  ErrorReason.UPSTREAM_UNAUTHENTICATED,
  ErrorReason.UPSTREAM_UNREACHABLE,
  ErrorReason.UPSTREAM_TIMEOUT,
]);

interface Fault {
  readonly untilMs: number;
  readonly failures: number;
}

/**
 * Creates a watch of the places of this process: one that failed twice or more in a row is left for last, for a second at first and a
 * minute at most; one that said when to come again, until then. `now` is a steady clock in milliseconds. It holds an entry for each
 * place that fails.
 */
export function createHealth(now: () => number): Health {
  const faults = new Map<string, Fault>();
  return {
    coolingUntilMs: (place) => faults.get(keyOf(place))?.untilMs ?? 0,
    observe({ upstream, upstreamModel, outcome, error }) {
      const key = keyOf({ upstream, model: upstreamModel });
      if (outcome === "completed") faults.delete(key);
      if (outcome !== "failed" || error === undefined || !OF_PLACE.has(error.reason)) return;
      const failures = (faults.get(key)?.failures ?? 0) + 1;
      // One failure may be chance.
      const grown = failures === 1 ? 0 : FIRST_MS * 2 ** Math.min(failures - 2, 10);
      const asked = error.facts.retryAfterMs ?? 0;
      faults.set(key, { failures, untilMs: now() + Math.min(Math.max(grown, asked), LONGEST_MS) });
    },
  };
}

function keyOf({ upstream, model }: Origin): string {
  return `${upstream}\n${model}`;
}
