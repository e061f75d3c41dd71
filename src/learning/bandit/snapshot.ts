import type { Constraint, ConstraintRecord } from "./constraint-record.ts";
import type { MetricAccount } from "./metric-account.ts";
import { OBJECTIVES, type Objective, POLICY_VERSION } from "./settings.ts";
import { weighEvidence } from "./shadow/weigh-evidence.ts";
import { type FeedbackKind, WorkloadState } from "./workload-state.ts";

/** The form of a snapshot; the rules that its figures were made by have a version of their own. */
const SNAPSHOT_VERSION = 4;

type Figures = Record<string, readonly number[]>;

/** A workload's state as plain JSON. Numbers come back bit by bit, and so do decisions. */
export interface WorkloadSnapshot {
  readonly version: number;
  readonly policy: string;
  readonly arms: readonly string[];
  readonly base: string;
  readonly objective: Objective;
  readonly feedback: FeedbackKind;
  readonly familyLimit: number;
  /** From the least to the most recently seen, each with its number. */
  readonly families: readonly (readonly [name: string, number: number])[];
  readonly totals: Readonly<Record<string, number>>;
  readonly byArm: Readonly<Figures>;
  readonly byFamilyAndArm: Readonly<Figures>;
  readonly byFamily: Readonly<Figures>;
  readonly guarded: Readonly<Record<string, MetricSnapshot>>;
  readonly complaints?: MetricSnapshot;
  /** Absent where there are none. */
  readonly constraints?: readonly ConstraintSnapshot[];
}

/** A constraint with what each arm's values were. */
interface ConstraintSnapshot extends Constraint {
  readonly byArm: Readonly<Figures>;
}

interface MetricSnapshot {
  readonly totals: Readonly<Record<string, number>>;
  readonly byFamily: Readonly<Figures>;
  /** Absent for complaints. */
  readonly shift?: readonly number[];
}

/** A snapshot that cannot be read; the state has to be rebuilt from the records. */
export class SnapshotError extends Error {
  override readonly name = "SnapshotError";
}

/** A snapshot of another version of Attune, which may still be running beside this one. */
export class OtherVersionError extends SnapshotError {}

/** Takes a snapshot, which nothing that is learned later changes. */
export function takeSnapshot(state: WorkloadState): WorkloadSnapshot {
  // Whoever restores it weighs the evidence from what is in it, and has to decide alike.
  weighEvidence(state);
  const { size } = state.families;
  const { arms, prices } = state;
  return {
    version: SNAPSHOT_VERSION,
    policy: POLICY_VERSION,
    arms,
    base: arms[state.base] ?? "",
    objective: state.objective,
    feedback: state.feedback,
    familyLimit: state.familyLimit,
    families: [...state.families.entries()],
    totals: {
      rewards: state.rewards,
      priceWeight: state.priceWeight,
      rewardPerPrice: state.rewardPerPrice,
      usdPerReward: state.usdPerReward,
      accuracy: state.accuracy,
      basePaid: prices.basePaid,
      basePriced: prices.basePriced,
      baseSaved: prices.baseSaved,
      baseVariance: state.account.baseVariance,
      praises: state.praises,
      decisions: state.decisions,
      recordedTrials: state.recordedTrials,
      ...Object.fromEntries(judgeTotals(state)),
    },
    byArm: figures(armArrays(state), arms.length),
    byFamilyAndArm: figures(cellArrays(state), size * arms.length),
    byFamily: figures(familyArrays(state), size),
    guarded: Object.fromEntries([...state.guarded].map(([name, account]) => [name, takeMetric(account, size)])),
    ...(state.complaints && { complaints: takeMetric(state.complaints, size) }),
    ...(state.constraints.length > 0 && {
      constraints: state.constraints.map((record) => ({
        ...record.constraint,
        byArm: figures(constraintArrays(record), arms.length),
      })),
    }),
  };
}

