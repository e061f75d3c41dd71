import type { DecisionRecord } from "../../hub/decision-record.ts";
import { parsePlaces } from "../bandit/best-of-n.ts";
import { Decision } from "../bandit/decide.ts";
import { calculatePropensity } from "../bandit/propensity.ts";
import { POLICY_VERSION } from "../bandit/settings.ts";

/** A model that a decision could fall on. */
interface DecisionArm {
  readonly model: string;
  readonly isEligible: boolean;
  /** The estimated worth, 0 to 1, price included, and its standard deviation. */
  readonly worth: number;
  readonly doubt: number;
  /** The chance that it had; null where the decision was made by rules of another version. */
  readonly chance: number | null;
}

/** A decision for people: who could answer, at what chance, and who was chosen. */
interface DecisionView
  extends Pick<
    DecisionRecord,
    "mode" | "family" | "policy" | "version" | "choice" | "controlChance" | "exploreChance" | "hasRoom"
  > {
  readonly kept: DecisionRecord["kept"] | null;
  /** Answers of others than base that were not learned from yet; null where the account had room for more of them. */
  readonly pendingDecisions: number | null;
  readonly base: string;
  readonly best: string;
  readonly chosen: string;
  /** The models that several answers were asked of; null where one was asked for. */
  readonly asked: readonly string[] | null;
  /** Base first, and then those that were thought to be worth the most. */
  readonly arms: readonly DecisionArm[];
}

/** Describes a decision as it was recorded; the chances are worked out again. */
export function describeDecision(record: DecisionRecord): DecisionView {
  const {
    mode,
    family,
    policy,
    version,
    choice,
    controlChance,
    exploreChance,
    hasRoom,
    kept,
    pendingDecisions = null,
  } = record;
  const decision = toDecision(record);
  const nameOf = (arm: number) => record.arms[arm] ?? "";
  const arms = record.arms.map((model, arm) => ({
    model,
    isEligible: record.eligible[arm] === 1,
    worth: record.worths[arm] ?? 0,
    doubt: record.doubts[arm] ?? 0,
    chance: policy === POLICY_VERSION ? calculatePropensity(decision, arm) : null,
  }));
  const [base, ...others] = [...arms.splice(record.base, 1), ...arms.sort((one, other) => other.worth - one.worth)];
  return {
    mode,
    family,
    policy,
    version,
    choice,
    controlChance,
    exploreChance,
    hasRoom,
    kept: kept ?? null,
    pendingDecisions,
    base: nameOf(record.base),
    best: nameOf(record.best),
    chosen: nameOf(record.arm),
    asked: readSeveral(record),
    arms: base === undefined ? [] : [base, ...others],
  };
}

function readSeveral({ several, ranked = [] }: DecisionRecord): readonly string[] | null {
  const places = several === undefined ? undefined : parsePlaces(several);
  return places?.map((place) => ranked[place] ?? "") ?? null;
}

function toDecision(record: DecisionRecord): Decision {
  const { arm, best, base, choice, controlChance, exploreChance, exploreWidth, hasRoom, seed } = record;
  const decision = Object.assign(new Decision(record.arms.length), {
    arm,
    best,
    base,
    choice,
    controlChance,
    exploreChance,
    exploreWidth,
    hasRoom,
    seed,
  });
  decision.eligible.set(record.eligible);
  decision.worths.set(record.worths);
  decision.doubts.set(record.doubts);
  return decision;
}
