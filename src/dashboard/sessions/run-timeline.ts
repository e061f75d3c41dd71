import type { listRunSteps } from "./run-steps.ts";

/** A call of a run with no more than what it is played by. */
interface TimelineCall {
  /** Its place among the lines of the run, which tells the page that it is on. */
  readonly line: number;
  /** Its place in order of time, from 1. */
  readonly number: number;
  readonly depth: number;
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly latencyMs: number;
  readonly isFailed: boolean;
  /** Of prompt and answer, as far as they are known. */
  readonly tokens: number;
  /** Zero where the cost is not known. */
  readonly costNanos: number;
}

/** Lists the calls of all lines of a run in order of time. */
export function runTimeline(lines: ReturnType<typeof listRunSteps>): TimelineCall[] {
  const calls = lines.flatMap((step, line) => {
    if (step.kind === "session") return [];
    const { number, depth, call } = step;
    const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = call;
    const counts = [inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens];
    return {
      line,
      number,
      depth,
      startMs: call.startedAt.getTime(),
      latencyMs: call.latencyMs,
      isFailed: call.status === "failed",
      costNanos: call.costNanos ?? 0,
      tokens: counts.reduce<number>((sum, count) => sum + (count ?? 0), 0),
    };
  });
  return calls.sort((a, b) => a.startMs - b.startMs || a.number - b.number);
}