/** Throws an OtherVersionError unless a snapshot is of this version. */
export function checkVersion({ version, policy }: WorkloadSnapshot): void {
  if (version === SNAPSHOT_VERSION && policy === POLICY_VERSION) return;
  throw new OtherVersionError(
    `the snapshot is of version ${version} and policy ${policy}, and not ${SNAPSHOT_VERSION} and ${POLICY_VERSION}`,
  );
}

/** Makes the state that a snapshot was taken of. Throws a SnapshotError if it is of another version, or damaged. */
export function restoreSnapshot(snapshot: WorkloadSnapshot): WorkloadState {
  checkVersion(snapshot);
  if (!Object.hasOwn(OBJECTIVES, snapshot.objective))
    throw new SnapshotError(`unknown objective ${snapshot.objective}`);
  const { arms, base, objective, feedback, familyLimit, constraints = [] } = snapshot;
  const guarded = Object.keys(snapshot.guarded);
  const state = new WorkloadState({ arms, base, objective, feedback, familyLimit, guarded, constraints });
  const size = snapshot.families.length + 1;
  state.reserve(size);
  if (!state.families.restore(snapshot.families)) throw new SnapshotError("the families are damaged");
  const { rewards, priceWeight, accuracy, baseVariance, basePaid, baseSaved } = snapshot.totals;
  state.rewards = finite(rewards, "rewards");
  state.priceWeight = finite(priceWeight, "priceWeight");
  state.rewardPerPrice = finite(snapshot.totals["rewardPerPrice"], "rewardPerPrice");
  state.usdPerReward = finite(snapshot.totals["usdPerReward"], "usdPerReward");
  state.accuracy = finite(accuracy, "accuracy");
  state.prices.basePaid = finite(basePaid, "basePaid");
  state.prices.basePriced = finite(snapshot.totals["basePriced"], "basePriced");
  state.prices.baseSaved = finite(baseSaved, "baseSaved");
  state.account.baseVariance = finite(baseVariance, "baseVariance");
  state.praises = finite(snapshot.totals["praises"], "praises");
  state.decisions = finite(snapshot.totals["decisions"], "decisions");
  // One that was written before there were improvements has none.
  state.recordedTrials = finite(snapshot.totals["recordedTrials"] ?? 0, "recordedTrials");
  for (const [name, , set] of judgeTotals(state)) set(finite(snapshot.totals[name], name));
  fill(armArrays(state), snapshot.byArm, arms.length);
  fill(cellArrays(state), snapshot.byFamilyAndArm, size * arms.length);
  fill(familyArrays(state), snapshot.byFamily, size);
  for (const [name, account] of state.guarded) restoreMetric(account, snapshot.guarded[name], size);
  if (state.complaints !== undefined) restoreMetric(state.complaints, snapshot.complaints, size);
  for (const [index, record] of state.constraints.entries()) {
    fill(constraintArrays(record), constraints[index]?.byArm ?? {}, arms.length);
  }
  for (let arm = 0; arm < arms.length; arm++) state.judgeConstraints(arm);
  weighEvidence(state);
  return state;
}

/** The totals of the records of judges: their names, their values, and how they are set. */
function judgeTotals({ grades }: WorkloadState): [name: string, value: number, set: (value: number) => void][] {
  const { first, second, agreed } = grades.two;
  const records = { "": grades.record, first, second, agreed };
  return Object.entries(records).flatMap(([prefix, record]) =>
    (Object.keys(record) as (keyof typeof record)[]).map((name): ReturnType<typeof judgeTotals>[number] => [
      prefix === "" ? name : `${prefix}.${name}`,
      record[name],
      (value) => {
        record[name] = value;
      },
    ]),
  );
}

