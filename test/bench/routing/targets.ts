import type { RunResult } from "./run-script.ts";

/** What has to be reached where at least one place is healthy. */
export const TARGETS = { successPercent: 99.9, p99Factor: 1.5, extraCallsPercent: 3 } as const;

/** Whether a run reached a target, and what it came to. */
export interface Verdict {
  readonly target: string;
  readonly value: string;
  readonly isMet: boolean;
}

/** Holds a run against the targets; `healthy` is the run with nothing broken. Answers that break late count apart. */
export function judge(run: RunResult, healthy: RunResult): readonly Verdict[] {
  const factor = run.p99Ms / healthy.p99Ms;
  return [
    {
      target: `success >= ${TARGETS.successPercent}%`,
      value: `${run.savablePercent.toFixed(2)}%`,
      isMet: run.savablePercent >= TARGETS.successPercent,
    },
    {
      target: `p99 <= ${TARGETS.p99Factor} x healthy`,
      value: `${factor.toFixed(2)} x`,
      isMet: factor <= TARGETS.p99Factor,
    },
    {
      target: `extra calls <= ${TARGETS.extraCallsPercent}%`,
      value: `${run.extraCallsPercent.toFixed(2)}%`,
      isMet: run.extraCallsPercent <= TARGETS.extraCallsPercent,
    },
  ];
}
