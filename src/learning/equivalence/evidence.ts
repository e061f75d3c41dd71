import { COINS, type Comparison, MEASURES, type Measure, type Toss } from "./compare-answers.ts";
import { getShare, logEvidence, type Share, type SignTest } from "./sign-test.ts";

/** The evidence on a deployment from samples. Plain JSON; several processes add to it one after another. */
export interface Evidence {
  /** All samples since the beginning. */
  readonly total: Tally;
  /**
   * The latest samples, in windows that begin one after another: a deployment that was equal for long would otherwise
   * have to be different for long before it shows.
   */
  readonly windows: readonly Tally[];
  readonly match: SignTest;
  readonly baseMatch: SignTest;
  /** Samples with two answers of base. */
  readonly nulls: number;
  /** Sums of the distances of texts: of the deployment to base over all samples, and of base to itself. */
  readonly distance: number;
  readonly baseDistance: number;
}

interface Tally {
  readonly samples: number;
  /** By the number of the coin; only what was tossed. */
  readonly coins: { readonly [M in Measure]?: Readonly<Record<string, SignTest>> };
}

/**
 * The probability with which a window of an equal deployment is ever taken for a different one. Over 2,000 samples
 * there are nine windows, all samples among them, so that this happens to fewer than one in two hundred deployments.
 */
const LEVEL = 1 / 2000;

/** Probability with which an interval of the report does not hold the true value at some time. */
const REPORTED_LEVEL = 0.05;

/** Samples of a window, and after how many the next one begins. */
const WINDOW = 500;
const STEP = 250;

/** A coin has to be bent by so much: what differs by less is of no account to anybody, however certain it is. */
const LEAST_BEND = 0.05;

/** Of an e-value: more is not told apart. */
const MOST_LOG = 600;

const NO_TALLY: Tally = { samples: 0, coins: {} };
const NO_COIN: SignTest = [0, 0];

/** The evidence before the first sample. */
export const NO_EVIDENCE: Evidence = {
  total: NO_TALLY,
  windows: [],
  match: NO_COIN,
  baseMatch: NO_COIN,
  nulls: 0,
  distance: 0,
  baseDistance: 0,
};

/** Adds a sample. */
export function addComparison(evidence: Evidence, comparison: Comparison): Evidence {
  const { tosses, isMatch, isBaseMatch, hasNull, distance, baseDistance = 0 } = comparison;
  const begun = evidence.total.samples % STEP === 0 ? [...evidence.windows, NO_TALLY] : evidence.windows;
  const open = begun.filter(({ samples }) => samples < WINDOW);
  return {
    total: addTosses(evidence.total, tosses),
    windows: open.map((window) => addTosses(window, tosses)),
    match: isMatch === undefined ? evidence.match : toss(evidence.match, isMatch),
    baseMatch: isBaseMatch === undefined ? evidence.baseMatch : toss(evidence.baseMatch, isBaseMatch),
    nulls: evidence.nulls + Number(hasNull),
    distance: evidence.distance + distance,
    baseDistance: evidence.baseDistance + baseDistance,
  };
}

/** Returns by what a deployment has proved different; undefined while it may be equal. */
export function findDifference({ total, windows }: Evidence): Difference | undefined {
  for (const tally of [total, ...windows]) {
    const values = MEASURES.map((measure) => ({ measure, value: getEvidence(tally, measure, true) }));
    // The mean of e-values is one, however they depend on each other.
    const mean = values.reduce((sum, { value }) => sum + value, 0) / MEASURES.length;
    if (mean < 1 / LEVEL) continue;
    const by = values.filter(({ value }) => value >= 1 / LEVEL).map(({ measure }) => measure);
    const strongest = values.reduce((one, other) => (other.value > one.value ? other : one)).measure;
    return { by: by.length === 0 ? [strongest] : by, samples: tally.samples, pValue: Math.min(1, 1 / mean) };
  }
  return undefined;
}

