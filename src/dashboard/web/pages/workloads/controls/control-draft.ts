import { writeUsd } from "../../../../../hub/money.ts";
import type { ControlChanges, WorkloadDetails } from "../types.ts";
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
  readonly objective: "" | NonNullable<OwnSettings["objective"]>;
  /** A number as it is typed, as those below. */
  readonly rewardPerPrice: string;
  readonly feedback: "" | NonNullable<OwnSettings["feedback"]>;
  readonly unit: "" | NonNullable<OwnSettings["unit"]>;
  readonly shadowShare: string;
  readonly shadowJudge: string;
  readonly shadowUsdPerDay: string;
  readonly shadowRubric: string;
}

/** The fields of one value each, with their words where two people change one. */
const PLAIN = {
  mode: "what feedback may change",
  objective: "the objective",
  rewardPerPrice: "the reward per price",
  feedback: "who gives feedback",
  unit: "what is decided at once",
  shadowShare: "the share of trials",
  shadowJudge: "the judge",
  shadowUsdPerDay: "the money of a day",
  shadowRubric: "the rubric",
} as const satisfies Partial<Record<keyof ControlDraft, string>>;

type PlainField = keyof typeof PLAIN;
const NUMBERS: ReadonlySet<PlainField> = new Set(["rewardPerPrice", "shadowShare", "shadowUsdPerDay"]);
const PLAIN_FIELDS = Object.keys(PLAIN) as readonly PlainField[];

/** Begins a form with what is said. */
export function toDraft(own: OwnSettings): ControlDraft {
  const { mode, hold, pinned, excluded, metrics, objective, feedback, unit } = own;
  const { rewardPerPrice, shadowShare, shadowJudge, shadowUsdPerDay, shadowRubric } = own;
  return {
    ...{ mode: mode ?? "", hold: hold ?? "", pinned, excluded: excluded ?? [] },
    metrics: (metrics ?? []).map(toMetricDraft),
    ...{ objective: objective ?? "", feedback: feedback ?? "", unit: unit ?? "" },
    rewardPerPrice: rewardPerPrice?.toString() ?? "",
    ...{
      shadowShare: shadowShare?.toString() ?? "",
      shadowUsdPerDay: shadowUsdPerDay == null ? "" : writeUsd(shadowUsdPerDay),
    },
    ...{ shadowJudge: shadowJudge ?? "", shadowRubric: shadowRubric ?? "" },
  };
}

/** Why a form cannot be sent; undefined if it can. */
export function draftProblem(draft: ControlDraft): string | undefined {
  const { hold, pinned, metrics, rewardPerPrice, shadowShare, shadowUsdPerDay } = draft;
  if (hold === "pinned" && pinned === null) return "Choose the model that it is pinned to";
  if (!isWithin(rewardPerPrice, 1)) return "The reward per price must be a number from 0 to 1, such as 0.005";
  if (!isWithin(shadowShare, 1)) return "The share of trials must be a number from 0 to 1, such as 0.1";
  if (!isWithin(shadowUsdPerDay, MOST_USD)) return "The money of a day must be an amount in USD, such as 5";
  for (const metric of metrics) {
    const problem = metricDraftProblem(metric);
    if (problem !== undefined) return `${metric.name}: ${problem}`;
  }
  return undefined;
}

const MOST_USD = 1_000_000;

function isWithin(typed: string, most: number): boolean {
  const number = Number(typed);
  return Number.isFinite(number) && number >= 0 && number <= most;
}

/** Returns the plain values that were changed; an empty one inherits. */
function plainChanges(draft: ControlDraft, before: ControlDraft): ControlChanges {
  const changed = PLAIN_FIELDS.filter((field) => draft[field].trim() !== before[field]);
  return Object.fromEntries(
    changed.map((field) => {
      const said = draft[field].trim();
      return [field, said === "" ? null : NUMBERS.has(field) ? Number(said) : said];
    }),
  );
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
    PLAIN_FIELDS.map((field) => [field, merge((of) => of[field], Object.is, PLAIN[field])]),
    // Each field has a value of its own kind.
  ) as Pick<ControlDraft, PlainField>;
  const held = merge(({ hold, pinned }) => ({ hold, pinned }), isSameHold, "who answers");
  const excluded = merge(({ excluded }) => excluded, isSameList, "who is excluded");
  const metrics = namesIn(draft, before, now).flatMap(
    (name) => merge((of) => metricOf(of, name), isSameMetric, name) ?? [],
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
