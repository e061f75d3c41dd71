import type { CatalogModel } from "../../catalog/model.ts";
import type { DecisionRecord, OverrideReason } from "../../hub/decision-record.ts";
import { routedModelCode } from "../../hub/routed-model-code.ts";
import type { PlanContext } from "../../inference/ports.ts";
import { hasRoom, hasRoomByEvidence, hasRoomWhereRare } from "../../learning/bandit/budget-usage.ts";
import { wholeFamily } from "../../learning/bandit/cluster-id.ts";
import { Decision, decide, type Hold, type Request } from "../../learning/bandit/decide.ts";
import { UNSEEN } from "../../learning/bandit/estimates.ts";
import { estimateRisk } from "../../learning/bandit/pending-decisions.ts";
import { isFeedbackDense } from "../../learning/bandit/shadow/feedback-rate.ts";
import type { WorkloadState } from "../../learning/bandit/workload-state.ts";
import type { LearnedWorkload, WorkloadControls } from "../../learning/workload.ts";
import type { SessionChoice } from "../session-choices.ts";

/** The facts of a choice. */
export interface ChoiceFacts {
  readonly base: CatalogModel;
  readonly workload: LearnedWorkload;
  /** Prompt family of the request, or the part of one. */
  readonly family: string;
  readonly context: Pick<PlanContext, "origin" | "awaiting">;
  /** The choice of the request's session; undefined where each request is decided for itself. */
  readonly session?: SessionChoice | undefined;
  /** 32 bits that chance is drawn from. */
  readonly seed: number;
  /** Finds a model that can be chosen by its name. */
  readonly find: (name: string) => CatalogModel | undefined;
  /** True if sandboxes alone serve base: another model answers in its place where an operator pins it. */
  readonly isMadeUp?: boolean;
  /** Returns whether a model takes the request whole, as far as base does. */
  readonly fits: (model: CatalogModel) => boolean;
  /** Returns whether several answers may be asked for, by an arm. */
  readonly isBestOfNAllowed: (arm: string) => boolean;
}

/** The model that answers, and the decision. */
export interface ModelChoice {
  readonly model: CatalogModel;
  /** Models that are asked at once, for the best of their answers; undefined where one is asked. */
  readonly bestOfN?: readonly CatalogModel[] | undefined;
  readonly decision: DecisionRecord;
}

/** One for each number of arms: decisions are made one after another. */
const scratch = new Map<number, Decision>();

/**
 * Chooses who answers a request. A tool loop, and a conversation with opaque state, goes on with the model that it is
 * under way with, and a session with the one that was chosen in it. A model that would lose a part of the request is
 * left out, and the same chance drawn again among the others.
 */
export function chooseModel(facts: ChoiceFacts): ModelChoice {
  const { base, workload, family, find, seed, session } = facts;
  const { state, controls, pendingDecisions } = workload;
  const decision = scratchFor(state.arms.length);
  const eligible = eligibleArms(workload, facts);
  const bound = boundModel(facts, state);
  // While clusters are tried, the family is decided on as a whole.
  const number = state.families.find(family) ?? state.families.find(wholeFamily(family)) ?? UNSEEN;
  const free = { family: number, eligible, seed, isByEvidence: (controls.explore ?? "users") !== "users" };
  const own = bound === undefined ? sessionArm(workload, session, free) : undefined;
  const hold = bound === undefined ? (own ?? getHold(facts, state)) : holdTo(bound, state);
  const isUnread = workload.isUnread === true && hold === undefined;
  const isRisked = controls.mode === "on" && hold === undefined && !pendingDecisions.hasRoom;
  // Several answers may be more than a later request of the session can have.
  let isUnfit = own?.kind === "pinned" && own.arm !== state.base && eligible[own.arm] === 0;
  for (;;) {
    decide(state, { ...free, isRisked, ...(hold !== undefined && { hold }) }, decision);
    const unfit = unfitOf(state, decision, facts);
    if (unfit === undefined) break;
    eligible[unfit] = 0;
    isUnfit = true;
  }
  const isOnly = decision.choice === "only" && decision.arm === state.base;
  const isBound = bound !== undefined;
  const override = overrideReason({ mode: controls.mode, isBound, isUnread, isUnfit: isUnfit && isOnly, own });
  const record = getRecord(decision, workload, { family, kept: override, isRisked });
  if (controls.mode === "on") pendingDecisions.note(decision, estimateRisk(state, decision));
  if (controls.mode !== "on") return { model: base, decision: record };
  // What base answers since nothing is read yet binds no later call of the session.
  if (session !== undefined && !isUnread && (session.arm === undefined || (bound === undefined && !isUnfit))) {
    session.keep(state.arms[decision.arm] ?? base.name);
  }
  const models = state.places[decision.arm]?.flatMap((place) => find(modelAt(state, decision, place)) ?? []);
  if (models === undefined) return { model: find(state.arms[decision.arm] ?? "") ?? base, decision: record };
  return { model: base, bestOfN: models, decision: { ...record, several: state.arms[decision.arm] ?? "" } };
}

