const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits after each failed attempt; after the last one a message is given up, 27 hours after the first attempt. */
const WAITS_MS = [
  ...[5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS],
  ...[2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 10 * HOUR_MS],
];

/** The longest wait between attempts of what is never given up. */
const LONGEST_MS = HOUR_MS;

/** Returns the wait after so many attempts, in milliseconds; undefined where there is no further one. */
export function waitAfter(attempts: number): number | undefined {
  return WAITS_MS[attempts - 1];
}

/** Returns the wait of a message that is tried until it is delivered: those after it have to come after it. */
export function waitInOrder(attempts: number): number {
  return Math.min(waitAfter(attempts) ?? LONGEST_MS, LONGEST_MS);
}
