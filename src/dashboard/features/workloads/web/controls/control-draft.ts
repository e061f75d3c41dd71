import {
  CONTROL_FIELDS,
  CONTROL_NAMES,
  type ControlSettings,
  type ControlsOfKind,
  type ControlValue,
  controlField,
} from "../../../../../vocabulary/control-fields.ts";
import { writeUsd } from "../../../../../vocabulary/money.ts";
import type { ControlChanges } from "../types.ts";
import { isSameMetric, type MetricDraft, metricDraftProblem, toMetricDraft, toMetricSettings } from "./metric-draft.ts";

/** The settings of a workload, or of a whole project. */
export type OwnSettings = ControlSettings;

/** The settings of one value each, whose fields derive from their rows. */
export type PlainField = Exclude<ControlsOfKind<"choice" | "number" | "text" | "model">, "hold" | "pinned">;

/** The values of the form: a word of a choice, other values as they are typed; "" inherits. */
export type ControlDraft = {
  readonly [Name in PlainField]: Name extends ControlsOfKind<"choice"> ? "" | ControlValue<Name> : string;
} & {
  readonly hold: "" | ControlValue<"hold">;
  readonly pinned: string | null;
  readonly excluded: readonly string[];
  /** Each once. */
  readonly metrics: readonly MetricDraft[];
};

/** The names of the settings of one value each. */
export const PLAIN_FIELDS = CONTROL_NAMES.filter((name): name is PlainField => {
  const { kind } = CONTROL_FIELDS[name];
  return kind !== "models" && kind !== "metrics" && name !== "hold" && name !== "pinned";
});

/** Begins a form with what is said. */
export function toDraft(own: OwnSettings): ControlDraft {
  const { hold, pinned, excluded, metrics } = own;
  // Each has the value of its row.
  const plain = Object.fromEntries(PLAIN_FIELDS.map((name) => [name, typed(name, own[name])])) as Pick<
    ControlDraft,
    PlainField
  >;
  return { ...plain, hold: hold ?? "", pinned, excluded: excluded ?? [], metrics: (metrics ?? []).map(toMetricDraft) };
}

function typed(name: PlainField, value: string | number | null): string {
  const field = controlField(name);
  if (typeof value === "number")
    return field.kind === "number" && field.unit === "usd" ? writeUsd(value) : String(value);
  return value ?? "";
}

/** Why a form cannot be sent; undefined if it can. */
export function draftProblem(draft: ControlDraft): string | undefined {
  const { hold, pinned, metrics } = draft;
  if (hold === "pinned" && pinned === null) return "Choose the model that it is pinned to";
  for (const name of PLAIN_FIELDS) {
    const field = controlField(name);
    if (field.kind !== "number" || isWithin(draft[name], field.most)) continue;
    const noun = field.unit === "usd" ? "an amount in USD" : "a number";
    return `The ${field.noun} must be ${noun} from 0 to ${field.most}, such as ${field.example}`;
  }
  for (const metric of metrics) {
    const problem = metricDraftProblem(metric);
    if (problem !== undefined) return `${metric.name}: ${problem}`;
  }
  return undefined;
}

function isWithin(typed: string, most: number): boolean {
  const number = Number(typed);
  return Number.isFinite(number) && number >= 0 && number <= most;
}

/** Returns the plain values that were changed; an empty one inherits. */
function plainChanges(draft: ControlDraft, before: ControlDraft): ControlChanges {
  const changed = PLAIN_FIELDS.filter((field) => draft[field].trim() !== before[field]);
  return Object.fromEntries(
    changed.map((field) => {
      const text = draft[field].trim();
      return [field, text === "" ? null : CONTROL_FIELDS[field].kind === "number" ? Number(text) : text];
    }),
  );
}

/**
 * Returns the changed values of a form. Only these are sent, so that two people who change different things keep both.
 */
export function readChanges(draft: ControlDraft, own: OwnSettings): ControlChanges {
  const before = toDraft(own);
  const pinned = draft.hold === "pinned" ? draft.pinned : null;
  const isHeldOtherwise = draft.hold !== before.hold || (draft.hold === "pinned" && pinned !== before.pinned);
  const metrics = namesIn(draft, before)
    .filter((name) => !isSameMetric(findMetric(draft, name), findMetric(before, name)))
    .map((name) => toSentSettings(findMetric(draft, name), name));
  return {
    ...plainChanges(draft, before),
    ...(isHeldOtherwise && { hold: draft.hold === "" ? null : draft.hold, pinned }),
    ...(!isSameList(draft.excluded, before.excluded) && {
      excluded: draft.excluded.length === 0 ? null : [...draft.excluded],
    }),
    ...(metrics.length > 0 && { metrics }),
  };
}

/** A form that others have said something under. */
interface Rebased {
  readonly draft: ControlDraft;
  /** The values that others have changed meanwhile, in words. */
  readonly clashes: readonly string[];
}

/**
 * Puts what was changed in a form, and is not saved, onto what is said by now; `before` is what the form began with.
 */
export function rebase(draft: ControlDraft, before: ControlDraft, now: ControlDraft): Rebased {
  const clashes: string[] = [];
  /** Takes the current value of a field that was not changed here. */
  const merge = <Value>(pick: (draft: ControlDraft) => Value, isSame: IsSame<Value>, label: string): Value => {
    const [mine, old, theirs] = [pick(draft), pick(before), pick(now)];
    if (isSame(mine, old)) return theirs;
    if (!isSame(theirs, old) && !isSame(theirs, mine)) clashes.push(label);
    return mine;
  };
  const plain = Object.fromEntries(
    PLAIN_FIELDS.map((field) => [field, merge((of) => of[field], Object.is, `the ${CONTROL_FIELDS[field].noun}`)]),
    // Each field has a value of its own kind.
  ) as Pick<ControlDraft, PlainField>;
  const held = merge(({ hold, pinned }) => ({ hold, pinned }), isSameHold, `the ${CONTROL_FIELDS.hold.noun}`);
  const excluded = merge(({ excluded }) => excluded, isSameList, `the ${CONTROL_FIELDS.excluded.noun}`);
  const metrics = namesIn(draft, before, now).flatMap(
    (name) => merge((of) => findMetric(of, name), isSameMetric, name) ?? [],
  );
  return { draft: { ...plain, ...held, excluded, metrics }, clashes };
}

type IsSame<Value> = (one: Value, other: Value) => boolean;
type Held = Pick<ControlDraft, "hold" | "pinned">;

function isSameHold(one: Held, other: Held): boolean {
  return one.hold === other.hold && (one.hold !== "pinned" || one.pinned === other.pinned);
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return [...one].sort().join("\n") === [...other].sort().join("\n");
}

function findMetric({ metrics }: ControlDraft, name: string): MetricDraft | undefined {
  return metrics.find((metric) => metric.name === name);
}

function namesIn(...drafts: readonly ControlDraft[]): string[] {
  return [...new Set(drafts.flatMap(({ metrics }) => metrics.map(({ name }) => name)))];
}

/** Returns the settings of a metric to send; a name alone takes its settings back. */
function toSentSettings(draft: MetricDraft | undefined, name: string) {
  return draft === undefined ? { name } : toMetricSettings(draft);
}