function overrideReason(facts: {
  readonly mode: WorkloadControls["mode"];
  readonly isBound: boolean;
  readonly isUnread: boolean;
  readonly isUnfit: boolean;
  readonly own: Hold;
}): OverrideReason | undefined {
  if (facts.isBound) return "conversation";
  if (facts.isUnread) return "unread";
  if (facts.mode === "observe") return "observed";
  if (facts.isUnfit) return "unfit";
  return facts.own === undefined ? undefined : "session";
}

/** Name of the model that is so many places behind the best one. */
function modelAt({ arms }: WorkloadState, { ranked }: Decision, place: number): string {
  return arms[ranked[place] ?? -1] ?? "";
}

/** Returns a model among those that a decision asks which does not take the request; undefined if they all do. */
function unfitOf(state: WorkloadState, { arm, ranked }: Decision, facts: ChoiceFacts): number | undefined {
  const places = state.places[arm];
  if (places === undefined) return isUnfit(state, arm, facts) ? arm : undefined;
  return places.map((place) => ranked[place] ?? state.base).find((model) => isUnfit(state, model, facts));
}

function isUnfit({ arms, base }: WorkloadState, arm: number, { find, fits }: ChoiceFacts): boolean {
  const model = arm === base ? undefined : find(arms[arm] ?? "");
  return model !== undefined && !fits(model);
}

function scratchFor(arms: number): Decision {
  const known = scratch.get(arms);
  if (known !== undefined) return known;
  const made = new Decision(arms);
  scratch.set(arms, made);
  return made;
}

function eligibleArms(
  { state: { arms, places }, controls: { excluded } }: LearnedWorkload,
  { find, isBestOfNAllowed }: ChoiceFacts,
): Uint8Array {
  const eligible = new Uint8Array(arms.length);
  for (let arm = 0; arm < arms.length; arm++) {
    const name = arms[arm] ?? "";
    const isThere = places[arm] === undefined ? find(name) !== undefined : isBestOfNAllowed(name);
    eligible[arm] = isThere && !excluded.includes(name) ? 1 : 0;
  }
  return eligible;
}

/** The model that a conversation is under way with; undefined where it may go on with any. */
function boundModel({ base, context, find }: ChoiceFacts, { arms }: WorkloadState): string | undefined {
  const code = context.awaiting();
  if (code !== undefined) return arms.find((name) => routedModelCode(base.name, name) === code) ?? base.name;
  const origin = context.origin();
  if (origin === undefined) return undefined;
  // What a model said that was itself asked for binds nobody who asks for another one now.
  if (origin.insteadOf !== base.name) return base.name;
  const serves = (model: CatalogModel | undefined): boolean =>
    model?.deployments.some(({ upstream, model }) => upstream === origin.upstream && model === origin.model) ?? false;
  // Base first: several models may have a deployment in common.
  return serves(base) ? base.name : (arms.find((name) => serves(find(name))) ?? base.name);
}

