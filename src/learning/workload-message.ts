import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  AccuracyBasis,
  type ArmSchema,
  ConstraintStateSchema,
  type Controls,
  Direction,
  type FindingSchema,
  type JudgeRecordSchema,
  LatencyKind,
  type LatencySchema,
  type MetricSchema,
  MetricType,
  type OutlookSchema,
  type PromptFamilySchema,
  type RecentUsageSchema,
  RegretBudgetSchema,
  type SelectorSchema,
  type Workload,
  WorkloadSchema,
  type WorkloadSummary,
  WorkloadSummarySchema,
} from "../../gen/attune/workload/v1/workload_pb.ts";
import { CONTROL_NAMES, getMember } from "../vocabulary/control-fields.ts";
import { describeFinding, type Finding, savedUsd } from "../vocabulary/finding.ts";
import { describeJudge, describeSecondJudge, type JudgeFigures } from "../vocabulary/judge-figures.ts";
import { describeEarned, type Outlook, type Spent } from "../vocabulary/outlook.ts";
import { type IdOf, settingsToMessage } from "./control-message.ts";
import type { ControlOverrides } from "./controls.ts";
import type { LearnedFacts } from "./directory.ts";
import type { ConstraintState } from "./learner/constraint-states.ts";
import type { Estimate, FamilyFigures, RegretFigures } from "./learner/figures.ts";
import type { InspectedArm, Inspection } from "./learner/inspect.ts";
import type { LatencyFigures } from "./learner/latency-metrics.ts";
import type { MetricFacts } from "./learner/metrics.ts";
import type { AccuracyFigures, SelectionFigures } from "./learner/selection-memory.ts";
import type { WorkloadControls } from "./workload.ts";

export const BASES = { draws: AccuracyBasis.DRAWS, pairs: AccuracyBasis.PAIRS } as const satisfies Record<
  AccuracyFigures["basis"],
  AccuracyBasis
>;
const KINDS = { boolean: MetricType.BOOLEAN, number: MetricType.NUMBER } as const;
const DIRECTIONS = { max: Direction.MAX, min: Direction.MIN } as const;

/** Standard deviations from the middle of a normal distribution that hold 95% of it. */
const WIDE = 1.96;

/** Encodes the resolved controls. */
function controlsToMessage({ hold, shadow, ...controls }: WorkloadControls, idOf: IdOf): Controls {
  const pinned = hold?.kind === "pinned" ? hold.model : null;
  const members: Readonly<Record<string, unknown>> = { ...controls, ...shadow, hold: hold?.kind ?? "free", pinned };
  const settings = Object.fromEntries(CONTROL_NAMES.map((name) => [name, members[getMember(name)]]));
  return settingsToMessage(settings, idOf);
}

/** A workload in short. */
export function summaryToMessage(facts: LearnedFacts, controls: WorkloadControls, idOf: IdOf): WorkloadSummary {
  return create(WorkloadSummarySchema, {
    model: idOf(facts.key.model),
    ...factsToMessage(facts),
    controls: controlsToMessage(controls, idOf),
  });
}

/** The parts of a workload's message. */
interface WorkloadParts {
  readonly model: string;
  readonly said: ControlOverrides;
  /** Undefined where nothing was learned yet. */
  readonly facts: LearnedFacts | undefined;
  /** Undefined where nothing was learned yet; an Error where that cannot be read. */
  readonly learned: Inspection | Error | undefined;
  /** The calls of late; undefined where there were none. */
  readonly spent: Spent | undefined;
}

/** All that is known of a workload. */
export function workloadToMessage({ model, said, facts, learned, spent }: WorkloadParts, idOf: IdOf): Workload {
  return create(WorkloadSchema, {
    model: idOf(model),
    ...(facts && factsToMessage(facts)),
    controls: controlsToMessage(said.resolved, idOf),
    workloadControls: settingsToMessage(said.own, idOf),
    projectControls: settingsToMessage(said.ofProject, idOf),
    ...(spent !== undefined && {
      recentUsage: spentToMessage(spent, learned instanceof Error ? undefined : learned?.effect),
    }),
    ...(learned instanceof Error
      ? { unreadable: learned.message }
      : learned &&
        learnedToMessage(learned, { baseNanos: spent?.baseCostNanos ?? null, controls: said.resolved }, idOf)),
  });
}

