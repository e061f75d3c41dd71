import { weighEvidence } from "./shadow/weigh-evidence.ts";
import type { WorkloadState } from "./workload-state.ts";

/** Forgets families, and weighs the evidence anew, which goes by their numbers. */
export function forgetFamilies(state: WorkloadState, names: Iterable<string>): void {
  for (const name of names) state.forgetFamily(name);
  weighEvidence(state);
}
