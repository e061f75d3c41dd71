import { clusterId } from "../../../src/learning/bandit/cluster-id.ts";
import { Decision, decide } from "../../../src/learning/bandit/decide.ts";
import { UNSEEN } from "../../../src/learning/bandit/estimates.ts";
import { FamilySplits } from "../../../src/learning/bandit/family-splits.ts";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { SeededRandom } from "../../../src/learning/bandit/seeded-random.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";

const ARMS = ["base", "a", "b", "c", "d"];
const CLUSTERS = 16;
const STEPS = 5000;

/** A world in which base earns one half, and what differs from that. */
interface World {
  readonly title: string;
  readonly streams: number;
  /** How much better than base each model is everywhere. */
  readonly advantages: readonly number[];
  /** Standard deviations of what each cluster earns more, and of what each model earns more in it. */
  readonly ofLevels: number;
  readonly ofModels: number;
}

const ORDINARY = [0, 0.1, -0.1, 0.05, -0.05];
const BEST = [0, -0.1, -0.1, -0.05, -0.05];

const WORLDS: readonly World[] = [
  { title: "nothing differs by cluster", streams: 200, advantages: ORDINARY, ofLevels: 0, ofModels: 0 },
  { title: "models are alike", streams: 200, advantages: [0, 0, 0, 0, 0], ofLevels: 0, ofModels: 0 },
  { title: "only levels differ, ordinary base", streams: 40, advantages: ORDINARY, ofLevels: 0.15, ofModels: 0 },
  { title: "only levels differ, best base", streams: 40, advantages: BEST, ofLevels: 0.15, ofModels: 0 },
  {
    title: "models differ by cluster, ordinary base",
    streams: 40,
    advantages: ORDINARY,
    ofLevels: 0.15,
    ofModels: 0.1,
  },
  { title: "models differ by cluster, best base", streams: 40, advantages: BEST, ofLevels: 0.15, ofModels: 0.1 },
];

export interface ClusterWorldResult {
  readonly world: string;
  /** Reward above base's, with one family and with clusters that are tried. */
  readonly whole: number;
  readonly tried: number;
  /** Part of the streams in which clusters won, and the mean of the rewards that it took. */
  readonly won: number;
  readonly after: number;
}

/** Plays streams in which clusters matter or do not, with and without them. */
export function measureClusterWorlds(): ClusterWorldResult[] {
  return WORLDS.map((world) => {
    const whole = Array.from({ length: world.streams }, (_, seed) => play(world, seed, false));
    const tried = Array.from({ length: world.streams }, (_, seed) => play(world, seed, true));
    const wins = tried.filter(({ wonAt }) => wonAt !== undefined);
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    return {
      world: world.title,
      whole: mean(whole.map(({ gain }) => gain)),
      tried: mean(tried.map(({ gain }) => gain)),
      won: wins.length / world.streams,
      after: mean(wins.map(({ wonAt = 0 }) => wonAt)),
    };
  });
}

function play({ advantages, ofLevels, ofModels }: World, seed: number, isTried: boolean) {
  const random = new SeededRandom(seed);
  const nature = new SeededRandom(seed + 5000);
  const levels = Array.from({ length: CLUSTERS }, () => 0.5 + ofLevels * nature.normal());
  const models = levels.map(() => ARMS.map(() => ofModels * nature.normal()));
  const worth = (cluster: number, arm: number): number =>
    Math.min(0.99, Math.max(0.01, (levels[cluster] ?? 0) + (advantages[arm] ?? 0) + (models[cluster]?.[arm] ?? 0)));
  const state = new WorkloadState({ arms: ARMS, base: "base" });
  const divisions = new FamilySplits(state);
  const decision = new Decision(ARMS.length);
  const eligible = new Uint8Array(ARMS.length).fill(1);
  const whole = "auto:all";
  let gain = 0;
  let wonAt: number | undefined;
  for (let step = 1; step <= STEPS; step++) {
    const cluster = Math.floor(random.uniform() ** 1.5 * CLUSTERS);
    const name = isTried ? clusterId({ whole, generation: 1, cluster }) : whole;
    const family = divisions.familyOf(name);
    const { arm } = decide(
      state,
      { family: state.families.find(family) ?? UNSEEN, eligible, seed: random.bits() },
      decision,
    );
    gain += worth(cluster, arm) - worth(cluster, 0);
    divisions.served(name, arm);
    learn(state, { kind: "served", family, arm });
    const reward = random.uniform() < worth(cluster, arm) ? 1 : 0;
    if (divisions.rewarded(name, { arm, reward })?.outcome === "won") wonAt = step;
    learn(state, { kind: "rewarded", family: divisions.familyOf(name), arm, reward });
  }
  return { gain: gain / STEPS, wonAt };
}