function armArrays(state: WorkloadState): Record<string, Float64Array> {
  const { armCounts, armSums, armAdvantages, armPriorWeights, armPriorSums, armDecisions } = state;
  const { driftsUp, driftsDown } = state.drifts;
  const { armPriceCounts, armPriceSums, armKnownPrices, armKnownWeights } = state.prices;
  const { pairs, secondPairGoods } = state.grades;
  const { armCounts: deviationCounts, armSums: deviationSums, armBaseSums, armVariances } = state.account;
  return {
    armCounts,
    armSums,
    armAdvantages,
    armPriorWeights,
    armPriorSums,
    armDecisions,
    driftsUp,
    driftsDown,
    armPriceCounts,
    armPriceSums,
    armKnownPrices,
    armKnownWeights,
    deviationCounts,
    deviationSums,
    armBaseSums,
    armVariances,
    pairCounts: pairs.alone.counts,
    pairGoods: pairs.alone.goods,
    pairRewards: pairs.alone.rewards,
    bothPairCounts: pairs.both.counts,
    bothPairGoods: pairs.both.goods,
    bothPairRewards: pairs.both.rewards,
    secondPairGoods,
  };
}

function cellArrays({ counts, sums, account, grades }: WorkloadState): Record<string, Float64Array> {
  const { counts: gradeCounts, goods: gradeGoods, verdictCounts, verdictSums } = grades;
  const { bothCounts, bothGoods, secondGoods } = grades;
  const ofGrades = { gradeCounts, gradeGoods, verdictCounts, verdictSums, bothCounts, bothGoods, secondGoods };
  return { counts, sums, deviationCounts: account.counts, ...ofGrades };
}

function familyArrays(state: WorkloadState): Record<string, Float64Array> {
  const { requests, levels } = state;
  const { basePriceCounts, basePriceSums } = state.prices;
  const { squaredErrors, binomialVariances } = state.errors;
  const { baseMeans, spreads, baseVariances } = state.account;
  return {
    requests,
    levels,
    basePriceCounts,
    basePriceSums,
    squaredErrors,
    binomialVariances,
    baseMeans,
    spreads,
    baseVariances,
  };
}

function constraintArrays({ counts, means, squares }: ConstraintRecord): Record<string, Float64Array> {
  return { counts, means, squares };
}

function takeMetric(metric: MetricAccount, size: number): MetricSnapshot {
  const { pooledCount, pooledSum, observations, keptCount, keptMean } = metric;
  const { gain, variance } = metric.account;
  return {
    totals: { pooledCount, pooledSum, observations, keptCount, keptMean, gain, variance },
    byFamily: figures(metricArrays(metric), size),
    ...(metric.shift && { shift: [...metric.shift.figures] }),
  };
}

function restoreMetric(metric: MetricAccount, snapshot: MetricSnapshot | undefined, size: number): void {
  if (snapshot === undefined) throw new SnapshotError("an account is missing");
  const { pooledCount, pooledSum, observations, keptCount, keptMean, gain, variance } = snapshot.totals;
  metric.pooledCount = finite(pooledCount, "pooledCount");
  metric.pooledSum = finite(pooledSum, "pooledSum");
  metric.observations = finite(observations, "observations");
  metric.keptCount = finite(keptCount, "keptCount");
  metric.keptMean = finite(keptMean, "keptMean");
  metric.account.gain = finite(gain, "gain");
  metric.account.variance = finite(variance, "variance");
  fill(metricArrays(metric), snapshot.byFamily, size);
  const { figures: shift } = metric.shift ?? {};
  if (shift !== undefined) fill({ shift }, { shift: snapshot.shift ?? [] }, shift.length);
}

function metricArrays({ account, baseCounts, baseSums }: MetricAccount): Record<string, Float64Array> {
  const { counts, sums, gains, variances } = account;
  return { baseCounts, baseSums, counts, sums, gains, variances };
}

function figures(arrays: Record<string, Float64Array>, length: number): Figures {
  return Object.fromEntries(Object.entries(arrays).map(([name, values]) => [name, [...values.subarray(0, length)]]));
}

function fill(arrays: Record<string, Float64Array>, figures: Figures, length: number): void {
  for (const [name, into] of Object.entries(arrays)) {
    const values = figures[name];
    if (values?.length !== length) throw new SnapshotError(`${name} must have ${length} figures`);
    for (const [at, value] of values.entries()) into[at] = finite(value, name);
  }
}

function finite(value: number | undefined, name: string): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new SnapshotError(`${name} must be a number`);
  return value;
}
