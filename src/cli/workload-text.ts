import { timestampDate } from "@bufbuild/protobuf/wkt";
import {
  AccuracyBasis,
  type Controls,
  DecisionUnitSchema,
  Direction,
  FeedbackExtentSchema,
  Hold,
  LatencyKind,
  LearningMode,
  LearningModeSchema,
  type MetricSettings as MetricMessage,
  Objective,
  ObjectiveSchema,
  type Workload,
  type WorkloadEvent,
  WorkloadEventSchema,
} from "../../gen/attune/workload/v1/workload_pb.ts";
import { describeShadow } from "../figures/usage.ts";
import { enumWord } from "../lib/protobuf/enum-word.ts";
import { describeMetric, type MetricSettings } from "../vocabulary/metric-overrides.ts";
import { writeUsd } from "../vocabulary/money.ts";
import { describeOutlook } from "../vocabulary/outlook.ts";
import { messageToJson } from "./apply/document-json.ts";
import { describeDetail } from "./describe-detail.ts";
import { print, printTable } from "./output.ts";

/** Prints all that is known of a workload, and its latest events. */
export function printWorkload(workload: Workload, events: readonly WorkloadEvent[]): void {
  for (const line of describeControls(workload)) print(line);
  printUsage(workload);
  printState(workload);
  printSelector(workload);
  printLatencies(workload);
  if (events.length === 0) return;
  print();
  printTable(
    ["TIME", "EVENT", "DETAIL"],
    events.map(({ at, event }) => [
      at === undefined ? "" : timestampDate(at).toISOString(),
      event.case ?? "unknown",
      describeDetail(readDetail(event)),
    ]),
  );
}

/** Describes what holds for a workload, or for all of a project, in lines. */
export function describeControls(workload: Workload): readonly string[] {
  const { controls } = workload;
  if (controls === undefined) return [];
  const { mode, objective, feedback, unit, excludedModels, metrics, rewardPerPrice, usdPerReward = 0 } = controls;
  const isPriceEarned = objective === Objective.QUALITY || objective === Objective.BALANCED;
  const words = [
    `mode: ${toWord(LearningModeSchema, mode)}`,
    `held: ${describeHold(controls)}`,
    `objective: ${toWord(ObjectiveSchema, objective)}`,
    `feedback: ${toWord(FeedbackExtentSchema, feedback)}`,
    `unit: ${toWord(DecisionUnitSchema, unit)}`,
  ];
  return [
    words.join("   "),
    `shadow: ${describeShadowControls(workload)}`,
    ...(isPriceEarned && usdPerReward > 0 ? [`one reward more is worth ${usdPerReward} USD`] : []),
    ...(isPriceEarned && usdPerReward === 0 && rewardPerPrice !== undefined
      ? [`reward per price: ${rewardPerPrice} for each price of base more`]
      : []),
    ...(excludedModels.length > 0 ? [`excluded: ${excludedModels.join(", ")}`] : []),
    ...metrics.map((metric) => `metric ${describeMetric(toMetricSettings(metric))}`),
  ];
}

/** Returns the settings of a metric that a message has. */
function toMetricSettings({ name, weight, direction, atLeast, atMost }: MetricMessage): MetricSettings {
  return {
    name,
    ...(weight !== undefined && { weight }),
    ...(direction !== Direction.UNSPECIFIED && { direction: direction === Direction.MAX ? "max" : "min" }),
    ...(atLeast !== undefined && { atLeast }),
    ...(atMost !== undefined && { atMost }),
  };
}

function describeShadowControls(workload: Workload): string {
  const { share = 0, judge, secondJudge, rubric, usdPerDay = 0 } = workload.controls?.shadow ?? {};
  if (share === 0) return "off";
  const part = `${Number((share * 100).toPrecision(3))}% of the answers`;
  if (judge === undefined) return `${part}, but no judge is set: nothing is tried`;
  const second = secondJudge === undefined ? "" : ` and ${secondJudge} where that pays`;
  const grader = `judged by ${judge}${second}${rubric === undefined ? "" : " with a rubric"}`;
  return `${part}, ${grader}, up to ${writeUsd(usdPerDay)} USD a day ${describeBudget(workload)}`;
}

/** Describes whom the amount of a day is for. */
function describeBudget({ workloadControls, projectControls }: Workload): string {
  if (workloadControls?.shadow?.usdPerDay !== undefined) return "of this workload";
  return projectControls?.shadow?.usdPerDay === undefined ? "of the installation" : "of the project";
}

/** Describes who answers whatever is learned. */
export function describeHold(controls: Controls | undefined): string {
  if (controls?.hold === Hold.FROZEN) return "frozen";
  return controls?.hold === Hold.PINNED ? `pinned to ${controls.pinnedModel}` : "no";
}

