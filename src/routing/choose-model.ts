import type { DecisionRecord, Kept } from "../inference/decision-record.ts";
import type { CatalogModel, PlanContext } from "../inference/ports.ts";
import type { LearnedWorkload, WorkloadControls } from "../learning/workload.ts";
import { modelCode } from "../lib/model-code.ts";
import { Decision, decide, type Hold } from "./policy/decide.ts";
import { UNSEEN } from "./policy/estimates.ts";
import { wholeOf } from "./policy/part-name.ts";
import type { WorkloadState } from "./policy/workload-state.ts";

/** What a choice is made from. */
export interface ChoiceFacts {
  readonly base: CatalogModel;
  readonly workload: LearnedWorkload;
  /** Prompt family of the request, or the part of one. */
  readonly family: string;
  readonly context: Pick<PlanContext, "origin" | "awaiting">;
  /** 32 bits that chance is drawn from. */
  readonly seed: number;
  /** Finds a model that can be chosen by its name. */
  readonly find: (name: string) => CatalogModel | undefined;
  /** Whether a model takes the request whole, as far as base does. */
  readonly fits: (model: CatalogModel) => boolean;
}

/** Who answers, and how that was decided. */
export interface ModelChoice {
  readonly model: CatalogModel;
  readonly decision: DecisionRecord;
}

/** One for each number of arms: decisions are made one after another. */
const scratch = new Map<number, Decision>();

/**
 * Chooses who answers a request. A tool loop, and a conversation with opaque state, goes on with the model that it is under way with. A
 * model that would lose a part of the request is left out, and the same chance drawn again among the others.
 */
export function chooseModel(facts: ChoiceFacts): ModelChoice {
  const { base, workload, family, find, fits, seed } = facts;
  const { state, controls } = workload;
  const decision = scratchFor(state.arms.length);
  const eligible = eligibleArms(state, controls, find);
  const bound = boundModel(facts, state);
  const hold = bound === undefined ? holdOf(controls, state) : holdTo(bound, state);
  // While clusters are tried, the family is decided on as a whole.
  const number = state.families.find(family) ?? state.families.find(wholeOf(family)) ?? UNSEEN;
  let isUnfit = false;
  for (;;) {
    decide(state, { family: number, eligible, seed, ...(hold !== undefined && { hold }) }, decision);
    const chosen = find(state.arms[decision.arm] ?? "");
    if (decision.arm === state.base || chosen === undefined || fits(chosen)) break;
    eligible[decision.arm] = 0;
    isUnfit = true;
  }
  const isOnly = decision.choice === "only" && decision.arm === state.base;
  const kept: Kept | undefined =
    bound !== undefined
      ? "conversation"
      : controls.mode === "observe"
        ? "observed"
        : isUnfit && isOnly
          ? "unfit"
          : undefined;
  const chosen = controls.mode === "on" ? find(state.arms[decision.arm] ?? "") : undefined;
  return { model: chosen ?? base, decision: recordOf(decision, workload, { family, kept }) };
}

function scratchFor(arms: number): Decision {
  const known = scratch.get(arms);
  if (known !== undefined) return known;
  const made = new Decision(arms);
  scratch.set(arms, made);
  return made;
}

function eligibleArms({ arms }: WorkloadState, { excluded }: WorkloadControls, find: ChoiceFacts["find"]): Uint8Array {
  const eligible = new Uint8Array(arms.length);
  for (let arm = 0; arm < arms.length; arm++) {
    const name = arms[arm] ?? "";
    eligible[arm] = find(name) === undefined || excluded.includes(name) ? 0 : 1;
  }
  return eligible;
}

/** The model that a conversation is under way with; undefined where it may go on with any. */
function boundModel({ base, context, find }: ChoiceFacts, { arms }: WorkloadState): string | undefined {
  const code = context.awaiting();
  if (code !== undefined) return arms.find((name) => modelCode(name) === code) ?? base.name;
  const origin = context.origin();
  if (origin === undefined) return undefined;
  const serves = (model: CatalogModel | undefined): boolean =>
    model?.deployments.some(({ upstream, model }) => upstream === origin.upstream && model === origin.model) ?? false;
  // Base first: several models may have a deployment in common.
  return serves(base) ? base.name : (arms.find((name) => serves(find(name))) ?? base.name);
}

function holdOf({ hold }: WorkloadControls, state: WorkloadState): Hold {
  if (hold === undefined) return undefined;
  return hold.kind === "frozen" ? hold : holdTo(hold.model, state);
}

function holdTo(model: string, { arms }: WorkloadState): Hold {
  const arm = arms.indexOf(model);
  return arm === -1 ? { kind: "frozen" } : { kind: "pinned", arm };
}

function recordOf(
  decision: Decision,
  { controls, state, version }: LearnedWorkload,
  { family, kept }: { readonly family: string; readonly kept: Kept | undefined },
): DecisionRecord {
  const { eligible, worths, doubts, base, best, arm, choice, hasRoom, seed } = decision;
  const { controlChance, exploreChance, exploreWidth, switchCost } = decision;
  return {
    mode: controls.mode,
    family,
    policy: decision.version,
    version,
    arms: state.arms,
    eligible: listOf(eligible),
    worths: listOf(worths),
    doubts: listOf(doubts),
    ...{ base, best, arm, choice, controlChance, exploreChance, exploreWidth, hasRoom, seed, switchCost },
    ...(kept !== undefined && { kept }),
  };
}

/** Array.from() asks a typed array's iterator for each number, and takes fifty times as long: this is done for each request. */
function listOf(numbers: Uint8Array | Float64Array): number[] {
  const list: number[] = [];
  for (let at = 0; at < numbers.length; at++) list.push(numbers[at] ?? 0);
  return list;
}