/** A verdict that a deployment is different. */
export interface Difference {
  readonly by: readonly Measure[];
  /** The number of samples behind it. */
  readonly samples: number;
  /** Probability at most with which samples of an equal deployment would have shown it by chance, at any time. */
  readonly pValue: number;
}

/** One measure of a report: where answers come from one distribution, its share is `expected`. */
interface MeasureReport extends Share {
  readonly measure: Measure;
  readonly expected: number;
  /** Samples that told one way or the other; of measures with several coins those of the one that is bent most. */
  readonly count: number;
  /** The e-value of the samples: 1 tells nothing, 2000 convicts. */
  readonly eValue: number;
}

/** The report on a deployment. */
export interface EvidenceReport {
  readonly samples: number;
  readonly nulls: number;
  /** Of deterministic requests: the part that was answered as base answered it, and that base answered twice alike. */
  readonly match: Share;
  readonly matchCount: number;
  readonly baseMatch: Share;
  readonly baseMatchCount: number;
  /** Mean distances of texts, 0 to 1; undefined where there are none. */
  readonly distance: number | undefined;
  readonly baseDistance: number | undefined;
  readonly measures: readonly MeasureReport[];
}

/** Reports what all samples tell. The intervals hold at every time at once, each with 95%. */
export function reportEvidence(evidence: Evidence): EvidenceReport {
  const { total, match, baseMatch, nulls, distance, baseDistance } = evidence;
  return {
    samples: total.samples,
    nulls,
    match: getShare(match, REPORTED_LEVEL),
    matchCount: getCount(match),
    baseMatch: getShare(baseMatch, REPORTED_LEVEL),
    baseMatchCount: getCount(baseMatch),
    distance: total.samples === 0 ? undefined : distance / total.samples,
    baseDistance: nulls === 0 ? undefined : baseDistance / nulls,
    measures: MEASURES.map((measure) => reportMeasure(total, measure)),
  };
}

function reportMeasure(tally: Tally, measure: Measure): MeasureReport {
  const { chance: expected } = COINS[measure];
  const coins = getCoins(tally, measure);
  const weight = (coin: SignTest): number => logEvidence(coin, expected);
  const shown = coins.reduce((one, other) => (weight(other) > weight(one) ? other : one), NO_COIN);
  return {
    measure,
    expected,
    count: getCount(shown),
    ...getShare(shown, REPORTED_LEVEL),
    eValue: getEvidence(tally, measure, false),
  };
}

/**
 * The mean over all coins of a measure; those that were never tossed count 1. Coins that are hardly bent may be left
 * out.
 */
function getEvidence(tally: Tally, measure: Measure, onlyBent: boolean): number {
  const { chance, coins: count } = COINS[measure];
  const coins = getCoins(tally, measure);
  let sum = count - coins.length;
  for (const coin of coins) if (!onlyBent || isBent(coin, chance)) sum += getEValue(coin, chance);
  return sum / count;
}

function getCoins({ coins }: Tally, measure: Measure): readonly SignTest[] {
  return Object.values(coins[measure] ?? {});
}

function getEValue(coin: SignTest, chance: number): number {
  return Math.exp(Math.min(logEvidence(coin, chance), MOST_LOG));
}

function isBent(coin: SignTest, chance: number): boolean {
  return Math.abs(coin[0] / getCount(coin) - chance) >= LEAST_BEND;
}

function getCount([hits, misses]: SignTest): number {
  return hits + misses;
}

function addTosses({ samples, coins }: Tally, tosses: readonly Toss[]): Tally {
  const added: { [M in Measure]?: Readonly<Record<string, SignTest>> } = { ...coins };
  for (const { measure, coin, isHit } of tosses) {
    const known = added[measure] ?? {};
    added[measure] = { ...known, [coin]: toss(known[coin] ?? NO_COIN, isHit) };
  }
  return { samples: samples + 1, coins: added };
}

function toss([hits, misses]: SignTest, isHit: boolean): SignTest {
  return isHit ? [hits + 1, misses] : [hits, misses + 1];
}
