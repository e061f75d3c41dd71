import type { ControlChanges, WorkloadDetails } from "../use-workloads.ts";
import { isSameMetric, type MetricDraft, metricDraftProblem, toMetricDraft, toMetricSettings } from "./metric-draft.ts";

/** The settings of a workload, or of a whole project. */
export type OwnSettings = WorkloadDetails["own"];

/** The values of the form; "" inherits. */
export interface ControlDraft {
  readonly mode: "" | "off" | "observe" | "on";
  readonly hold: "" | "free" | "frozen" | "pinned";
  readonly pinned: string | null;
  readonly excluded: readonly string[];
  /** Each once. */
  readonly metrics: readonly MetricDraft[];
}

/** Begins a form with what is said. */
export function toDraft({ mode, hold, pinned, excluded, metrics }: OwnSettings): ControlDraft {
  return {
    ...{ mode: mode ?? "", hold: hold ?? "", pinned, excluded: excluded ?? [] },
    metrics: (metrics ?? []).map(toMetricDraft),
  };
}

/** Why a form cannot be sent; undefined if it can. */
export function draftProblem({ hold, pinned, metrics }: ControlDraft): string | undefined {
  if (hold === "pinned" && pinned === null) return "Choose the model that it is pinned to";
  for (const metric of metrics) {
    const problem = metricDraftProblem(metric);
    if (problem !== undefined) return `${metric.name}: ${problem}`;
  }
  return undefined;
}

/**
 * Returns the changed values of a form. Only these are sent, so that two people who change different things keep both.
 */
export function changesOf(draft: ControlDraft, own: OwnSettings): ControlChanges {
  const before = toDraft(own);
  const pinned = draft.hold === "pinned" ? draft.pinned : null;
  const isHeldOtherwise = draft.hold !== before.hold || (draft.hold === "pinned" && pinned !== before.pinned);
  const metrics = namesIn(draft, before)
    .filter((name) => !isSameMetric(metricOf(draft, name), metricOf(before, name)))
    .map((name) => toSaid(metricOf(draft, name), name));
  return {
    ...(draft.mode !== before.mode && { mode: draft.mode === "" ? null : draft.mode }),
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
  const mode = merge(({ mode }) => mode, Object.is, "what feedback may change");
  const held = merge(({ hold, pinned }) => ({ hold, pinned }), isSameHold, "who answers");
  const excluded = merge(({ excluded }) => excluded, isSameList, "who is excluded");
  const metrics = namesIn(draft, before, now).flatMap(
    (name) => merge((of) => metricOf(of, name), isSameMetric, name) ?? [],
  );
  return { draft: { mode, ...held, excluded, metrics }, clashes };
}

type IsSame<Value> = (one: Value, other: Value) => boolean;
type Held = Pick<ControlDraft, "hold" | "pinned">;

function isSameHold(one: Held, other: Held): boolean {
  return one.hold === other.hold && (one.hold !== "pinned" || one.pinned === other.pinned);
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return [...one].sort().join("\n") === [...other].sort().join("\n");
}

function metricOf({ metrics }: ControlDraft, name: string): MetricDraft | undefined {
  return metrics.find((metric) => metric.name === name);
}

function namesIn(...drafts: readonly ControlDraft[]): string[] {
  return [...new Set(drafts.flatMap(({ metrics }) => metrics.map(({ name }) => name)))];
}

/** Returns the settings of a metric to send; a name alone takes its settings back. */
function toSaid(draft: MetricDraft | undefined, name: string) {
  return draft === undefined ? { name } : toMetricSettings(draft);
}
