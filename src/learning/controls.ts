import type { LearningMode } from "../hub/decision-record.ts";
import type { MetricSettings } from "../hub/metric-overrides.ts";
import type { ModelScope } from "./alternatives.ts";
import type { Objective } from "./bandit/settings.ts";
import type { FeedbackKind } from "./bandit/workload-state.ts";
import type { DecisionUnit, Exploration, ShadowControls, WorkloadControls, WorkloadKey } from "./workload.ts";

/** The settings of a workload, or of a project for all its workloads; null inherits from the next in line. */
export interface ControlSettings {
  readonly mode: LearningMode | null;
  /** "free" where the project's hold is not to count. */
  readonly hold: "free" | "frozen" | "pinned" | null;
  /** Model that it is pinned to. */
  readonly pinned: string | null;
  readonly excluded: readonly string[] | null;
  readonly objective: Objective | null;
  /** Reward that a model has to earn for each price of base that it costs more. */
  readonly rewardPerPrice: number | null;
  readonly feedback: FeedbackKind | null;
  /** The settings of metrics, each once. */
  readonly metrics: readonly MetricSettings[] | null;
  /** The calls that one decision on who answers is for. */
  readonly unit: DecisionUnit | null;
  /** Part of the answers that are tried in the shadow; 0 for none. */
  readonly shadowShare: number | null;
  /** Name of the model that grades. */
  readonly shadowJudge: string | null;
  /** The most that trials and grades cost in a day, of whom this is said. */
  readonly shadowUsdPerDay: number | null;
  /** The description of a satisfactory answer. */
  readonly shadowRubric: string | null;
}

/** The configuration's part: it holds where nobody has said otherwise. */
export interface ControlDefaults {
  readonly mode: LearningMode;
  readonly unit?: DecisionUnit;
  /** Models that may answer in place of others; those of base's upstreams if absent. */
  readonly models?: ModelScope;
  readonly rewardPerPrice?: number;
  readonly explore?: Exploration | undefined;
  readonly shadow?: {
    readonly share: number;
    readonly judge?: string | undefined;
    readonly usdPerDay: number;
    readonly rubric?: string | undefined;
  };
}

/** The scope of settings: a workload, or with an empty model a whole project. */
export interface ControlRow extends ControlSettings {
  readonly key: WorkloadKey;
}

/** Nothing said. */
export const NO_SETTINGS: ControlSettings = {
  ...{ mode: null, hold: null, pinned: null },
  ...{ excluded: null, objective: null, rewardPerPrice: null, feedback: null, metrics: null, unit: null },
  ...{ shadowShare: null, shadowJudge: null, shadowUsdPerDay: null, shadowRubric: null },
};

/** No shadow trials. */
export const NO_SHADOW = { share: 0, usdPerDay: 0, budget: "" };

/**
 * Works out what holds for a workload: what is said of it goes before what is said of its project, and that before the
 * configuration.
 */
export function resolveControls(
  own: ControlSettings = NO_SETTINGS,
  ofProject: ControlSettings = NO_SETTINGS,
  defaults: ControlDefaults,
  key?: WorkloadKey,
): WorkloadControls {
  const { hold, pinned } = own.hold === null ? ofProject : own;
  const shadow = resolveShadow(own, ofProject, { defaults, key });
  const rewardPerPrice = own.rewardPerPrice ?? ofProject.rewardPerPrice ?? defaults.rewardPerPrice;
  const judge = hold === "pinned" && pinned === shadow.judge ? [] : judgeToExclude(shadow, defaults, key);
  return {
    mode: own.mode ?? ofProject.mode ?? defaults.mode,
    hold: hold === "frozen" ? { kind: hold } : hold === "pinned" ? { kind: hold, model: pinned ?? "" } : undefined,
    // Nobody may answer whom either excludes.
    excluded: [...new Set([...(ofProject.excluded ?? []), ...(own.excluded ?? []), ...judge])],
    objective: own.objective ?? ofProject.objective ?? "quality",
    ...(rewardPerPrice !== undefined && { rewardPerPrice }),
    feedback: own.feedback ?? ofProject.feedback ?? "voluntary",
    metrics: own.metrics ?? ofProject.metrics ?? [],
    unit: own.unit ?? ofProject.unit ?? defaults.unit ?? "session",
    ...(defaults.explore !== undefined && { explore: defaults.explore }),
    shadow,
  };
}