/**
 * Holds a request to the arm that answers in its session; undefined where there is none, or operators, a budget that
 * was exceeded or a bound that was broken say otherwise: what is then decided holds from there on.
 */
function sessionArm({ state, controls }: LearnedWorkload, session: SessionChoice | undefined, request: Request): Hold {
  if (session?.arm === undefined || controls.mode !== "on" || controls.hold !== undefined) return undefined;
  const arm = state.arms.indexOf(session.arm);
  if (arm === state.base) return { kind: "pinned", arm };
  if (arm === -1 || state.broken[arm] === 1 || controls.excluded.includes(session.arm)) return undefined;
  if (request.eligible[arm] !== 1 && state.places[arm] === undefined) return undefined;
  const mayGoOn = isFeedbackDense(state)
    ? hasRoom(state) || isEvidentBest(state, arm, request)
    : hasRoomWhereRare(state);
  return mayGoOn ? { kind: "pinned", arm } : undefined;
}

/**
 * Returns whether an arm would answer although the account has no room: feedback and grades say that it is the best.
 */
function isEvidentBest(state: WorkloadState, arm: number, request: Request): boolean {
  return hasRoomByEvidence(state) && decide(state, request, scratchFor(state.arms.length)).best === arm;
}

/** Answers that are made up are no better than each other: there, another one answers only where it is pinned. */
function getHold({ workload: { controls }, isMadeUp = false }: ChoiceFacts, state: WorkloadState): Hold {
  const { hold, mode } = controls;
  if (hold === undefined) return isMadeUp && mode === "on" ? { kind: "frozen" } : undefined;
  return hold.kind === "frozen" ? hold : holdTo(hold.model, state);
}

function holdTo(model: string, { arms }: WorkloadState): Hold {
  const arm = arms.indexOf(model);
  return arm === -1 ? { kind: "frozen" } : { kind: "pinned", arm };
}

function getRecord(
  decision: Decision,
  { controls, state, version, pendingDecisions }: LearnedWorkload,
  { family, kept, isRisked }: Pick<DecisionRecord, "family" | "kept"> & { readonly isRisked: boolean },
): DecisionRecord {
  const { eligible, worths, doubts, ranked, base, best, arm, choice, hasRoom, seed } = decision;
  const { controlChance, exploreChance, exploreWidth, switchCost } = decision;
  return {
    mode: controls.mode,
    family,
    policy: decision.version,
    version,
    arms: state.arms,
    eligible: getList(eligible),
    worths: getList(worths),
    doubts: getList(doubts),
    base,
    best,
    arm,
    choice,
    controlChance,
    exploreChance,
    exploreWidth,
    hasRoom,
    seed,
    switchCost,
    ...(state.hasSeveral && { ranked: getList(ranked).flatMap((index) => state.arms[index] ?? []) }),
    ...(kept !== undefined && { kept }),
    // Where nobody else may answer anyway, that is why.
    ...(isRisked && choice !== "only" && { pendingDecisions: pendingDecisions.count }),
  };
}

/** Returns the worth of each model in a decision, by name. */
export function getWorths({ arms, worths }: DecisionRecord): ReadonlyMap<string, number> {
  return new Map(arms.flatMap((name, arm) => (worths[arm] === undefined ? [] : [[name, worths[arm]] as const])));
}

/**
 * Array.from() asks a typed array's iterator for each number, and takes fifty times as long: this is done for each
 * request.
 */
function getList(numbers: Uint8Array | Float64Array | Int32Array): number[] {
  const list: number[] = [];
  for (let at = 0; at < numbers.length; at++) list.push(numbers[at] ?? 0);
  return list;
}
