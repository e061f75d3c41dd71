import { clusterId } from "../../../src/learning/bandit/cluster-id.ts";
import { Decision, decide } from "../../../src/learning/bandit/decide.ts";
import { UNSEEN } from "../../../src/learning/bandit/estimates.ts";
import { FamilySplits } from "../../../src/learning/bandit/family-splits.ts";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { PromptClusters } from "../../../src/learning/bandit/prompt-clusters.ts";
import { SeededRandom } from "../../../src/learning/bandit/seeded-random.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";

/**
 * Two kinds of prompts without instructions, and how often each model is right at each: base is middling, the others
 * are good at one kind.
 */
const KINDS = [
  (call: number) => `Please write a poem of four lines on the river that froze in the year ${1500 + call}.`,
  (call: number) => `${call} * 17 + ${call * 3} = ?`,
];
const ARMS = ["steady", "poet", "clerk"];
const SKILLS = [
  [0.6, 0.4],
  [0.95, 0.05],
  [0.05, 0.95],
];
const WHOLE = "auto:plain";
const CLUSTERS = 16;
/** Calls after which prompts have clusters, and those that are answered before feedback on one of them is learned. */
const CLUSTERED_AFTER = 260;
const IN_FLIGHT = 30;
/** Accounts that a service keeps beside; here nothing fails. */
const GUARDED = ["success", "answered", "speed"];

/**
 * Calls whose share of right answers tells whether a stream has arrived, and that share: 95 of 100 is the most, base
 * has 50, one other model 77.
 */
const JUDGED_BY = 500;
const ARRIVED = 0.85;

export interface OppositeSkillsResult {
  readonly calls: number;
  /**
   * The share of the streams that have arrived, the mean share of right answers, and the worst stream's, over the last
   * 500 calls.
   */
  readonly arrived: number;
  readonly mean: number;
  readonly worst: number;
}

/**
 * Plays calls of both kinds in turn, as test/integration/clusters.slow.ts does over HTTP, and tells how many streams
 * have found who is best at each.
 */
export function measureOppositeSkills(streams: number, judgedAt: readonly number[]): OppositeSkillsResult[] {
  const calls = Math.max(...judgedAt);
  const clusters = PromptClusters.learn(
    Array.from({ length: CLUSTERED_AFTER - IN_FLIGHT }, (_, call) => promptOf(call)),
    CLUSTERS,
  );
  const names = Array.from({ length: calls }, (_, call) =>
    call < CLUSTERED_AFTER ? WHOLE : clusterId({ whole: WHOLE, generation: 1, cluster: clusters.find(promptOf(call)) }),
  );
  const played = Array.from({ length: streams }, (_, seed) => play(names, new SeededRandom(seed)));
  return judgedAt.map((at) => {
    const shares = played.map(
      (right) => right.subarray(at - JUDGED_BY, at).reduce((sum, one) => sum + one, 0) / JUDGED_BY,
    );
    return {
      calls: at,
      arrived: shares.filter((share) => share > ARRIVED).length / streams,
      mean: shares.reduce((sum, share) => sum + share, 0) / streams,
      worst: Math.min(...shares),
    };
  });
}

const kindOf = (call: number): number => call % KINDS.length;

function promptOf(call: number): string {
  return KINDS[kindOf(call)]?.(call) ?? "";
}

/** Returns of each call whether it was answered right: 1 or 0. */
function play(names: readonly string[], random: SeededRandom): Uint8Array {
  const state = new WorkloadState({ arms: ARMS, base: "steady", guarded: GUARDED });
  const divisions = new FamilySplits(state);
  const decision = new Decision(ARMS.length);
  const eligible = new Uint8Array(ARMS.length).fill(1);
  const arms = new Uint8Array(names.length);
  const right = new Uint8Array(names.length);
  for (const [call, name] of names.entries()) {
    const family = state.families.find(divisions.familyOf(name)) ?? UNSEEN;
    const { arm } = decide(state, { family, eligible, seed: random.bits() }, decision);
    arms[call] = arm;
    right[call] = random.uniform() < (SKILLS[arm]?.[kindOf(call)] ?? 0) ? 1 : 0;
    const told = call - IN_FLIGHT;
    if (told < 0) continue;
    tell(state, divisions, { name: names[told] ?? "", arm: arms[told] ?? 0, reward: right[told] ?? 0 });
  }
  return right;
}

function tell(
  state: WorkloadState,
  divisions: FamilySplits,
  { name, arm, reward }: { readonly name: string; readonly arm: number; readonly reward: number },
): void {
  divisions.served(name, arm);
  const family = divisions.familyOf(name);
  learn(state, { kind: "served", family, arm });
  for (const metric of GUARDED) learn(state, { kind: "measured", family, arm, metric, value: 1 });
  divisions.rewarded(name, { arm, reward });
  learn(state, { kind: "rewarded", family: divisions.familyOf(name), arm, reward });
}
