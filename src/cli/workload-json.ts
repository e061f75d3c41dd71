import { timestampDate } from "@bufbuild/protobuf/wkt";
import {
  type Controls,
  ControlsSchema,
  type Estimate,
  type Latency,
  LatencyKindSchema,
  type Selector,
  type Workload,
  type WorkloadEvent,
} from "../../gen/attune/workload/v1/workload_pb.ts";
import { enumWord } from "../lib/protobuf/enum-word.ts";
import { messageToJson } from "./apply/document-json.ts";
import { readDetail } from "./workload-text.ts";

/** The names that programs read of a workload in short, and those of a whole one beside them. */
export const SUMMARY_MEMBERS = ["model", "controls", "rewards", "learnedAt"];
export const DETAIL_MEMBERS = [
  ...["families", "hasRegretRoom", "problem", "judge", "secondJudge", "finding", "recentUsage"],
  ...["models", "promptFamilies", "selector", "latencies", "events"],
];

/** Returns a workload as programs read it. */
export function toJsonWorkload(workload: Workload, events: readonly WorkloadEvent[]) {
  return { ...toJsonSummary(workload), ...toDetail(workload), events: events.map(toEvent) };
}

/** Returns a workload in short. */
export function toJsonSummary({
  model,
  controls,
  rewards,
  updatedAt,
}: Pick<Workload, "model" | "controls" | "rewards" | "updatedAt">) {
  const learnedAt = updatedAt === undefined ? null : timestampDate(updatedAt);
  return { model, controls: controls === undefined ? null : toControls(controls), rewards: Number(rewards), learnedAt };
}

function toControls(controls: Controls) {
  return messageToJson(ControlsSchema, controls);
}

function toDetail({ families, hasRegretRoom, unreadable, judge, finding, recentUsage, ...rest }: Workload) {
  return {
    families,
    hasRegretRoom,
    problem: unreadable || null,
    judge: judge?.summary ?? null,
    secondJudge: judge?.second?.summary ?? null,
    finding: finding?.summary ?? null,
    recentUsage: recentUsage?.summary ?? null,
    models: rest.arms.map(({ model, isBase, advantage, rewards, bestInFamilies, estimate, relativePrice }) => ({
      model,
      isBase,
      advantage,
      rewards,
      bestInFamilies,
      estimate: toEstimate(estimate),
      relativePrice,
    })),
    promptFamilies: rest.promptFamilies.map(({ name, requests, rewards, base, model, estimate }) => ({
      name,
      requests,
      rewards,
      base: toEstimate(base),
      model,
      estimate: toEstimate(estimate),
    })),
    selector: rest.selector === undefined ? null : toSelector(rest.selector),
    latencies: rest.latencies.map(toLatency),
  };
}

function toEstimate(estimate: Estimate | undefined) {
  if (estimate === undefined) return null;
  const { value, low, high } = estimate;
  return { value, low, high };
}

function toSelector({ rewards, accuracy, isProven, weights }: Selector) {
  const facts = { rewards: Number(rewards), accuracy: accuracy?.value ?? null, isProven };
  return { ...facts, weights: weights.map(({ signal, weight, standardError }) => ({ signal, weight, standardError })) };
}

function toLatency({ model, kind, mean, answers, slowdown }: Latency) {
  const meanMs = Number(mean?.seconds ?? 0n) * 1000 + (mean?.nanos ?? 0) / 1e6;
  const word = enumWord(LatencyKindSchema, LatencyKindSchema.value[kind]?.name ?? "") ?? null;
  return { model, until: word, meanMs, answers, timesBase: slowdown?.value ?? null };
}

function toEvent({ at, event }: WorkloadEvent) {
  return { at: at === undefined ? null : timestampDate(at), kind: event.case ?? null, detail: readDetail(event) };
}
