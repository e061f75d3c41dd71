import type { RunCall } from "./use-session-run.ts";

/** Facts of a call by which a run is played. */
export type PlayedCall = Pick<RunCall, "latencyMs" | "promptTokens" | "outputTokens" | "costNanos"> & {
  readonly startedAt: string | Date;
};

/** A stretch of a run: how long it was, and how long it plays. */
interface Stretch {
  readonly startMs: number;
  readonly lengthMs: number;
  readonly playedMs: number;
}

/** Silences between calls play no longer than this. */
export const SILENCE_MS = 2_000;

/** Returns the stretches of a run in order, with silences shortened. */
export function layOut(calls: readonly PlayedCall[]): readonly Stretch[] {
  const spans = calls.map((call) => [beginOf(call), beginOf(call) + call.latencyMs] as const);
  const stretches: Stretch[] = [];
  let reachedMs: number | undefined;
  for (const [startMs, endMs] of spans.sort(([a], [b]) => a - b)) {
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

/** Tells whether a call is still to come, under way or over at a time. */
export function stateAt(call: PlayedCall, timeMs: number): "to come" | "under way" | "over" {
  if (timeMs < beginOf(call)) return "to come";
  return timeMs < beginOf(call) + call.latencyMs ? "under way" : "over";
}

/** Adds up what was begun, and what the calls that are over used; a price that is not known adds nothing. */
export function totalsAt(calls: readonly PlayedCall[], timeMs: number) {
  const over = calls.filter((call) => stateAt(call, timeMs) === "over");
  return {
    calls: calls.filter((call) => stateAt(call, timeMs) !== "to come").length,
    tokens: over.reduce((sum, call) => sum + (call.promptTokens ?? 0) + (call.outputTokens ?? 0), 0),
    costNanos: over.reduce((sum, call) => sum + Number(call.costNanos ?? 0), 0),
  };
}

function beginOf({ startedAt }: PlayedCall): number {
  return new Date(startedAt).getTime();
}