function factsToMessage({ version, updatedAt, rewards }: LearnedFacts) {
  return {
    version: BigInt(version),
    updatedAt: timestampFromDate(updatedAt),
    rewards: BigInt(Math.round(rewards)),
  };
}

function learnedToMessage(
  learned: Inspection,
  { baseNanos, controls }: { readonly baseNanos: number | null; readonly controls: WorkloadControls },
  idOf: IdOf,
) {
  const { arms, base, accounts, hasRoom, families, promptFamilies, exposure, metrics, selection, latencies } = learned;
  const { outlook, finding, judge } = learned;
  return {
    families,
    arms: arms.map((arm) => armToMessage(arm, base, idOf)),
    regretBudgets: accounts.map(regretToMessage),
    hasRegretRoom: hasRoom,
    metrics: metrics.map(metricToMessage),
    ...(exposure !== undefined && { exposure }),
    ...(outlook !== undefined && { outlook: outlookToMessage(outlook) }),
    ...(finding !== undefined && {
      finding: findingToMessage(finding, { baseNanos, isAnswering: isAnswering(finding, arms, controls) }, idOf),
    }),
    ...(selection !== undefined && { selector: selectorToMessage(selection) }),
    ...(judge !== null && { judge: judgeToMessage(judge) }),
    latencies: latencies.map((latency) => latencyToMessage(latency, base, idOf)),
    promptFamilies: promptFamilies.map((family) => familyToMessage(family, learned, idOf)),
  };
}

const WAITS = {
  unary: LatencyKind.UNARY,
  firstToken: LatencyKind.FIRST_TOKEN,
  streamed: LatencyKind.STREAM_END,
} as const satisfies Record<LatencyFigures["kind"], LatencyKind>;

function latencyToMessage(
  { arm, kind, count, meanMs, slowdown }: LatencyFigures,
  base: string,
  idOf: IdOf,
): MessageInitShape<typeof LatencySchema> {
  const { mean = 0, doubt = 0 } = slowdown ?? {};
  return {
    model: arm === base ? idOf(arm) : arm,
    kind: WAITS[kind],
    answers: count,
    mean: durationFromMs(Math.round(meanMs)),
    ...(slowdown && { slowdown: { value: mean, low: Math.max(0, mean - WIDE * doubt), high: mean + WIDE * doubt } }),
  };
}

function armToMessage(arm: InspectedArm, base: string, idOf: IdOf): MessageInitShape<typeof ArmSchema> {
  const { model, answers, rewards, mean, advantage, prior, priorWeight, price, bestIn, constraints } = arm;
  return {
    model: answers > 1 ? model : idOf(model),
    isBase: model === base,
    rewards,
    advantage,
    priorWeight,
    estimate: estimateToMessage(arm),
    relativePrice: price,
    hasToEarn: arm.hasToEarn,
    bestInFamilies: bestIn,
    constraints: constraints.map(constraintToMessage),
    ...(mean !== undefined && { mean }),
    ...(prior !== undefined && { prior }),
  };
}

function familyToMessage(
  { name, requests, rewards, base, chosen, ofChosen }: FamilyFigures,
  { arms }: Inspection,
  idOf: IdOf,
): MessageInitShape<typeof PromptFamilySchema> {
  const isOfSeveral = arms.some(({ model, answers }) => model === chosen && answers > 1);
  const model = isOfSeveral ? chosen : idOf(chosen);
  return { name, requests, rewards, base: estimateToMessage(base), model, estimate: estimateToMessage(ofChosen) };
}

/** Returns a reward with its interval of 95%. */
function estimateToMessage({ worth, doubt }: Estimate) {
  return { value: worth, low: Math.max(0, worth - WIDE * doubt), high: Math.min(1, worth + WIDE * doubt) };
}