function printUsage({ recentUsage }: Workload): void {
  if (recentUsage === undefined) return;
  const { summary, trialCostNanoUsd } = recentUsage;
  const [trials, checks] = [Number(recentUsage.trials), Number(recentUsage.checks)];
  print(`30 days: ${summary}`);
  if (trials + checks === 0) return;
  const costNanos = trialCostNanoUsd === undefined ? null : Number(trialCostNanoUsd);
  print(`shadow trials (30 days): ${describeShadow({ trials, checks, costNanos })}`);
}

function printState(workload: Workload): void {
  const { arms, finding, judge, unreadable, rewards, families, hasRegretRoom, outlook, controls, model } = workload;
  if (unreadable !== "" || arms.length === 0) {
    print(unreadable === "" ? "no learned state yet" : `${unreadable}: run 'attune workloads rebuild'`);
    return;
  }
  if (judge !== undefined) print(`judge: ${judge.summary}`);
  if (judge?.second !== undefined) print(`second judge: ${judge.second.summary}`);
  if (finding !== undefined) print(`finding: ${finding.summary}`);
  if (outlook !== undefined && controls?.mode === LearningMode.OBSERVE) {
    const effect = { ...outlook, price: outlook.relativeCost, rewards: Number(outlook.rewards) };
    print(`on would have answered ${describeOutlook(effect)}: attune workloads mode on --model ${model}`);
  }
  const room = hasRegretRoom ? "have room" : "exceeded: only base answers";
  print(`rewards: ${rewards}   families: ${families}   regret budgets: ${room}\n`);
  printTable(
    ["MODEL", "BETTER BY", "HAS TO EARN", "REWARDS", "BEST IN FAMILIES"],
    arms.map((arm) => [
      arm.isBase ? `${arm.model} (base)` : arm.model,
      arm.isBase || isSeveral(arm.model) ? "-" : arm.advantage.toFixed(3),
      arm.isBase ? "-" : arm.hasToEarn.toFixed(3),
      String(Math.round(arm.rewards)),
      String(arm.bestInFamilies),
    ]),
  );
}

/** Several answers are held against what is expected of them, and have no advantage to tell. */
function isSeveral(model: string): boolean {
  return model.includes(",");
}

function printSelector({ selector }: Workload): void {
  if (selector === undefined) return;
  const { rewards, accuracy, basis, measured, isProven, weights } = selector;
  const counted = `${Math.round(measured)} ${basis === AccuracyBasis.PAIRS ? "pairs" : "randomly chosen answers"}`;
  const right =
    accuracy === undefined
      ? "not measured yet"
      : `right in ${accuracy.value.toFixed(2)} of pairs (${accuracy.low.toFixed(2)} to ${accuracy.high.toFixed(2)}), over ${counted}`;
  print(`\nselector: ${rewards} rewards   ${right}   ${isProven ? "chooses when learning is on" : "not proven"}\n`);
  printTable(
    ["SIGNAL", "WEIGHT", "STD ERROR"],
    weights.map(({ signal, weight, standardError }) => [signal, weight.toFixed(3), standardError.toFixed(3)]),
  );
}

const WAITS: Readonly<Record<LatencyKind, string>> = {
  [LatencyKind.UNSPECIFIED]: "",
  [LatencyKind.UNARY]: "answer (not streamed)",
  [LatencyKind.FIRST_TOKEN]: "first token of a stream",
  [LatencyKind.STREAM_END]: "end of a stream",
};

/** Tells how long several answers take beside those of base, if any were given. */
function printLatencies({ latencies, model: base }: Workload): void {
  if (latencies.length === 0) return;
  print();
  printTable(
    ["MODEL", "UNTIL", "MEAN MS", "ANSWERS", "TIMES BASE"],
    latencies.map(({ model, kind, mean, answers, slowdown }) => [
      model === base ? `${model} (base)` : model,
      WAITS[kind] ?? "",
      String(Math.round(Number(mean?.seconds ?? 0n) * 1000 + (mean?.nanos ?? 0) / 1e6)),
      String(Math.round(answers)),
      slowdown === undefined
        ? "-"
        : `${slowdown.value.toFixed(2)} (${slowdown.low.toFixed(2)} to ${slowdown.high.toFixed(2)})`,
    ]),
  );
}

/** Returns what an event tells, without what is unset. */
export function readDetail({ case: kind, value }: WorkloadEvent["event"]): Readonly<Record<string, unknown>> {
  const schema = WorkloadEventSchema.fields.find(({ localName }) => localName === kind)?.message;
  return schema === undefined || value === undefined ? {} : messageToJson(schema, value);
}

/** Returns the word of a value of an enumeration. */
export function toWord(schema: Parameters<typeof enumWord>[0], value: number): string {
  return enumWord(schema, schema.value[value]?.name ?? "") ?? "";
}
