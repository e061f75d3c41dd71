import { MOST_ANSWERS } from "./best-of-n.ts";
import { calculateScore, type Estimates, expectedOfSeveral, rankModels } from "./best-of-n-estimates.ts";
import { hasGrades, hasRoom, hasRoomByEvidence, hasRoomWhereRare, isInGain } from "./budget-usage.ts";
import { estimateDeviation, estimateModel, isBaseUnknown, meanAround, UNSEEN } from "./estimates.ts";
import { calculateCharge, isCheapEnough, priceInReward } from "./prices.ts";
import { SeededRandom } from "./seeded-random.ts";
import { OBJECTIVES, POLICY_VERSION, type PolicySettings } from "./settings.ts";
import { CONFIDENCE, chooseByEvidence } from "./shadow/choose-by-evidence.ts";
import { estimateByEvidence } from "./shadow/estimate-by-evidence.ts";
import { isComplaintsOnly, isFeedbackDense } from "./shadow/feedback-rate.ts";
import { isPromising } from "./shadow/is-promising.ts";
import type { WorkloadState } from "./workload-state.ts";

/**
 * Why an arm was taken: by the estimates, to explore, as the control that base is played for, or since nothing else may
 * serve: the workload is held, has no feedback yet, or no other arm is eligible.
 */
type Choice = "best" | "explored" | "control" | "only";

/**
 * A decision with all that it rests on. `decide` writes over one that it is given, so that nothing is allocated; `arm`
 * can be worked out again from the other members, and so can the chance that any arm had.
 */
export class Decision implements Estimates {
  version = POLICY_VERSION;
  /** Indices among the workload's arms: what is served, what the estimates favour, and base. */
  arm = 0;
  best = 0;
  base = 0;
  choice: Choice = "only";
  /** Chance of control, and of exploring where there is no control. */
  controlChance = 0;
  exploreChance = 0;
  /** The factor by which exploring widens each estimate's standard deviation; 0 draws the best estimate. */
  exploreWidth = 1;
  /** The cost of a lost prompt cache, in prices of base; estimates include it where price counts. */
  switchCost = 0;
  /** True if the accounts have room for serving others than base, what is risked and not learned from yet included. */
  hasRoom = true;
  /** The random bits of the draw: 32. */
  seed = 0;
  /**
   * Per arm: whether it may serve (1 or 0), the reward that is expected, the same with its price reckoned in, and how
   * doubtful that is.
   */
  readonly eligible: Uint8Array;
  readonly means: Float64Array;
  readonly worths: Float64Array;
  readonly doubts: Float64Array;
  /** The models that arms of several answers are made of, the best first; -1 beyond the last. */
  readonly ranked = new Int32Array(MOST_ANSWERS).fill(-1);

  constructor(arms: number) {
    this.eligible = new Uint8Array(arms);
    this.means = new Float64Array(arms);
    this.worths = new Float64Array(arms);
    this.doubts = new Float64Array(arms);
  }
}

/** An operator's hold on a workload: only base, or one arm wherever it may serve. Undefined lets the policy choose. */
export type Hold = { readonly kind: "frozen" } | { readonly kind: "pinned"; readonly arm: number } | undefined;

export interface Request {
  /** Its number; `UNSEEN` if it has none. */
  readonly family: number;
  /** Per arm: 1 if it may serve. Base always may: the caller asked for it. */
  readonly eligible: Uint8Array;
  /** 32 bits that chance is drawn from. */
  readonly seed: number;
  readonly hold?: Hold;
  /** True if nothing is explored on users: another arm answers where the evidence says that it is better. */
  readonly isByEvidence?: boolean;
  /** True if what the account has room for is risked already by decisions that were not learned from. */
  readonly isRisked?: boolean;
}

const chance = new SeededRandom(0);