function selectorToMessage(selection: SelectionFigures): MessageInitShape<typeof SelectorSchema> {
  const { rewards, accuracy, isProven, weights } = selection;
  const { basis, observations, value, low, high } = accuracy;
  return {
    rewards: BigInt(rewards),
    measured: observations,
    isProven,
    weights: weights.map(weightToMessage),
    ...(observations > 0 && { accuracy: { value, low, high }, basis: BASES[basis] }),
  };
}

function weightToMessage({ signal, weight, doubt }: SelectionFigures["weights"][number]) {
  return { signal, weight, standardError: doubt };
}

/** Encodes the state of a model under a constraint. */
export function constraintToMessage({ metric, relation, bound, values, mean, isBroken }: ConstraintState) {
  return create(ConstraintStateSchema, { metric, bound: { case: relation, value: bound }, values, mean, isBroken });
}

/** Encodes the expected effect of the mode on. */
export function outlookToMessage({ gain, low, high, price, rewards }: Outlook): MessageInitShape<typeof OutlookSchema> {
  return { gain, low, high, relativeCost: price, rewards: BigInt(rewards) };
}

/** Returns whether a model answers in base's place in some family of prompts. */
function isAnswering({ model }: Finding, arms: Inspection["arms"], { mode, hold }: WorkloadControls): boolean {
  const isFree = mode === "on" && hold?.kind !== "frozen";
  return isFree && arms.some((arm) => arm.model === model && arm.bestIn > 0);
}

function findingToMessage(
  finding: Finding,
  context: Parameters<typeof describeFinding>[1],
  idOf: IdOf,
): MessageInitShape<typeof FindingSchema> {
  const { model, gain, low, high, price, rewards, comparisons, agreement } = finding;
  const saved = savedUsd(finding, context.baseNanos);
  return {
    model: idOf(model),
    gain,
    low,
    high,
    relativeCost: price,
    rewards,
    comparisons,
    ...(agreement !== null && { judgeAgreement: agreement }),
    ...(saved !== undefined && { savedUsd: saved }),
    summary: describeFinding({ ...finding, model: idOf(model) }, context),
  };
}

/** Encodes the usage of a regret budget. */
export function regretToMessage({ name, loss, budget }: RegretFigures) {
  return create(RegretBudgetSchema, { name, regret: loss, allowed: budget, hasRoom: loss <= budget });
}

function metricToMessage({
  name,
  kind,
  direction,
  values,
  worth,
}: MetricFacts & { readonly name: string }): MessageInitShape<typeof MetricSchema> {
  return {
    name,
    type: KINDS[kind],
    direction: DIRECTIONS[direction],
    values: BigInt(values),
    meanReward: worth / values,
  };
}

/** Encodes the calls of late, and what the choice among models earned. */
function spentToMessage(spent: Spent, effect: Outlook | undefined): MessageInitShape<typeof RecentUsageSchema> {
  const { calls, routedCalls, costNanos, baseCostNanos, trialNanos, trials, checks } = spent;
  return {
    calls: BigInt(calls),
    routedCalls: BigInt(routedCalls),
    ...(costNanos !== null && { costNanoUsd: BigInt(Math.round(costNanos)) }),
    ...(baseCostNanos !== null && { baseCostNanoUsd: BigInt(Math.round(baseCostNanos)) }),
    trials: BigInt(trials),
    checks: BigInt(checks),
    ...(trialNanos !== null && { trialCostNanoUsd: BigInt(Math.round(trialNanos)) }),
    summary: describeEarned(effect ?? null, spent),
  };
}

function judgeToMessage({ second, ...judge }: JudgeFigures): MessageInitShape<typeof JudgeRecordSchema> {
  return {
    ...judge,
    summary: describeJudge({ ...judge, second }),
    ...(second !== null && { second: { ...second, summary: describeSecondJudge(second) } }),
  };
}
