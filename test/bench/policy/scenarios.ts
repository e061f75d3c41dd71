import { MersenneTwister } from "../replay/mersenne-twister.ts";
import { type ReplayOptions, replay } from "../replay/replay.ts";
import { findBase, meanScores, type ReplaySet, rowCount } from "../replay/replay-set.ts";
import type { ReplayReport } from "../replay/summarise.ts";
import { meanDeltaOfNewFamily } from "./new-family.ts";

export interface Seeds {
  readonly firstSeed: number;
  readonly seeds: number;
}

/** What is held against a bar: at least, or at most. */
export interface Bar {
  readonly figure: string;
  readonly value: number;
  readonly least?: number;
  readonly most?: number;
}

export interface Scenario {
  readonly id: string;
  readonly title: string;
  run(set: ReplaySet, seeds: Seeds): Promise<readonly Bar[]>;
}

export const PROTOCOL = { steps: 5000, holdout: 1000 };
/** The part of the rows that is history at most: small sets of rows need the others. */
const MOST_HISTORY = 1 / 6;

type PlayedOptions = Omit<ReplayOptions, "steps" | "holdout"> & Partial<Pick<ReplayOptions, "steps">>;

/** Plays the policy by the protocol, with a shorter history where there are few rows. */
export function playProtocol(set: ReplaySet, options: PlayedOptions): Promise<ReplayReport> {
  const holdout = Math.min(PROTOCOL.holdout, Math.floor(MOST_HISTORY * rowCount(set)));
  return replay(set, { ...PROTOCOL, holdout, ...options });
}

/**
 * A public prior as it may be had: by how much each model is truly better than base, wrong by a normal error of 0.05,
 * another for each seed.
 */
export function noisyPriors(set: ReplaySet, base: "best" | "median"): (seed: number) => Record<string, number> {
  const means = meanScores(set);
  const ofBase = findBase(set, base);
  const advantage = (index: number) => (means[index] ?? 0) - (means[ofBase] ?? 0);
  return (seed) => {
    const random = new MersenneTwister(seed + 1_000_000);
    return Object.fromEntries(
      set.models.map((model, index) => [model, index === ofBase ? 0 : clip(advantage(index) + 0.05 * normal(random))]),
    );
  };
}

const clip = (value: number): number => Math.min(1, Math.max(-1, value));

function normal(random: MersenneTwister): number {
  return Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(2 * Math.PI * random.uniform());
}

/**
 * Complaints come for 30% of what deserves one; praise for a share that differs by model: log-normal around 30%,
 * deviation 0.7.
 */
function unevenPraise(set: ReplaySet): (seed: number) => (model: number, score: number) => number {
  return (seed) => {
    const random = new MersenneTwister(seed + 2_000_000);
    const praised = set.models.map(() => Math.min(1, 0.3 * Math.exp(0.7 * normal(random))));
    return (model, score) => (score >= 0.5 ? (praised[model] ?? 0) : 0.3);
  };
}

export function played(
  options: Omit<PlayedOptions, "base" | "seeds" | "firstSeed" | "priors"> & {
    readonly base: "best" | "median";
  },
  hasPriors: boolean,
  judge: (report: ReplayReport) => readonly Bar[],
): Scenario["run"] {
  return async (set, seeds) =>
    judge(
      await playProtocol(set, {
        ...seeds,
        ...options,
        ...(hasPriors && { priors: noisyPriors(set, options.base) }),
      }),
    );
}

/** The scenarios of protocol R1 without trials. All are played by the same constants. */
export const SCENARIOS: readonly Scenario[] = [
  {
    id: "B1",
    title: "ordinary base, noisy prior",
    run: played({ base: "median" }, true, (report) => [
      { figure: "d", value: report.meanDelta, least: 0.1 },
      { figure: "d @1000", value: report.deltaAt1000 ?? Number.NaN, least: 0.07 },
      { figure: "max deficit", value: report.maxDeficit, most: 10 },
    ]),
  },
  {
    id: "B1c",
    title: "ordinary base, cold",
    run: played({ base: "median" }, false, (report) => [
      { figure: "d", value: report.meanDelta, least: 0.085 },
      { figure: "d @1000", value: report.deltaAt1000 ?? Number.NaN, least: 0.035 },
    ]),
  },
  {
    id: "B2",
    title: "best single model as base, noisy prior",
    run: played({ base: "best" }, true, (report) => [
      { figure: "d", value: report.meanDelta, least: 0.001 },
      { figure: "worst", value: report.worstDelta, least: -0.006 },
    ]),
  },
  {
    id: "B3",
    title: "best single model as base, cold",
    run: played({ base: "best" }, false, (report) => [
      { figure: "d", value: report.meanDelta, least: -0.0035 },
      { figure: "worst", value: report.worstDelta, least: -0.006 },
    ]),
  },
  {
    id: "B4c",
    title: "best base, objective cost, cold",
    run: played({ base: "best", objective: "cost" }, false, (report) => [
      { figure: "cost", value: report.costRatio ?? Number.NaN, most: 0.85 },
      { figure: "worst", value: report.worstDelta, least: -0.01 },
    ]),
  },
  {
    id: "B4",
    title: "best base, objective cost, noisy prior",
    run: played({ base: "best", objective: "cost" }, true, (report) => [
      { figure: "cost", value: report.costRatio ?? Number.NaN, most: 0.85 },
      { figure: "worst", value: report.worstDelta, least: -0.01 },
    ]),
  },
  {
    id: "B5",
    title: "feedback 200 later, for 30%, noisy prior",
    run: played({ base: "median", delay: 200, observed: 0.3 }, true, (report) => [
      { figure: "d", value: report.meanDelta, least: 0.07 },
    ]),
  },
  {
    id: "B5v",
    title: "the same, complaints per request guarded too",
    run: played({ base: "median", delay: 200, observed: 0.3, feedback: "voluntary" }, true, (report) => [
      { figure: "d", value: report.meanDelta, least: 0.07 },
    ]),
  },
  {
    id: "B6",
    title: "order of models mirrored at 2500, cold",
    run: played({ base: "best", driftAt: 2500 }, false, (report) => [
      { figure: "reward", value: report.meanReward, least: 0.57 },
    ]),
  },
  {
    id: "B7A",
    title: "family hidden, best base, noisy prior",
    run: played({ base: "best", hideFamily: true }, true, (report) => [
      { figure: "d", value: report.meanDelta, least: -0.003 },
    ]),
  },
  {
    id: "B7B",
    title: "family hidden, ordinary base, noisy prior",
    run: played({ base: "median", hideFamily: true }, true, (report) => [
      { figure: "d", value: report.meanDelta, least: 0.085 },
    ]),
  },
  {
    id: "B9",
    title: "a new family in a workload that learned the others, ordinary base",
    run: async (set, seeds) => [{ figure: "d @100", value: meanDeltaOfNewFamily(set, seeds, "joins"), least: 0.06 }],
  },
  {
    id: "B9t",
    title: "the same as a workload of its own, from their advantages",
    run: async (set, seeds) => [
      { figure: "d @100", value: meanDeltaOfNewFamily(set, seeds, "starts anew"), least: 0.06 },
    ],
  },
  ...(["best", "median"] as const).map(
    (base): Scenario => ({
      id: base === "best" ? "B10A" : "B10B",
      title: `praise differs by model, ${base} base, cold`,
      run: async (set, seeds) => {
        const observedBy = unevenPraise(set);
        const report = await playProtocol(set, { ...seeds, base, feedback: "voluntary", observedBy });
        return [{ figure: "worst", value: report.worstDelta, least: -0.015 }];
      },
    }),
  ),
];
