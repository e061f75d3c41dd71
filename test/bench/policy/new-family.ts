import { learnedAdvantages } from "../../../src/learning/bandit/learn.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import { MersenneTwister, permutation } from "../replay/mersenne-twister.ts";
import { findBase, type ReplaySet, rankedModels, rowCount } from "../replay/replay-set.ts";
import { runStream, type StreamResult } from "../replay/run-stream.ts";
import { groupSessions } from "../replay/sessions.ts";

/** Requests of the new family that count. */
const REQUESTS = 100;

/**
 * Whether the new family joins the workload that learned the others, or a new one starts from the advantages that it
 * found.
 */
export type Transfer = "joins" | "starts anew";

/**
 * For each family: one workload learns all others from nothing, and then the family comes. Returns the mean of what its
 * first hundred requests earn above base, over families and seeds.
 */
export function meanDeltaOfNewFamily(
  set: ReplaySet,
  { firstSeed, seeds }: { firstSeed: number; seeds: number },
  transfer: Transfer,
): number {
  const rest = permutation(rowCount(set), 12345).slice(1000);
  const base = set.models[findBase(set, "median")] ?? "";
  const deltas: number[] = [];
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
    const order = new MersenneTwister(seed).shuffle(rest.slice());
    for (let family = 0; family < set.families.length; family++) {
      const learned = new WorkloadState({ arms: set.models, base, feedback: "complete" });
      play(set, learned, { rows: order.filter((row) => set.familyOf[row] !== family), seed });
      const priors = Object.fromEntries(
        Object.entries(learnedAdvantages(learned)).map(([model, { advantage }]) => [model, advantage]),
      );
      const fresh = new WorkloadState({ arms: set.models, base, feedback: "complete", priors });
      const rows = order.filter((row) => set.familyOf[row] === family).subarray(0, REQUESTS);
      const { scores, baseScores } = play(set, transfer === "joins" ? learned : fresh, { rows, seed });
      const gained = scores.reduce((sum, score, step) => sum + score - (baseScores[step] ?? 0), 0);
      deltas.push(gained / rows.length);
    }
  }
  return deltas.reduce((sum, delta) => sum + delta, 0) / deltas.length;
}

function play(set: ReplaySet, state: WorkloadState, { rows, seed }: { rows: Int32Array; seed: number }): StreamResult {
  return runStream(set, state, {
    ...groupSessions(rows, set.familyOf, 1),
    unit: "request",
    familyNameOf: (row) => set.families[set.familyOf[row] ?? 0] ?? "",
    delay: 0,
    feedbackOn: (_, score) => score,
    driftAt: Number.POSITIVE_INFINITY,
    ranked: rankedModels(set),
    random: new MersenneTwister(seed ^ 0x5bd1e995),
  });
}
