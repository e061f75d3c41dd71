import type { WorkloadState } from "../workload-state.ts";

/** Trials after which as many ordinary ones follow as half of the configured share; the part that always stays. */
const FADE = 200;
const LEAST_PART = 0.2;

/** Returns the part of the configured share of ordinary trials that is left after so many trials. */
export function fadedPart(trials: number): number {
  return Math.max(LEAST_PART, 1 / (1 + trials / FADE));
}

/** Returns the part that is left in a workload: all of it where nobody was asked for recorded requests. */
export function ordinaryPart({ recordedTrials, grades, families, arms, base }: WorkloadState): number {
  if (recordedTrials === 0) return 1;
  let trials = 0;
  for (let cell = 0; cell < families.size * arms.length; cell++) {
    if (cell % arms.length !== base) trials += grades.counts[cell] ?? 0;
  }
  return fadedPart(trials);
}