/** Chooses who serves a request, into `decision`. The state is only read. */
export function decide(state: WorkloadState, request: Request, decision: Decision): Decision {
  const { base } = state;
  decision.version = POLICY_VERSION;
  decision.base = base;
  decision.switchCost = state.prices.switchCost;
  decision.seed = request.seed | 0;
  const pinned = request.hold?.kind === "pinned" ? request.hold.arm : base;
  let alternatives = 0;
  for (let arm = 0; arm < state.arms.length; arm++) {
    // Who pins an arm says so of it by name, and a conversation goes on with its own.
    const isKept = (arm === pinned || state.broken[arm] !== 1) && (state.hasSeveral || state.places[arm] === undefined);
    const isWorthwhile = arm === pinned || isCheapEnough(state, arm);
    const may = arm === base || (request.eligible[arm] === 1 && isKept && isWorthwhile);
    decision.eligible[arm] = may ? 1 : 0;
    if (may && arm !== base) alternatives += 1;
  }
  estimate(state, request.family, decision);
  if (state.hasSeveral) alternatives -= estimateSeveral(state, request.family, decision);
  const held = heldArm(request.hold, decision);
  // Without feedback, callers get base and nothing else, whatever is believed of the others.
  if (held !== undefined || alternatives === 0 || state.rewards === 0) {
    decision.best = held ?? base;
    decision.controlChance = 0;
    decision.exploreChance = 0;
    decision.exploreWidth = 1;
    decision.hasRoom = hasRoom(state);
  } else if (isFeedbackDense(state) && request.isByEvidence !== true) choose(state, request, decision);
  else chooseRarely(state, request, decision);
  return draw(decision);
}

function heldArm(hold: Hold, { eligible, base }: Decision): number | undefined {
  if (hold === undefined) return undefined;
  if (hold.kind === "frozen") return base;
  return eligible[hold.arm] === 1 ? hold.arm : base;
}

function estimate(state: WorkloadState, family: number, decision: Decision): void {
  const estimateOne = hasGrades(state) ? estimateByEvidence : estimateModel;
  for (let arm = 0; arm < state.places.length; arm++) {
    if (state.places[arm] === undefined) estimateOne(state, family, arm, decision);
  }
}

/**
 * Estimates arms of several answers by the models that they would be made of for this request. Returns how many may not
 * serve for want of models.
 */
function estimateSeveral(state: WorkloadState, family: number, decision: Decision): number {
  const { means, worths, doubts, eligible, ranked } = decision;
  const models = rankModels(state, decision);
  let left = 0;
  for (let arm = 0; arm < eligible.length; arm++) {
    const places = state.places[arm];
    if (places === undefined) continue;
    const mean = meanAround(state, family, arm, expectedOfSeveral(state, places, decision));
    means[arm] = mean;
    worths[arm] = mean - priceInReward(state, arm) - calculateCharge(state, arm, ranked[0] ?? state.base);
    doubts[arm] = estimateDeviation(state, family, arm, mean);
    if (eligible[arm] === 0 || (places.at(-1) ?? 0) < models) continue;
    eligible[arm] = 0;
    left += 1;
  }
  return left;
}

function choose(state: WorkloadState, { family, isRisked = false }: Request, decision: Decision): void {
  const { settings } = state;
  const best = bestArm(state, decision);
  const requests = 1 + (family === UNSEEN ? 0 : (state.requests[family] ?? 0));
  const root = Math.sqrt(requests);
  const rewardsOfBase = family === UNSEEN ? 0 : (state.counts[family * state.arms.length + state.base] ?? 0);
  const isOpen = !isRisked && hasRoom(state);
  // What a judge and people say is better goes on answering; only exploring has to be paid for.
  const isEvident = !isOpen && hasRoomByEvidence(state);
  decision.hasRoom = isOpen || isEvident;
  decision.best = isOpen ? best : isEvident ? chooseByEvidence(state, family, decision, CONFIDENCE) : state.base;
  decision.controlChance = isBaseUnknown(state)
    ? 1
    : rewardsOfBase < OBJECTIVES[state.objective].floor * root
      ? settings.controlBelowFloor
      : ordinaryControl(state);
  decision.exploreChance = isOpen
    ? (hasGrades(state) ? settings.exploreWithGrades : 1) *
      Math.max(settings.exploreLeast, Math.min(settings.exploreMost, settings.exploreScale / root))
    : 0;
  decision.exploreWidth = widthAfter(requests, settings);
}

/**
 * Explores next to nothing on users: where feedback is rare that costs more than it finds, and operators may not want
 * it. A model that is promising by its trials answers a few, unless they do not.
 */
function chooseRarely(state: WorkloadState, { family, isByEvidence }: Request, decision: Decision): void {
  const best = chooseByEvidence(state, family, decision);
  decision.hasRoom = hasRoomWhereRare(state);
  decision.best = decision.hasRoom && isBaseKnown(state) ? best : state.base;
  decision.controlChance = isBaseUnknown(state)
    ? 1
    : isBaseUncompared(state, family, decision)
      ? state.settings.controlUncompared
      : ordinaryControl(state);
  const isOpen = isByEvidence !== true && decision.hasRoom && decision.best === state.base && isBaseKnown(state);
  decision.exploreChance = isOpen && isPromising(state, decision) ? state.settings.explorePromising : 0;
  // Without a width, the model that is expected to be worth the most is drawn.
  decision.exploreWidth = decision.exploreChance > 0 ? 0 : 1;
}

