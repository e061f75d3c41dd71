/** When an attempt ran, in milliseconds. */
interface AttemptTimes {
  /** From the start of the request. */
  readonly startedAfterMs: number;
  /** From the start of the attempt; null where nothing came. */
  readonly firstEventMs?: number | null | undefined;
  readonly latencyMs: number;
}

/** The position of an attempt on the time line of its request, in percent. */
export interface Stretch {
  readonly start: number;
  /** Until the first event, or the end where none came. */
  readonly waiting: number;
  readonly answering: number;
}

/** Places attempts on one line, which ends with the request or with the last attempt, whichever is later. */
export function placeAttempts(attempts: readonly AttemptTimes[], requestMs: number): Stretch[] {
  const endMs = Math.max(requestMs, ...attempts.map(({ startedAfterMs, latencyMs }) => startedAfterMs + latencyMs));
  const share = (ms: number) => (endMs <= 0 ? 0 : (ms / endMs) * 100);
  return attempts.map(({ startedAfterMs, firstEventMs, latencyMs }) => {
    const waitingMs = Math.min(firstEventMs ?? latencyMs, latencyMs);
    return { start: share(startedAfterMs), waiting: share(waitingMs), answering: share(latencyMs - waitingMs) };
  });
}
