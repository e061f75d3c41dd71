import { timestampDate } from "@bufbuild/protobuf/wkt";
import {
  type Controls,
  DecisionUnitSchema,
  FeedbackExtentSchema,
  Hold,
  LatencyKindSchema,
  LearningModeSchema,
  ObjectiveSchema,
  type Workload,
  type WorkloadEvent,
} from "../../gen/attune/workload/v1/workload_pb.ts";
import { writeUsd } from "../hub/money.ts";
import { enumWord } from "../lib/protobuf/enum-word.ts";
import { DEFAULT_PROJECT } from "../store/entities/project.ts";
import { withAdmin } from "./admin-client.ts";
import { describeDetail } from "./describe-detail.ts";
import { print, printTable } from "./output.ts";
import type { WorkloadOptions } from "./workload-options.ts";

const SHOWN_EVENTS = 20;

/** Shows what a service that runs has learned of a workload, what is said of it, and its latest events. */
export async function showRemoteWorkload(options: WorkloadOptions): Promise<void> {
  const { project = DEFAULT_PROJECT.id, model = "" } = options;
  await withAdmin(options, { project, model }, async (admin) => {
    const { workload } = await admin.getWorkload({ project, model });
    const { events } = await admin.listWorkloadHistory({ project, model, pageSize: SHOWN_EVENTS });
    if (workload === undefined) return;
    for (const line of describeControls(workload.controls)) print(line);
    showState(workload);
    showSelector(workload);
    showLatencies(workload);
    if (events.length === 0) return;
    print();
    printTable(["TIME", "EVENT", "DETAIL"], events.map(describeEvent));
  });
}

function describeControls(controls: Controls | undefined): readonly string[] {
  if (controls === undefined) return [];
  const { mode, objective, feedback, unit, shadow, excludedModels, metrics } = controls;
  const words = {
    mode: wordOf(LearningModeSchema, mode),
    objective: wordOf(ObjectiveSchema, objective),
    feedback: wordOf(FeedbackExtentSchema, feedback),
    unit: wordOf(DecisionUnitSchema, unit),
  };
  const { share = 0, judge = "no judge", usdPerDay = 0 } = shadow ?? {};
  return [
    `mode: ${words.mode}   held: ${describeHold(controls)}   objective: ${words.objective}   ` +
      `feedback: ${words.feedback}   unit: ${words.unit}`,
    share === 0
      ? "shadow: off"
      : `shadow: ${share * 100}% of the answers, ${judge}, up to ${writeUsd(usdPerDay)} USD a day`,
    ...(excludedModels.length > 0 ? [`excluded: ${excludedModels.join(", ")}`] : []),
    ...metrics.map(({ $typeName: _, ...metric }) => `metric ${describeDetail(metric)}`),
  ];
}

/** Describes who answers whatever is learned. */
export function describeHold(controls: Controls | undefined): string {
  if (controls?.hold === Hold.FROZEN) return "frozen";
  return controls?.hold === Hold.PINNED ? `pinned to ${controls.pinnedModel}` : "no";
}

function showState({ arms, finding, unreadable, rewards, families, hasRegretRoom, outlook }: Workload): void {
  if (unreadable !== "" || arms.length === 0) {
    print(unreadable === "" ? "no learned state yet" : `${unreadable}: run 'attune workloads rebuild'`);
    return;
  }
  if (finding !== undefined) print(`finding: ${finding.summary}`);
  if (outlook !== undefined) print(`on would have answered otherwise: gain ${outlook.gain.toFixed(3)}`);
  const room = hasRegretRoom ? "have room" : "exceeded: only base answers";
  print(`rewards: ${rewards}   families: ${families}   regret budgets: ${room}\n`);
  const rows = arms.map(({ model, isBase, advantage, rewards: own, bestInFamilies }) => [
    ...[isBase ? `${model} (base)` : model, advantage.toFixed(3), String(Math.round(own)), String(bestInFamilies)],
  ]);
  printTable(["MODEL", "BETTER BY", "REWARDS", "BEST IN FAMILIES"], rows);
}

function showSelector({ selector }: Workload): void {
  if (selector === undefined) return;
  const { rewards, accuracy, isProven, weights } = selector;
  const right = accuracy === undefined ? "not measured yet" : `right in ${accuracy.value.toFixed(2)} of pairs`;
  print(`\nselector: ${rewards} rewards   ${right}   ${isProven ? "chooses where learning is on" : "not proven"}\n`);
  printTable(
    ["SIGNAL", "WEIGHT", "STD ERROR"],
    weights.map(({ signal, weight, standardError }) => [signal, weight.toFixed(3), standardError.toFixed(3)]),
  );
}

function showLatencies({ latencies }: Workload): void {
  if (latencies.length === 0) return;
  print();
  const rows = latencies.map(({ model, kind, mean, answers, slowdown }) => [
    ...[model, wordOf(LatencyKindSchema, kind).replace("_", " ")],
    String(Math.round(Number(mean?.seconds ?? 0n) * 1000 + (mean?.nanos ?? 0) / 1e6)),
    ...[String(Math.round(answers)), slowdown === undefined ? "-" : slowdown.value.toFixed(2)],
  ]);
  printTable(["MODEL", "UNTIL", "MEAN MS", "ANSWERS", "TIMES BASE"], rows);
}

function describeEvent({ at, event }: WorkloadEvent): string[] {
  const { case: kind = "unknown" } = event;
  return [at === undefined ? "" : timestampDate(at).toISOString(), kind, describeDetail(plainDetail(event))];
}

/** Returns what an event tells, without what marks messages. */
export function plainDetail({ value }: WorkloadEvent["event"]): Readonly<Record<string, unknown>> {
  const parts = JSON.stringify(value ?? {}, (name, part: unknown) => {
    if (name.startsWith("$")) return undefined;
    return typeof part === "bigint" ? Number(part) : part;
  });
  return JSON.parse(parts) as Readonly<Record<string, unknown>>;
}

function wordOf(schema: Parameters<typeof enumWord>[0], value: number): string {
  return enumWord(schema, schema.value[value]?.name ?? "") ?? "unspecified";
}
