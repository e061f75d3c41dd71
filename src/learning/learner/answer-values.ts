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

/** Returns the values of an answer before those of a group, the first of each name. */
export function earlierValues(group: readonly FeedbackEvent[], { values }: AnswerValues): readonly StoredValue[] {
  const [first] = group;
  if (first === undefined || first.attempt !== null) return [];
  const begin = group.reduce((least, { id }) => (id < least ? id : least), first.id);
  const byName = new Map<string, StoredValue>();
  for (const value of values?.get(first.inferenceId) ?? []) {
    if (value.id < begin && !byName.has(value.name)) byName.set(value.name, value);
  }
  return [...byName.values()];
}

/** Returns what the values are worth that an answer's reward was learned from so far. */
export function earlierWorths(
  group: readonly FeedbackEvent[],
  context: AnswerValues,
  { metrics, rules }: Pick<WorkloadMemory, "metrics" | "rules">,
): Worth[] {
  return earlierValues(group, context).flatMap((entry): Worth[] => {
    const { id, name, value } = entry;
    if (context.copies?.copies.has(id) === true) return [];
    const worth = metrics.worthAgain(name, value, directionOf(entry, rules));
    return worth === undefined ? [] : [weigh(worth, entry, rules)];
  });
}
