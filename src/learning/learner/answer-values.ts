import type { FeedbackEvent } from "../events.ts";
import type { RatedCall, StoredValue } from "../ports.ts";
import type { Copies } from "./copies.ts";
import { findDirection } from "./metric-settings.ts";
import type { WorkloadModel } from "./workload-model.ts";

/** The stored values beside those that are learned. */
interface AnswerValues {
  /** The values of the answers, the earliest first, those that are learned among them. By the id of the inference. */
  readonly values?: ReadonlyMap<string, readonly StoredValue[]>;
  readonly copies?: Copies;
  /** The calls of a session that feedback as a whole is on, the oldest first. By the id of each inference in it. */
  readonly judged?: ReadonlyMap<string, readonly RatedCall[]>;
}

/** Values under so many names make the reward of an answer: what comes under others later changes nothing. */
export const MOST_VALUES = 100;

/** The context in which rewards are learned. */
export interface RewardContext extends AnswerValues {
  /** Undefined where nothing is learned of a workload any more. */
  memoryOf(projectId: string, model: string): WorkloadModel | undefined;
  /** Told of each reward, once it is learned. */
  readonly onReward?: (reward: number, inferenceId: string) => void;
}

/** Returns when it is known which of the values of an answer are copies; 0 where it is known now. */
export function openUntilMs(group: readonly FeedbackEvent[], context: AnswerValues): number {
  const known = context.copies?.openUntilMs;
  if (known === undefined || known.size === 0) return 0;
  const values = [...group, ...earlierValues(group, context), ...earlierInSession(group, context)];
  return values.reduce((latest, { id }) => Math.max(latest, known.get(id) ?? 0), 0);
}

/**
 * Returns the values of an answer before those of a group: the first of each name, and of those on its session the
 * latest.
 */
export function earlierValues(group: readonly FeedbackEvent[], context: AnswerValues): readonly StoredValue[] {
  const byName = new Map<string, StoredValue>();
  for (const value of listEarlier(group, context)) {
    const key = nameValue(value);
    if (value.isOnSession === true || !byName.has(key)) byName.set(key, value);
  }
  return [...byName.values()];
}

/** Returns all values of an answer before those of a group. */
export function listEarlier(group: readonly FeedbackEvent[], { values }: AnswerValues): readonly StoredValue[] {
  const [first] = group;
  if (first === undefined || first.attempt !== null) return [];
  return values?.get(first.inferenceId)?.filter(isBeside(group)) ?? [];
}

/** Returns the values of the calls of a judged session before those of a group; none where it is in no such session. */
export function earlierInSession(
  group: readonly FeedbackEvent[],
  { values, judged }: AnswerValues,
): readonly StoredValue[] {
  const [first] = group;
  if (first === undefined || first.attempt !== null) return [];
  const calls = judged?.get(first.inferenceId) ?? [];
  return calls.flatMap(({ id }) => values?.get(id) ?? []).filter(isBeside(group));
}

/** Tells the values that a group comes after; where it is taken back, those that stay. */
function isBeside(group: readonly FeedbackEvent[]): (value: StoredValue) => boolean {
  if (group[0]?.isTakenBack === true) {
    const gone = new Set(group.map(({ id }) => id));
    return ({ id }) => !gone.has(id);
  }
  const begin = group.reduce((least, { id }) => (id < least ? id : least), group[0]?.id ?? "");
  return ({ id }) => id < begin;
}

/** Returns what tells the values of an answer apart: what is said of its session is beside what is said of itself. */
export function nameValue({ name, isOnSession = false }: Pick<FeedbackEvent, "name" | "isOnSession">): string {
  return `${isOnSession} ${name}`;
}

/** Returns whether a value on a session replaces an earlier one. */
export function isReplacing({ isOnSession, name }: FeedbackEvent, earlier: readonly StoredValue[]): boolean {
  return isOnSession === true && earlier.some((value) => value.isOnSession === true && value.name === name);
}

/**
 * Returns what a value is worth beside the earlier ones of its metric, and counts it as a vote of a weight on an answer of base or of another; undefined
 * where that is not known.
 */
export function weighValue(
  entry: FeedbackEvent,
  { metrics, rules }: Pick<WorkloadModel, "metrics" | "rules">,
  vote: { readonly weight: number; readonly isBase: boolean },
): number | undefined {
  const { name, value } = entry;
  return metrics.worthOf({ name, value, direction: findDirection(entry, rules), ...vote });
}
