import { timestampDate } from "@bufbuild/protobuf/wkt";
import {
  type Controls,
  ControlsSchema,
  type Latency,
  LatencyKindSchema,
  type Selector,
  type Workload,
  type WorkloadEvent,
} from "../../gen/attune/workload/v1/workload_pb.ts";
import { enumWord } from "../lib/protobuf/enum-word.ts";
import { DEFAULT_PROJECT } from "../store/entities/project.ts";
import { readPages, withAdmin } from "./admin-client.ts";
import { messageToJson } from "./apply/document-json.ts";
import { printJson, printJsonList } from "./output.ts";
import { plainDetail } from "./show-remote-workload.ts";
import type { WorkloadOptions } from "./workload-options.ts";

const SHOWN_EVENTS = 20;

/** Prints the workloads of a project as JSON. */
export async function printWorkloads(options: WorkloadOptions): Promise<void> {
  const { project = DEFAULT_PROJECT.id } = options;
  await withAdmin(options, { project }, async (admin) => {
    const workloads = await readPages(async (page) => {
      const { workloads: items, nextPageToken } = await admin.listWorkloads({ project, ...page });
      return { items, nextPageToken };
    });
    printJsonList(workloads.map(toSummary));
  });
}

/** Prints what is learned of a workload, what is said of it, and its latest events as JSON. */
export async function printWorkload(options: WorkloadOptions): Promise<void> {
  const { project = DEFAULT_PROJECT.id, model = "" } = options;
  await withAdmin(options, { project, model }, async (admin) => {
    const { workload } = await admin.getWorkload({ project, model });
    const { events } = await admin.listWorkloadHistory({ project, model, pageSize: SHOWN_EVENTS });
    if (workload !== undefined)
      printJson({ ...toSummary(workload), ...toDetail(workload), events: events.map(toEvent) });
  });
}

function toSummary({
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

function toDetail({ families, hasRegretRoom, unreadable, finding, arms, selector, latencies }: Workload) {
  return {
    ...{ families, hasRegretRoom, problem: unreadable || null, finding: finding?.summary ?? null },
    models: arms.map(({ model, isBase, advantage, rewards, bestInFamilies }) => ({
      ...{ model, isBase, advantage, rewards, bestInFamilies },
    })),
    selector: selector === undefined ? null : toSelector(selector),
    latencies: latencies.map(toLatency),
  };
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
  return { at: at === undefined ? null : timestampDate(at), kind: event.case ?? null, detail: plainDetail(event) };
}
