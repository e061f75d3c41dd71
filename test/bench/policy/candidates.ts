import type { Objective } from "../../../src/learning/bandit/settings.ts";
import { type ReplayedCandidates, replay } from "../replay/replay.ts";
import { type ReplaySet, rowCount } from "../replay/replay-set.ts";
import { leastCorrelation } from "./least-correlation.ts";
import { noisyPriors, PROTOCOL, type Seeds } from "./scenarios.ts";

const NINE_OF_TEN: ReplayedCandidates = { most: 2, accuracy: 0.9 };
/** How often the better of two answers that differ is chosen, and how often the policy is told that it is. */
const SELECTORS: readonly (ReplayedCandidates | undefined)[] = [
  undefined,
  ...[0.6, 0.7, 0.75, 0.8, 0.9].map((accuracy) => ({ most: 2, accuracy })),
  { most: 4, accuracy: 0.9 },
  { most: 2, accuracy: 0.6, believed: 0.75 },
  { most: 2, accuracy: 0.6, believed: 0.9 },
  { most: 2, accuracy: 0.5, believed: 0.9 },
];

/** The same, where a model may be asked twice: by how much the scores of both answers are taken to correlate. */
const TWICE: readonly (ReplayedCandidates | undefined)[] = [
  NINE_OF_TEN,
  ...[0.9, 0.7, 0.5].map((twice) => ({ ...NINE_OF_TEN, twice })),
  { most: 2, accuracy: 0.75, twice: 0.7 },
  { most: 2, accuracy: 0.5, believed: 0.9, twice: 0.7 },
];

/** What the policy earns where it may ask for several answers. */
export interface CandidatesRow {
  readonly base: string;
  readonly objective: Objective;
  readonly priors: boolean;
  /** "-" where it may not. */
  readonly selector: string;
  readonly d: number;
  readonly worst: number;
  readonly maxDeficit: number;
  readonly cost: number | null;
  /** Share of the requests that several answers were asked for. */
  readonly several: number;
}

/** Replays each base with selectors that are right so often, and with such as are less good than the policy is told. */
export async function measureCandidates(set: ReplaySet, seeds: Seeds): Promise<CandidatesRow[]> {
  const cases = [
    ...(["best", "median"] as const).flatMap((base) =>
      [true, false].map((priors) => ({ base, priors, objective: "quality" as const, selectors: SELECTORS })),
    ),
    { base: "best" as const, priors: true, objective: "balanced" as const, selectors: [undefined, NINE_OF_TEN] },
  ];
  return await playCases(set, seeds, cases);
}

/** Replays each base where one model may be asked twice. */
export async function measureTwice(set: ReplaySet, seeds: Seeds): Promise<CandidatesRow[]> {
  const cases = (["best", "median"] as const).flatMap((base) =>
    [true, false].map((priors) => ({ base, priors, objective: "quality" as const, selectors: TWICE })),
  );
  return await playCases(set, seeds, cases);
}

interface Case extends Pick<CandidatesRow, "objective" | "priors"> {
  readonly base: "best" | "median";
  readonly selectors: typeof SELECTORS;
}

async function playCases(set: ReplaySet, seeds: Seeds, cases: readonly Case[]): Promise<CandidatesRow[]> {
  const rows: CandidatesRow[] = [];
  for (const { base, priors, objective, selectors } of cases) {
    for (const candidates of selectors) {
      const given = { ...PROTOCOL, ...seeds, base, objective, candidates };
      const report = await replay(set, { ...given, ...(priors && { priors: noisyPriors(set, base) }) });
      const { meanDelta: d, worstDelta: worst, maxDeficit, costRatio: cost, severalShare: several } = report;
      const { most = 0, accuracy, believed = accuracy, twice }: Partial<ReplayedCandidates> = candidates ?? {};
      const told = believed === accuracy ? "" : ` (told ${believed})`;
      const alike = twice === undefined ? "" : `, one model twice: ${twice}`;
      const selector = accuracy === undefined ? "-" : `${accuracy}${told}${most > 2 ? `, up to ${most}` : ""}${alike}`;
      rows.push({ base, objective, priors, selector, d, worst, maxDeficit, cost, several });
    }
  }
  return rows;
}

/** What the two best models of a family would bring together, and how often the policy asks them. */
export interface FamilyRow {
  readonly family: string;
  readonly requests: number;
  /** The best single model's mean, and what the best of the two best models would be above that, in hindsight. */
  readonly best: number;
  readonly gain: number;
  readonly several: number;
  /**
   * By how much two answers of the best model to one prompt correlate at least, by what the other models' scores tell
   * of the prompt.
   */
  readonly twiceLeast: number;
}

/**
 * Tells for each family what is to be gained by several answers, and how often they are asked for in the last thousand
 * requests.
 */
export async function measureFamilies(set: ReplaySet, seeds: Seeds, accuracy: number): Promise<FamilyRow[]> {
  const asked = set.families.map(() => ({ several: 0, all: 0 }));
  await replay(set, {
    ...PROTOCOL,
    ...seeds,
    base: "best",
    candidates: { most: 2, accuracy },
    priors: noisyPriors(set, "best"),
    onStream: (rows, { answers }) => {
      for (let step = rows.length - 1000; step < rows.length; step++) {
        const family = asked[set.familyOf[rows[step] ?? 0] ?? 0];
        if (family === undefined) continue;
        family.all += 1;
        if ((answers[step] ?? 1) > 1) family.several += 1;
      }
    },
  });
  return set.families.map((family, index) => {
    const { requests, best, gain, twiceLeast } = inHindsight(set, index, accuracy);
    const { several, all } = asked[index] ?? { several: 0, all: 0 };
    return { family, requests, best, gain, several: several / Math.max(1, all), twiceLeast };
  });
}

function inHindsight(set: ReplaySet, family: number, accuracy: number) {
  const count = set.models.length;
  const rows = Array.from({ length: rowCount(set) }, (_, row) => row).filter((row) => set.familyOf[row] === family);
  const score = (row: number, model: number): number => set.scores[row * count + model] ?? 0;
  const meanOf = (value: (row: number) => number): number =>
    rows.reduce((sum, row) => sum + value(row), 0) / rows.length;
  const means = set.models.map((_, model) => meanOf((row) => score(row, model)));
  const [first = 0, second = 0] = means.map((_, model) => model).sort((a, b) => (means[b] ?? 0) - (means[a] ?? 0));
  const ofPair = meanOf((row) => {
    const [one, other] = [score(row, first), score(row, second)];
    return (one + other) / 2 + (accuracy - 0.5) * Math.abs(one - other);
  });
  const best = means[first] ?? 0;
  return { requests: rows.length, best, gain: ofPair - best, twiceLeast: leastCorrelation(set, family, first) };
}
