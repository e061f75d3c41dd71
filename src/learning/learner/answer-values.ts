import type { FeedbackEvent } from "../events.ts";
import type { StoredValue } from "../ports.ts";
import type { Copies } from "./copies.ts";
import { directionOf, type Worth, weigh } from "./metric-settings.ts";
import type { WorkloadMemory } from "./workload-model.ts";

/** The stored values beside those that are learned. */
export interface AnswerValues {
  /** The values of the answers, the earliest first, those that are learned among them. By the id of the inference. */
  readonly values?: ReadonlyMap<string, readonly StoredValue[]>;
  readonly copies?: Copies;
}

/** Returns when it is known which of the values of an answer are copies; 0 where it is known now. */
export function openUntilMs(group: readonly FeedbackEvent[], context: AnswerValues): number {
  const known = context.copies?.openUntilMs;
  if (known === undefined || known.size === 0) return 0;
  const values = [...group, ...earlierValues(group, context)];
  return values.reduce((latest, { id }) => Math.max(latest, known.get(id) ?? 0), 0);
}

/**
 * Returns the values of an answer before those of a group: the first of each name, and of those on its session the
 * latest.
 */
export function earlierValues(group: readonly FeedbackEvent[], { values }: AnswerValues): readonly StoredValue[] {
  const [first] = group;
  if (first === undefined || first.attempt !== null) return [];
  const begin = group.reduce((least, { id }) => (id < least ? id : least), first.id);
  const byName = new Map<string, StoredValue>();
  for (const value of values?.get(first.inferenceId) ?? []) {
    const key = nameOf(value);
    if (value.id < begin && (value.isOnSession === true || !byName.has(key))) byName.set(key, value);
  }
  return [...byName.values()];
}

/** Returns what tells the values of an answer apart: what is said of its session is beside what is said of itself. */
export function nameOf({ name, isOnSession = false }: Pick<FeedbackEvent, "name" | "isOnSession">): string {
  return `${isOnSession} ${name}`;
}

/** Returns whether a value on a session replaces an earlier one. */
export function isReplacing({ isOnSession, name }: FeedbackEvent, earlier: readonly StoredValue[]): boolean {
  return isOnSession === true && earlier.some((value) => value.isOnSession === true && value.name === name);
}

/** Returns the names of a group whose earlier values it replaces: those on a session. */
export function replacedNames(group: readonly FeedbackEvent[]): ReadonlySet<string> {
  return new Set(group.filter(({ isOnSession }) => isOnSession === true).map(nameOf));
}

/** Returns what the values are worth that an answer's reward was learned from so far, but for some names. */
export function earlierWorths(
  group: readonly FeedbackEvent[],
  context: AnswerValues,
  { metrics, rules }: Pick<WorkloadMemory, "metrics" | "rules">,
  without: ReadonlySet<string> = new Set(),
): Worth[] {
  return earlierValues(group, context).flatMap((entry): Worth[] => {
    const { id, name, value } = entry;
    if (context.copies?.copies.has(id) === true || without.has(nameOf(entry))) return [];
    const worth = metrics.worthAgain(name, value, directionOf(entry, rules));
    return worth === undefined ? [] : [weigh(worth, entry, rules)];
  });
}

/** Returns what a value is worth beside the earlier ones of its metric; undefined where that is not known. */
export function worthOf(
  entry: FeedbackEvent,
  { metrics, rules }: Pick<WorkloadMemory, "metrics" | "rules">,
): number | undefined {
  return metrics.worthOf(entry.name, entry.value, directionOf(entry, rules));
}
