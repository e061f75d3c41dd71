import type { Outputs } from "../../../web/api/trpc.ts";

/** A call of a run, with what it is played by; calls come in order of time. */
export type PlayedCall = Outputs["sessions"]["timeline"]["calls"][number];

/** A stretch of a run: how long it was, and how long it plays. */
export interface Stretch {
  readonly startMs: number;
  readonly lengthMs: number;
  readonly playedMs: number;
}

/** Silences between calls play no longer than this. */
export const SILENCE_MS = 2_000;

/** Returns the stretches of a run in order, with silences shortened. */
export function layOut(calls: readonly PlayedCall[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let reachedMs: number | undefined;
  for (const call of calls) {
    const { startMs } = call;
    const endMs = startMs + call.latencyMs;
    const fromMs: number = reachedMs ?? startMs;
    const silenceMs = startMs - fromMs;
    if (silenceMs > 0) {
      stretches.push({ startMs: fromMs, lengthMs: silenceMs, playedMs: Math.min(silenceMs, SILENCE_MS) });
    }
    const lengthMs = endMs - Math.max(startMs, fromMs);
    if (lengthMs > 0) stretches.push({ startMs: Math.max(startMs, fromMs), lengthMs, playedMs: lengthMs });
    reachedMs = Math.max(endMs, fromMs);
  }
  return stretches;
}

/** Returns how long a run plays at its own pace. */
export function playedLength(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { playedMs }) => sum + playedMs, 0);
}

/** Returns the time of the run, in milliseconds since 1970, at a place of its playing; undefined without calls. */
export function timeAt(stretches: readonly Stretch[], placeMs: number): number | undefined {
  let leftMs = Math.max(0, placeMs);
  for (const { startMs, lengthMs, playedMs } of stretches) {
    if (leftMs <= playedMs) return startMs + (lengthMs * leftMs) / playedMs;
    leftMs -= playedMs;
  }
  const last = stretches.at(-1);
  return last && last.startMs + last.lengthMs;
}

/** Returns the place of playing at which a time of the run is shown. */
export function placeAt(stretches: readonly Stretch[], timeMs: number): number {
  let placeMs = 0;
  for (const { startMs, lengthMs, playedMs } of stretches) {
    const part = Math.min(1, Math.max(0, (timeMs - startMs) / lengthMs));
    placeMs += part * playedMs;
    if (part < 1) break;
  }
  return placeMs;
}

/** Tells whether a call is still to come, under way or over at a time. */
export function stateAt(call: Pick<PlayedCall, "startMs" | "latencyMs">, timeMs: number) {
  if (timeMs < call.startMs) return "to come";
  return timeMs < call.startMs + call.latencyMs ? "under way" : "over";
}

/** Counts the calls under way, and adds up what those that are over used; a price that is not known adds nothing. */
export function totalsAt(calls: readonly PlayedCall[], timeMs: number) {
  const totals = { underWay: 0, failed: 0, tokens: 0, costNanos: 0 };
  for (const call of calls) {
    const state = stateAt(call, timeMs);
    if (state === "to come") break;
    if (state === "under way") totals.underWay += 1;
    else {
      totals.failed += call.isFailed ? 1 : 0;
      totals.tokens += call.tokens;
      totals.costNanos += call.costNanos;
    }
  }
  return totals;
}

/** Returns the call that began last at a time; the first one before any has begun. */
export function latestAt(calls: readonly PlayedCall[], timeMs: number): PlayedCall | undefined {
  return calls.findLast(({ startMs }) => startMs <= timeMs) ?? calls[0];
}