/** Returns the chance of base, which is greater while others fail or are slow: base may be so too. */
function ordinaryControl({ guarded, settings }: WorkloadState): number {
  for (const { shift } of guarded.values()) {
    if (shift?.isDoubtful === true) return settings.controlUncompared;
  }
  return settings.control;
}

/** Rewards of base before another model answers by evidence: two that were bad say nothing of a base. */
const LEAST_OF_BASE = 10;

function isBaseKnown({ armCounts, base }: WorkloadState): boolean {
  return (armCounts[base] ?? 0) >= LEAST_OF_BASE;
}

/** Standard deviations of the difference to base up to which a model that is better by grades is not sure to be. */
const SURELY_BETTER = 1.5;

/**
 * Returns whether people know less of base in a family than of the model that is better there by grades: base would
 * never be found to be the best after all.
 */
function isBaseUncompared(state: WorkloadState, family: number, { best, base, means, doubts }: Decision): boolean {
  if (best === base || family === UNSEEN || !hasGrades(state) || isComplaintsOnly(state)) return false;
  const cell = family * state.arms.length;
  if ((state.counts[cell + base] ?? 0) >= (state.counts[cell + best] ?? 0)) return false;
  const doubt = Math.hypot(doubts[best] ?? 0, doubts[base] ?? 0);
  return (means[best] ?? 0) - (means[base] ?? 0) < SURELY_BETTER * doubt;
}

/**
 * The arm that is worth the most, with doubt held against all but base. Where quality is sought and the account is in
 * gain, doubt counts for models: what they have earned pays for finding out whether another earns more. Never for
 * several answers, which cost more money.
 */
function bestArm(state: WorkloadState, { worths, doubts, eligible }: Decision): number {
  const { settings, base, places } = state;
  const ofModels = state.objective === "quality" && isInGain(state) ? -settings.optimism : settings.doubt;
  const ofBase = doubts[base] ?? 0;
  let best = base;
  let most = worths[base] ?? 0;
  for (let arm = 0; arm < eligible.length; arm++) {
    if (arm === base || eligible[arm] === 0) continue;
    const doubt = places[arm] === undefined ? ofModels : settings.doubt;
    const score = calculateScore(worths[arm] ?? 0, doubts[arm] ?? 0, ofBase, doubt);
    if (score <= most) continue;
    most = score;
    best = arm;
  }
  return best;
}

/**
 * An arm that had bad luck with its first rewards, or had them in other families, may never be drawn again: so the
 * longer a family is served, the less exploring trusts what speaks against an arm. It grows as the logarithm does, by
 * which also the best of policies tries what is worse.
 */
function widthAfter(requests: number, { widenFrom, widenBy }: PolicySettings): number {
  return requests <= widenFrom ? 1 : Math.sqrt(Math.max(1, widenBy * Math.log2(requests / widenFrom)));
}

/** Draws the arm by the chances that the decision states, from its seed: the same members give the same arm. */
export function draw(decision: Decision): Decision {
  const { controlChance, exploreChance, base, best } = decision;
  chance.reseed(decision.seed);
  const dice = chance.uniform();
  if (dice < controlChance) {
    decision.arm = base;
    decision.choice = "control";
  } else if (dice < controlChance + (1 - controlChance) * exploreChance) {
    decision.arm = sample(decision);
    decision.choice = "explored";
  } else {
    decision.arm = best;
    decision.choice = controlChance === 0 ? "only" : "best";
  }
  return decision;
}

/** Thompson sampling: the arm whose drawn worth is the highest. */
function sample({ eligible, worths, doubts, base, exploreWidth }: Decision): number {
  let best = base;
  let most = Number.NEGATIVE_INFINITY;
  for (let arm = 0; arm < eligible.length; arm++) {
    if (eligible[arm] === 0) continue;
    const drawn = (worths[arm] ?? 0) + exploreWidth * (doubts[arm] ?? 0) * chance.normal();
    if (drawn <= most) continue;
    most = drawn;
    best = arm;
  }
  return best;
}