/** Nobody asked for a judge to answer, and it would grade itself: only a list of models that names it lets it. */
function judgeToExclude(
  { share, judge }: ShadowControls,
  { models = "upstream" }: ControlDefaults,
  key: WorkloadKey | undefined,
): readonly string[] {
  if (judge === undefined || share === 0 || judge === key?.model) return [];
  return typeof models !== "string" && models.includes(judge) ? [] : [judge];
}

/** The day's money is of whom it is said: of a workload, of all of a project that say nothing else, or of all. */
function resolveShadow(
  own: ControlSettings,
  ofProject: ControlSettings,
  { defaults, key }: { readonly defaults: ControlDefaults; readonly key?: WorkloadKey },
): ShadowControls {
  const { explore } = defaults;
  const shadow: NonNullable<ControlDefaults["shadow"]> = defaults.shadow ?? NO_SHADOW;
  const [judge, rubric] = [
    own.shadowJudge ?? ofProject.shadowJudge ?? shadow.judge,
    own.shadowRubric ?? ofProject.shadowRubric ?? shadow.rubric,
  ];
  const ofWhom = own.shadowUsdPerDay !== null ? key : ofProject.shadowUsdPerDay !== null ? key?.projectId : undefined;
  return {
    share: explore === "off" ? 0 : (own.shadowShare ?? ofProject.shadowShare ?? shadow.share),
    usdPerDay: own.shadowUsdPerDay ?? ofProject.shadowUsdPerDay ?? shadow.usdPerDay,
    budget: ofWhom === undefined ? "" : typeof ofWhom === "string" ? ofWhom : textOf(ofWhom),
    ...(judge !== undefined && { judge }),
    ...(rubric !== undefined && { rubric }),
  };
}

/** The own settings of a workload, and the resolved ones. */
export interface ControlOverrides {
  readonly own: ControlSettings;
  readonly ofProject: ControlSettings;
  readonly resolved: WorkloadControls;
}

/** Finds what is said of a workload among the rows of its project; `defaults` hold where nobody has said otherwise. */
export function controlsIn(
  rows: readonly ControlRow[],
  { projectId, model }: WorkloadKey,
  defaults: ControlDefaults,
): ControlOverrides {
  const settingsOf = (whom: string): ControlSettings => {
    const row = rows.find(({ key }) => key.projectId === projectId && key.model === whom);
    if (row === undefined) return NO_SETTINGS;
    const { key: _, ...settings } = row;
    return settings;
  };
  const [own, ofProject] = [settingsOf(model), settingsOf("")];
  return { own, ofProject, resolved: resolveControls(own, ofProject, defaults, { projectId, model }) };
}

/** All settings of a database, as a process knows them. */
export class ControlTable {
  readonly #defaults: ControlDefaults;
  #rows: ReadonlyMap<string, ControlSettings> = new Map();
  #resolved = new Map<string, WorkloadControls>();
  #text = "";

  #mostShadow: number;

  /** `defaults` hold where nobody has said otherwise. */
  constructor(defaults: ControlDefaults) {
    this.#defaults = defaults;
    this.#mostShadow = defaults.shadow?.share ?? 0;
  }

  /** Returns the largest share of shadow trials that any workload can have. */
  get mostShadow(): number {
    return this.#mostShadow;
  }

  /** Takes on what the database has. */
  replace(rows: readonly ControlRow[]): void {
    const text = JSON.stringify(rows);
    if (text === this.#text) return;
    this.#text = text;
    this.#rows = new Map(rows.map(({ key, ...settings }) => [textOf(key), settings]));
    this.#resolved = new Map();
    const shares = rows.map(({ shadowShare }) => shadowShare ?? 0);
    this.#mostShadow = shares.reduce((most, share) => Math.max(most, share), this.#defaults.shadow?.share ?? 0);
  }

  /** Returns the resolved settings of a workload; the same object as long as none changes. */
  of(key: WorkloadKey): WorkloadControls {
    const text = textOf(key);
    const known = this.#resolved.get(text);
    if (known !== undefined) return known;
    if (this.#resolved.size >= MOST_RESOLVED) this.#resolved.clear();
    const ofProject = this.#rows.get(textOf({ ...key, model: "" }));
    const resolved = resolveControls(this.#rows.get(text), ofProject, this.#defaults, key);
    this.#resolved.set(text, resolved);
    return resolved;
  }
}

const MOST_RESOLVED = 10_000;

function textOf({ projectId, model }: WorkloadKey): string {
  return `${projectId}/${model}`;
}
