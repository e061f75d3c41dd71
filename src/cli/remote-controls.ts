import { timestampDate } from "@bufbuild/protobuf/wkt";
import { LearningModeSchema } from "../../gen/attune/workload/v1/workload_pb.ts";
import { describeMetric, type MetricSettings } from "../hub/metric-overrides.ts";
import type { ControlSettings } from "../learning/controls.ts";
import { settingsToMessage } from "../learning/workload-message.ts";
import { enumWord } from "../lib/protobuf/enum-word.ts";
import { DEFAULT_PROJECT } from "../store/entities/project.ts";
import { readPages, withAdmin } from "./admin-client.ts";
import { fail, print, printTable } from "./output.ts";
import { describeHold } from "./show-remote-workload.ts";
import type { WorkloadOptions } from "./workload-options.ts";

/** The paths of an update mask; what a model is pinned to goes with the hold. */
const PATHS: Record<Exclude<keyof ControlSettings, "pinned">, string> = {
  ...{ mode: "mode", hold: "hold", excluded: "excluded_models", objective: "objective", feedback: "feedback" },
  ...{
    rewardPerPrice: "reward_per_price",
    metrics: "metrics",
    unit: "unit",
    shadowShare: "shadow.share",
    shadowJudge: "shadow.judge",
  },
  ...{ shadowUsdPerDay: "shadow.usd_per_day", shadowRubric: "shadow.rubric" },
};

/**
 * Sets what is said of a workload, or of all of a project, of a service that runs; its models are named as callers do.
 */
export async function setRemoteControls(options: WorkloadOptions, changes: Partial<ControlSettings>): Promise<void> {
  const { project = DEFAULT_PROJECT.id, model } = options;
  const paths = Object.entries(PATHS).flatMap(([name, path]) => (name in changes ? [path] : []));
  const controls = settingsToMessage(changes, (name) => name);
  await withAdmin(options, { project, model }, async (admin) => {
    const all = { case: "allWorkloads", value: true } as const;
    const target = model === undefined ? all : ({ case: "model", value: model } as const);
    await admin.updateControls({ project, target, controls, updateMask: { paths } });
    print(`${model ?? "all workloads"} in ${options.project ?? "the default project"}: set ${paths.join(", ")}`);
  });
}

/** Says how a metric counts in a workload of a service that runs; the other metrics stay as they are. */
export async function setRemoteMetric(said: MetricSettings, options: WorkloadOptions): Promise<void> {
  const { project = DEFAULT_PROJECT.id, model = fail("give --model with --url: the base of the workload") } = options;
  await withAdmin(options, { project, model }, async (admin) => {
    const { workload } = await admin.getWorkload({ project, model });
    const others = workload?.workloadControls?.metrics.filter(({ name }) => name !== said.name) ?? [];
    const own =
      Object.keys(said).length > 1 ? (settingsToMessage({ metrics: [said] }, (name) => name).metrics ?? []) : [];
    const controls = { metrics: [...others, ...own] };
    const target = { case: "model", value: model } as const;
    await admin.updateControls({ project, target, controls, updateMask: { paths: ["metrics"] } });
    print(`${model} in ${options.project ?? "the default project"}: ${describeMetric(said)}`);
  });
}

/** Forgets what a service that runs has learned of a workload. */
export async function resetRemoteWorkload(options: WorkloadOptions): Promise<void> {
  const { project = DEFAULT_PROJECT.id, model = "" } = options;
  await withAdmin(options, { project }, async (admin) => {
    await admin.resetWorkload({ project, model });
    print(`${model} in ${options.project ?? "the default project"} is reset`);
  });
}

/** Lists what a service that runs has learned of a project's workloads. */
export async function listRemoteWorkloads(options: WorkloadOptions): Promise<void> {
  const { project = DEFAULT_PROJECT.id } = options;
  await withAdmin(options, { project }, async (admin) => {
    const workloads = await readPages(async (page) => {
      const { workloads: items, nextPageToken } = await admin.listWorkloads({ project, ...page });
      return { items, nextPageToken };
    });
    if (workloads.length === 0) return print("no workload has learned state yet");
    const rows = workloads.map(({ model, controls, rewards, updatedAt }) => [
      ...[model, enumWord(LearningModeSchema, LearningModeSchema.value[controls?.mode ?? 0]?.name ?? "") ?? ""],
      describeHold(controls),
      ...[String(rewards), updatedAt ? timestampDate(updatedAt).toISOString() : ""],
    ]);
    printTable(["MODEL", "MODE", "HELD", "REWARDS", "LEARNED"], rows);
  });
}
