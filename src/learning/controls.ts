import type { LearningMode } from "../hub/decision-record.ts";
import type { MetricSettings } from "../hub/metric-overrides.ts";
import type { Objective } from "./bandit/settings.ts";
import type { FeedbackKind } from "./bandit/workload-state.ts";
import type { WorkloadControls, WorkloadKey } from "./workload.ts";

/** The settings of a workload, or of a project for all its workloads; null inherits from the next in line. */
export interface ControlSettings {
  readonly mode: LearningMode | null;
  /** "free" where the project's hold is not to count. */
  readonly hold: "free" | "frozen" | "pinned" | null;
  /** Model that it is pinned to. */
  readonly pinned: string | null;
  readonly excluded: readonly string[] | null;
  readonly objective: Objective | null;
  readonly feedback: FeedbackKind | null;
  /** The settings of metrics, each once. */
  readonly metrics: readonly MetricSettings[] | null;
}

/** The scope of settings: a workload, or with an empty model a whole project. */
export interface ControlRow extends ControlSettings {
  readonly key: WorkloadKey;
}

/** Nothing said. */
export const NO_SETTINGS: ControlSettings = {
  ...{ mode: null, hold: null, pinned: null },
  ...{ excluded: null, objective: null, feedback: null, metrics: null },
};

/**
 * Works out what holds for a workload: what is said of it goes before what is said of its project, and that before the
 * configuration.
 */
export function resolveControls(
  own: ControlSettings = NO_SETTINGS,
  ofProject: ControlSettings = NO_SETTINGS,
  mode: LearningMode,
): WorkloadControls {
  const { hold, pinned } = own.hold === null ? ofProject : own;
  return {
    mode: own.mode ?? ofProject.mode ?? mode,
    hold: hold === "frozen" ? { kind: hold } : hold === "pinned" ? { kind: hold, model: pinned ?? "" } : undefined,
    // Nobody may answer whom either excludes.
    excluded: [...new Set([...(ofProject.excluded ?? []), ...(own.excluded ?? [])])],
    objective: own.objective ?? ofProject.objective ?? "quality",
    feedback: own.feedback ?? ofProject.feedback ?? "voluntary",
    metrics: own.metrics ?? ofProject.metrics ?? [],
  };
}

/** The own settings of a workload, and the resolved ones. */
export interface ControlOverrides {
  readonly own: ControlSettings;
  readonly ofProject: ControlSettings;
  readonly resolved: WorkloadControls;
}

/** Finds what is said of a workload among the rows of its project; `mode` holds where nobody has said another. */
export function controlsIn(
  rows: readonly ControlRow[],
  { projectId, model }: WorkloadKey,
  mode: LearningMode,
): ControlOverrides {
  const settingsOf = (whom: string): ControlSettings => {
    const row = rows.find(({ key }) => key.projectId === projectId && key.model === whom);
    if (row === undefined) return NO_SETTINGS;
    const { key: _, ...settings } = row;
    return settings;
  };
  const [own, ofProject] = [settingsOf(model), settingsOf("")];
  return { own, ofProject, resolved: resolveControls(own, ofProject, mode) };
}

/** All settings of a database, as a process knows them. */
export class ControlTable {
  readonly #mode: LearningMode;
  #rows: ReadonlyMap<string, ControlSettings> = new Map();
  #resolved = new Map<string, WorkloadControls>();
  #text = "";

  /** `mode` holds where nobody has said another. */
  constructor(mode: LearningMode) {
    this.#mode = mode;
  }

  /** Takes on what the database has. */
  replace(rows: readonly ControlRow[]): void {
    const text = JSON.stringify(rows);
    if (text === this.#text) return;
    this.#text = text;
    this.#rows = new Map(rows.map(({ key, ...settings }) => [textOf(key), settings]));
    this.#resolved = new Map();
  }

  /** Returns the resolved settings of a workload; the same object as long as none changes. */
  of(key: WorkloadKey): WorkloadControls {
    const text = textOf(key);
    const known = this.#resolved.get(text);
    if (known !== undefined) return known;
    if (this.#resolved.size >= MOST_RESOLVED) this.#resolved.clear();
    const resolved = resolveControls(this.#rows.get(text), this.#rows.get(textOf({ ...key, model: "" })), this.#mode);
    this.#resolved.set(text, resolved);
    return resolved;
  }
}

const MOST_RESOLVED = 10_000;

function textOf({ projectId, model }: WorkloadKey): string {
  return `${projectId}/${model}`;
}
