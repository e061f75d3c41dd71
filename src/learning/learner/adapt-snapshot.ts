import type { Constraint } from "../bandit/constraint-record.ts";
import { knownPrices } from "../bandit/known-prices.ts";
import { type Objective, POLICY_SETTINGS } from "../bandit/settings.ts";
import { takeSnapshot, type WorkloadSnapshot } from "../bandit/snapshot.ts";
import { type FeedbackKind, WorkloadState } from "../bandit/workload-state.ts";

/** The shape that a state has to fit: today's models and the operators' settings. */
export interface StateShape {
  readonly arms: readonly string[];
  readonly base: string;
  readonly objective: Objective;
  readonly feedback: FeedbackKind;
  readonly guarded: readonly string[];
  /** None if absent. */
  readonly constraints?: readonly Constraint[];
  /** The prices of models, as multiples of base's; those that are absent are learned. */
  readonly prices?: Readonly<Record<string, number>>;
  /** Reward that a model has to earn for each price of base that it costs more; the policy's own if absent. */
  readonly rewardPerPrice?: number;
  /** The worth of one reward more, in USD; 0 if absent, and where nobody has stated it. */
  readonly usdPerReward?: number;
}

/**
 * Fits a snapshot to a shape. What was learned of a model is carried over by its name; a new model starts without
 * anything, and what was learned of one that is gone is dropped. Prices are learned anew under another objective, which
 * may count others.
 */
export function adaptSnapshot(snapshot: WorkloadSnapshot, shape: StateShape): WorkloadSnapshot {
  if (fits(snapshot, shape)) return snapshot;
  const { familyLimit } = snapshot;
  const empty = takeSnapshot(new WorkloadState({ ...shape, familyLimit }));
  const from = shape.arms.map((arm) => snapshot.arms.indexOf(arm));
  const families = snapshot.families.length + 1;
  const zeros = Array.from({ length: families }, () => 0);
  const hasOtherPrices = snapshot.objective !== shape.objective;
  const byFamily = { ...snapshot.byFamily };
  const byArm = mapFigures(snapshot.byArm, (values) => from.map((arm) => values[arm] ?? 0));
  for (const name of KNOWN) byArm[name] = empty.byArm[name] ?? [];
  if (hasOtherPrices) {
    for (const name of ["basePriceCounts", "basePriceSums"]) byFamily[name] = zeros;
    for (const name of ["armPriceCounts", "armPriceSums"]) byArm[name] = from.map(() => 0);
  }
  const emptyMetric = (name: string) => {
    const metric = empty.guarded[name] ?? empty.complaints ?? { totals: {}, byFamily: {} };
    return { ...metric, byFamily: mapFigures(metric.byFamily, () => zeros) };
  };
  const { complaints: ownComplaints, constraints: ownConstraints = [], ...others } = snapshot;
  const constraints = (shape.constraints ?? []).map((constraint) => {
    // What the values were does not depend on what is asked of them.
    const known = ownConstraints.find(({ metric }) => metric === constraint.metric);
    const none = { counts: [], means: [], squares: [] };
    const byArm = mapFigures(known?.byArm ?? none, (values) => from.map((arm) => values[arm] ?? 0));
    return { ...constraint, byArm };
  });
  return {
    ...others,
    arms: shape.arms,
    base: shape.base,
    objective: shape.objective,
    feedback: shape.feedback,
    totals: {
      ...snapshot.totals,
      rewardPerPrice: empty.totals["rewardPerPrice"] ?? 0,
      usdPerReward: empty.totals["usdPerReward"] ?? 0,
      ...(hasOtherPrices && { priceWeight: 0, basePaid: 0, basePriced: 0, baseSaved: 0 }),
    },
    byArm,
    byFamily,
    byFamilyAndArm: mapFigures(snapshot.byFamilyAndArm, (values) =>
      zeros.flatMap((_, family) =>
        from.map((arm) => (arm === -1 ? 0 : (values[family * snapshot.arms.length + arm] ?? 0))),
      ),
    ),
    guarded: Object.fromEntries(shape.guarded.map((name) => [name, snapshot.guarded[name] ?? emptyMetric(name)])),
    ...(constraints.length > 0 && { constraints }),
    ...(shape.feedback === "voluntary" && { complaints: ownComplaints ?? emptyMetric("") }),
  };
}

/** Figures that are known of arms, and not learned. */
const KNOWN = ["armKnownPrices", "armKnownWeights"];

function fits(snapshot: WorkloadSnapshot, shape: StateShape): boolean {
  return (
    snapshot.objective === shape.objective &&
    snapshot.feedback === shape.feedback &&
    snapshot.base === shape.base &&
    isSame(snapshot.arms, shape.arms) &&
    hasPrices(snapshot, shape) &&
    isSame(Object.keys(snapshot.guarded), shape.guarded) &&
    isSame((snapshot.constraints ?? []).map(constraintText), (shape.constraints ?? []).map(constraintText))
  );
}

function hasPrices(
  { arms, base, byArm, totals }: WorkloadSnapshot,
  { prices = {}, rewardPerPrice, usdPerReward = 0 }: StateShape,
): boolean {
  const { armKnownPrices = [], armKnownWeights = [] } = byArm;
  const isKnown = knownPrices(arms, prices).every((price, arm) =>
    price === undefined || arms[arm] === base ? armKnownWeights[arm] === 0 : armKnownPrices[arm] === price,
  );
  const isWeighedAlike = totals["usdPerReward"] === usdPerReward;
  return isKnown && isWeighedAlike && totals["rewardPerPrice"] === (rewardPerPrice ?? POLICY_SETTINGS.rewardPerPrice);
}

/** Returns whether a state is as operators want it now; its models are looked at elsewhere. */
export function hasForm(state: WorkloadState, shape: Omit<StateShape, "arms" | "base" | "prices">): boolean {
  const constraints = state.constraints.map(({ constraint }) => constraintText(constraint));
  return (
    state.objective === shape.objective &&
    state.feedback === shape.feedback &&
    (shape.rewardPerPrice === undefined || state.rewardPerPrice === shape.rewardPerPrice) &&
    (shape.usdPerReward === undefined || state.usdPerReward === shape.usdPerReward) &&
    isSame([...state.guarded.keys()], shape.guarded) &&
    isSame(constraints, (shape.constraints ?? []).map(constraintText))
  );
}

function constraintText({ metric, relation, bound }: Constraint): string {
  return `${relation} ${bound} ${metric}`;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}

type Figures = Record<string, readonly number[]>;

function mapFigures(figures: Readonly<Figures>, change: (values: readonly number[]) => readonly number[]): Figures {
  return Object.fromEntries(Object.entries(figures).map(([name, values]) => [name, change(values)]));
}
