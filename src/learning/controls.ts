import {
  CONTROL_FIELDS,
  CONTROL_NAMES,
  type ConfiguredName,
  type ControlName,
  type ControlSettings,
  type ControlValue,
  controlField,
  getMember,
  type MemberOf,
  NO_CONTROLS,
  type PlainControls,
  type ShadowName,
} from "../vocabulary/control-fields.ts";
import type { ModelScope } from "./alternatives.ts";
import type { Exploration, ShadowControls, WorkloadControls, WorkloadKey } from "./workload.ts";

type ConfiguredPlain = Exclude<ConfiguredName, ShadowName>;
type ConfiguredShadow = Extract<ConfiguredName, ShadowName>;

/** The shadow trials of the configuration. */
type ShadowDefaults = {
  readonly [Name in ConfiguredShadow as ControlValue<Name> extends number ? MemberOf<Name> : never]: ControlValue<Name>;
} & {
  readonly [Name in ConfiguredShadow as ControlValue<Name> extends number ? never : MemberOf<Name>]?:
    | ControlValue<Name>
    | undefined;
};

/** The configuration's part: it holds where nobody has said otherwise. */
export type ControlDefaults = Pick<WorkloadControls, "mode"> & {
  readonly [Name in Exclude<ConfiguredPlain, "mode">]?: ControlValue<Name> | undefined;
} & {
  /** Models that may answer in place of others; those of base's upstreams if absent. */
  readonly models?: ModelScope;
  readonly explore?: Exploration | undefined;
  readonly shadow?: ShadowDefaults;
};

/** The scope of settings: a workload, or with an empty model a whole project. */
export interface ControlRow extends ControlSettings {
  readonly key: WorkloadKey;
}

/** No shadow trials. */
export const NO_SHADOW = { share: 0, usdPerDay: 0, budget: "" } as const;

/**
 * Works out what holds for a workload: what is said of it goes before what is said of its project, and that before the
 * configuration.
 */
export function resolveControls(
  own: ControlSettings = NO_CONTROLS,
  ofProject: ControlSettings = NO_CONTROLS,
  defaults: ControlDefaults,
  key?: WorkloadKey,
): WorkloadControls {
  const { hold, pinned } = own.hold === null ? ofProject : own;
  const readValue = (name: ControlName): unknown => own[name] ?? ofProject[name] ?? getDefault(name, defaults);
  const shadow = resolveShadow(own, ofProject, { defaults, key, readValue });
  const judges = judgesToExclude(shadow, defaults, key).filter((name) => hold !== "pinned" || pinned !== name);
  return {
    // Each has the value of its row.
    ...(getValues(PLAIN_NAMES, readValue) as unknown as PlainControls),
    hold: hold === "frozen" ? { kind: hold } : hold === "pinned" ? { kind: hold, model: pinned ?? "" } : undefined,
    // Nobody may answer whom either excludes.
    excluded: [...new Set([...(ofProject.excluded ?? []), ...(own.excluded ?? []), ...judges])],
    metrics: own.metrics ?? ofProject.metrics ?? [],
    ...(defaults.explore !== undefined && { explore: defaults.explore }),
    shadow,
  };
}

const PLAIN_KINDS: readonly string[] = ["choice", "number", "text", "model"];
const SHADOW_NAMES = CONTROL_NAMES.filter(isOfShadow);
const PLAIN_NAMES = CONTROL_NAMES.filter((name) => {
  return PLAIN_KINDS.includes(CONTROL_FIELDS[name].kind) && !isOfShadow(name) && name !== "hold" && name !== "pinned";
});

function isOfShadow(name: ControlName): name is ShadowName {
  return CONTROL_FIELDS[name].path.startsWith("shadow.");
}

/** Returns the values of settings by their members; a setting without a value is absent. */
function getValues(names: readonly ControlName[], readValue: (name: ControlName) => unknown): Record<string, unknown> {
  const values = names.map((name) => [getMember(name), readValue(name)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** Returns the value of the configuration, or else of the row. */
function getDefault(name: ControlName, defaults: ControlDefaults): unknown {
  const group: Readonly<Record<string, unknown>> = isOfShadow(name) ? (defaults.shadow ?? NO_SHADOW) : { ...defaults };
  const field = controlField(name);
  return group[getMember(name)] ?? (field.kind === "choice" ? field.default : undefined);
}

/** Nobody asked for a judge to answer, and it would grade itself: only a list of models that names it lets it. */
function judgesToExclude(
  { judge, secondJudge }: ShadowControls,
  { models = "upstream" }: ControlDefaults,
  key: WorkloadKey | undefined,
): readonly string[] {
  // A second judge grades nothing without a first one.
  const judges = judge === undefined ? [] : [judge, ...(secondJudge === undefined ? [] : [secondJudge])];
  return judges.filter((name) => name !== key?.model && (typeof models === "string" || !models.includes(name)));
}

/** The day's money is of whom it is said: of a workload, of all of a project that say nothing else, or of all. */
function resolveShadow(
  own: ControlSettings,
  ofProject: ControlSettings,
  context: {
    readonly defaults: ControlDefaults;
    readonly key: WorkloadKey | undefined;
    readonly readValue: (name: ControlName) => unknown;
  },
): ShadowControls {
  const { defaults, key, readValue } = context;
  const ofWhom = own.shadowUsdPerDay !== null ? key : ofProject.shadowUsdPerDay !== null ? key?.projectId : undefined;
  return {
    // Each has the value of its row.
    ...(getValues(SHADOW_NAMES, readValue) as unknown as ShadowControls),
    ...(defaults.explore === "off" && { share: 0 }),
    budget: ofWhom === undefined ? "" : typeof ofWhom === "string" ? ofWhom : getText(ofWhom),
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
    if (row === undefined) return NO_CONTROLS;
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
    this.#rows = new Map(rows.map(({ key, ...settings }) => [getText(key), settings]));
    this.#resolved = new Map();
    const shares = rows.map(({ shadowShare }) => shadowShare ?? 0);
    this.#mostShadow = shares.reduce((most, share) => Math.max(most, share), this.#defaults.shadow?.share ?? 0);
  }

  /** Returns the resolved settings of a workload; the same object as long as none changes. */
  of(key: WorkloadKey): WorkloadControls {
    const text = getText(key);
    const known = this.#resolved.get(text);
    if (known !== undefined) return known;
    if (this.#resolved.size >= MOST_RESOLVED) this.#resolved.clear();
    const ofProject = this.#rows.get(getText({ ...key, model: "" }));
    const resolved = resolveControls(this.#rows.get(text), ofProject, this.#defaults, key);
    this.#resolved.set(text, resolved);
    return resolved;
  }
}

const MOST_RESOLVED = 10_000;

function getText({ projectId, model }: WorkloadKey): string {
  return `${projectId}/${model}`;
}
