import type { InferEntity } from "@mikro-orm/core";
import type { RetentionMark } from "../entities/retention-mark.ts";
import type { Store } from "../types/store.ts";
import type { Expired } from "./count-rows.ts";
import type { BelievedTime } from "./retention-clock.ts";
import { KINDS_OF_DATA, RETENTION_KINDS, type RetentionKind } from "./retention-kind.ts";

/** The retention of data; undefined keeps it for ever. */
export interface RetentionSettings {
  readonly inferencesDays?: number | undefined;
  readonly bodiesDays?: number | undefined;
  readonly feedbackDays?: number | undefined;
  /** Figures by the hour; those by the day stay. */
  readonly hoursDays?: number | undefined;
  readonly figuresDays?: number | undefined;
  readonly auditDays?: number | undefined;
  /** The most that one run deletes of a kind without confirmation, in percent; 25 if absent. */
  readonly confirmAbovePercent?: number | undefined;
}

/** A deletion that waits for an operator. */
export interface Held {
  readonly kind: RetentionKind;
  /** The time before which data waits for confirmation. */
  readonly before: Date;
  /** Rows that wait; of figures the hours that they reach over. */
  readonly expired: number;
  /** Part of all there is, in percent. */
  readonly percent: number;
  /** Because it is that much, or because the clock may be wrong. */
  readonly reason: "share" | "clock";
}

/** The plan for one kind of data. */
export interface KindPlan {
  readonly kind: RetentionKind;
  readonly retentionDays: number;
  /** The time before which data is expired. */
  readonly expiredBefore: Date;
  /** The time before which data is deleted now; undefined deletes nothing, and leaves no mark. */
  readonly deleteBefore: Date | undefined;
  readonly held: Held | undefined;
}

type Mark = InferEntity<typeof RetentionMark>;

const DAY_MS = 86_400_000;
const CONFIRM_ABOVE_PERCENT = 25;
/**
 * The time by which a run may go beyond the one before it, whatever part of the rows that is: a weekend without the
 * service.
 */
const MOST_AHEAD_MS = 2 * DAY_MS;

/**
 * Returns for how many days each kind is kept. A body is of no use without its inference, nor an hour without its day.
 */
function getDays(settings: RetentionSettings): Record<RetentionKind, number | undefined> {
  return {
    bodies: smaller(settings.bodiesDays, settings.inferencesDays),
    inferences: settings.inferencesDays,
    feedback: settings.feedbackDays,
    hours: smaller(settings.hoursDays, settings.figuresDays),
    figures: settings.figuresDays,
    audit: settings.auditDays,
  };
}

/**
 * Finds out what may be deleted. What a run of yesterday would not have deleted, had it run, is little; anything beyond
 * a share of what there is, or by a clock that is doubted, waits for an operator.
 */
export async function planRetention(
  store: Store,
  settings: RetentionSettings,
  time: BelievedTime,
): Promise<readonly KindPlan[]> {
  const marks = await store.query().selectFrom("RetentionMark").selectAll().execute();
  const plans: KindPlan[] = [];
  for (const kind of RETENTION_KINDS) {
    const retentionDays = getDays(settings)[kind];
    if (retentionDays === undefined) continue;
    const mark = marks.find((other) => other.kind === kind);
    const mostPercent = settings.confirmAbovePercent ?? CONFIRM_ABOVE_PERCENT;
    plans.push(await planKind(store, { kind, retentionDays, mark, time, mostPercent }));
  }
  const inferences = plans.find(({ kind }) => kind === "inferences")?.deleteBefore;
  return plans.map((plan) => (plan.kind === "bodies" ? withInferences(plan, inferences) : plan));
}

interface Question {
  readonly kind: RetentionKind;
  readonly retentionDays: number;
  readonly mark: Mark | undefined;
  readonly time: BelievedTime;
  readonly mostPercent: number;
}

async function planKind(store: Store, question: Question): Promise<KindPlan> {
  const { kind, retentionDays, mark, time } = question;
  const expiredBefore = daysBefore(time.now, retentionDays);
  const plan = { kind, retentionDays, expiredBefore, held: undefined };
  const verdict = await judge(store, question, expiredBefore);
  if (verdict === "routine") return { ...plan, deleteBefore: expiredBefore };
  if (verdict === "nothing") return { ...plan, deleteBefore: undefined };
  // What was agreed on before goes on meanwhile: a longer time from before it was shortened, or what an operator
  // confirmed.
  const others = [
    ...(mark !== undefined && mark.retentionDays > retentionDays ? [daysBefore(time.now, mark.retentionDays)] : []),
    ...(mark?.confirmedBefore ? [mark.confirmedBefore] : []),
  ].sort((a, b) => b.getTime() - a.getTime());
  for (const before of others) {
    if ((await judge(store, question, before)) === "routine") return { ...plan, deleteBefore: before, held: verdict };
  }
  return { ...plan, deleteBefore: undefined, held: verdict };
}

async function judge(store: Store, question: Question, before: Date): Promise<"routine" | "nothing" | Held> {
  const { kind, retentionDays, mark, time, mostPercent } = question;
  if (mark !== undefined && isNear(before, mark, retentionDays)) return "routine";
  const data = KINDS_OF_DATA[kind];
  const cut = data.cutAt(store, before);
  const { expired, total }: Expired = await data.count(store, cut, time.now);
  if (expired === 0) return time.isDoubted ? "nothing" : "routine";
  const percent = (expired / total) * 100;
  if (!time.isDoubted && percent <= mostPercent) return "routine";
  return { kind, before, expired, percent, reason: time.isDoubted ? "clock" : "share" };
}

/**
 * Returns whether an operator confirmed it, or it is not far beyond that or beyond what the run before this one
 * deleted: no more than a quarter of the time goes at once, nor more than two days.
 */
function isNear(before: Date, { deletedBefore, confirmedBefore }: Mark, retentionDays: number): boolean {
  const most = Math.min((retentionDays * DAY_MS) / 4, MOST_AHEAD_MS);
  const isNearTo = (time: Date) => Math.abs(before.getTime() - time.getTime()) <= most;
  return (
    isNearTo(deletedBefore) || (confirmedBefore != null && (before <= confirmedBefore || isNearTo(confirmedBefore)))
  );
}

function withInferences(bodies: KindPlan, inferences: Date | undefined): KindPlan {
  if (inferences === undefined || (bodies.deleteBefore !== undefined && bodies.deleteBefore >= inferences))
    return bodies;
  return { ...bodies, deleteBefore: inferences };
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
