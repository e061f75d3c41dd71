import type { Outlook } from "../../hub/outlook.ts";
import type { ShadowUsage } from "../../hub/usage.ts";
import { type ControlDefaults, type ControlSettings, NO_SETTINGS, resolveControls } from "../../learning/controls.ts";
import type { BlindPair, JudgedPair } from "../../learning/shadow/blind-pair.ts";
import type { WorkloadControls, WorkloadKey } from "../../learning/workload.ts";
import { readControls, setControls } from "../learning/control-store.ts";
import { judgePair, type PairJudgement } from "../learning/judge-pair.ts";
import { resetWorkload } from "../learning/reset-workload.ts";
import type { PointsQuery, WorkloadPoint } from "../learning/workload-points.ts";
import type { Metric } from "../read/queries/metrics.ts";
import type { Usage, UsageQuery } from "../read/queries/usage.ts";
import type { Store } from "../types/store.ts";
import type { WorkloadHappening } from "./reads/read-events.ts";
import type { LearnedDetails, LearnedSummary, ObservedWorkload } from "./reads/read-learned.ts";
import type { WorkloadsQuery } from "./reads/read-workload-calls.ts";
import type { DashboardReads } from "./reads/reads.ts";

export type { FamilyFigures, WorkloadFigures } from "../../learning/learner/figures.ts";
export type { PointStep, WorkloadPoint } from "../learning/workload-points.ts";
export type { ControlDefaults, ControlSettings, LearnedDetails, LearnedSummary, Usage, WorkloadControls };

/** The controls that operators have set in a project. */
interface ProjectControls {
  /** Of all its workloads, as far as nothing else is said of one. */
  readonly ofProject: ControlSettings;
  /** Workloads of which something is said. */
  readonly models: readonly string[];
  /** Returns a workload's own controls, and the resolved ones. */
  of(model: string): { readonly own: ControlSettings; readonly resolved: WorkloadControls };
}

/** Feedback of a base model. */
interface ModelOverrides {
  readonly entries: number;
  /** Names of what is said in booleans and numbers, which is all that is learned from. */
  readonly metrics: readonly string[];
}

/** The learned state of a project's workloads. */
export interface Learned {
  /** Reads them all, those with the most rewards first. */
  list(projectId: string): Promise<LearnedSummary[]>;
  /** Reads what the mode `on` would do, of each of the workloads where it is known that it pays. */
  outlooks(
    projectId: string,
    workloads: readonly ObservedWorkload[],
  ): Promise<{ readonly model: string; readonly outlook: Outlook }[]>;
  /** Reads one, as it is without the models that are excluded; undefined where nothing is known of it. */
  read(key: WorkloadKey, excluded?: readonly string[]): Promise<LearnedDetails | undefined>;
  /** Reads the latest pair of one that nobody has judged, before another one; undefined where none is left. */
  pair(key: WorkloadKey, beforeId?: string): Promise<BlindPair | undefined>;
  /** Writes a verdict on a pair; undefined where there is none, or somebody has judged it. */
  judgePair(judgement: PairJudgement): Promise<JudgedPair | undefined>;
  /** Reads what happened to one, and to all of the project, the latest first. */
  happenings(key: WorkloadKey): Promise<WorkloadHappening[]>;
  points(query: PointsQuery): Promise<WorkloadPoint[]>;
  /** Reads what was called by base models; of one of them, if it is named. */
  usage(query: Omit<UsageQuery, "group" | "filter"> & { readonly model?: string }): Promise<Usage[]>;
  /** Adds up the shadow trials of one in a time; undefined where there were none. */
  shadow(query: Parameters<DashboardReads["readShadowUsage"]>[0]): Promise<ShadowUsage | undefined>;
  /** Reads what feedback each base model has. */
  feedback(query: Omit<WorkloadsQuery, "bucket">): Promise<ReadonlyMap<string, ModelOverrides>>;
  /** `defaults` hold where nobody has said otherwise. */
  controls(projectId: string, defaults: ControlDefaults): Promise<ProjectControls>;
  /** Keeps what someone says of a workload, or with an empty model of the project. */
  setControls(key: WorkloadKey, said: Parameters<typeof setControls>[2], by: string): Promise<void>;
  /** Forgets what was learned; returns false where that was nothing. */
  reset(key: WorkloadKey, by: string): Promise<boolean>;
}

/** Creates what is learned, read so. */
export function createLearned(store: Store, reads: DashboardReads): Learned {
  return {
    list: (projectId) => reads.readLearnedWorkloads(projectId),
    outlooks: (projectId, workloads) => reads.readOutlooks(projectId, workloads),
    read: (key, excluded) => reads.readLearnedWorkload(key, excluded),
    happenings: (key) => reads.readEvents(key),
    pair: (key, beforeId) => reads.readPair(key, beforeId),
    judgePair: (judgement) => judgePair(store, judgement),
    points: (query) => reads.readWorkloadPoints(query),
    shadow: (query) => reads.readShadowUsage(query),
    usage: ({ model, ...query }) => reads.readUsage({ ...query, group: "model", filter: { model } }),
    async feedback(query) {
      const metrics = await reads.readMetrics({ ...query, bucket: "none", group: "model" });
      const byModel = Map.groupBy(metrics, ({ group = "" }) => group);
      return new Map([...byModel].map(([model, own]) => [model, toSaid(own)]));
    },
    async controls(projectId, defaults) {
      const rows = await readControls(store, projectId);
      const said = new Map(rows.map(({ key, ...settings }) => [key.model, settings]));
      const ofProject = said.get("") ?? NO_SETTINGS;
      return {
        ofProject,
        models: [...said.keys()].filter((model) => model !== ""),
        of(model) {
          const own = said.get(model) ?? NO_SETTINGS;
          return { own, resolved: resolveControls(own, ofProject, defaults, { projectId, model }) };
        },
      };
    },
    setControls: (key, said, by) => setControls(store, key, said, by),
    reset: (key, by) => resetWorkload(store, key, by),
  };
}

function toSaid(metrics: readonly Metric[]): ModelOverrides {
  const learned = metrics.filter(({ kind }) => kind !== "note");
  return {
    entries: metrics.reduce((sum, { entries }) => sum + entries, 0),
    metrics: [...new Set(learned.map(({ name }) => name))],
  };
}
