import type { FeedbackEvent } from "../events.ts";
import type { FeedbackTarget, OtherValue, RecordedChoice } from "../ports.ts";
import { earlierValues, isReplacing, type RewardContext, weighValue } from "./answer-values.ts";
import { combineWorths, findDirection, type Worth, weigh } from "./metric-settings.ts";
import { LEAST_VOICE, type Voice } from "./voices.ts";
import type { WorkloadModel } from "./workload-model.ts";

/** The context in which feedback is learned. */
export interface ChoiceContext extends RewardContext {
  /** Entries whose metric somebody had spoken of before. */
  readonly repeated: ReadonlySet<string>;
  /**
   * Earlier feedback on other answers to the same request, by the id of the entry; of answers that were drawn at
   * random.
   */
  readonly others: ReadonlyMap<string, readonly OtherValue[]>;
}

/** Learns the choice among several answers from feedback on the best and on the others. */
export function learnChoice(
  group: readonly FeedbackEvent[],
  {
    target: { model },
    choice,
    voice,
  }: { readonly target: FeedbackTarget; readonly choice: RecordedChoice; readonly voice: Voice },
  context: ChoiceContext,
): void {
  const { memoryOf, repeated, others } = context;
  const [{ projectId, attempt } = { projectId: "", attempt: null }] = group;
  const memory = memoryOf(projectId, model);
  const candidate = getCandidate(choice, attempt);
  if (memory?.selection === undefined || candidate < 0) return;
  const { rules, selection } = memory;
  const { selector, metrics } = selection;
  const worths: Worth[] = [];
  const earlier = earlierValues(group, context);
  const counted = group.filter((event) => !repeated.has(event.id) && !isReplacing(event, earlier));
  for (const entry of counted) {
    // All candidates are on one scale.
    const worth = weighValue(entry, { rules, metrics }, { weight: voice.weight, isBase: true });
    if (worth !== undefined) worths.push(weigh(worth, entry, rules));
  }
  // A comparison has no weight: one of a rater who has said much is none.
  for (const [other, lead] of voice.weight < LEAST_VOICE ? [] : getLeads(counted, { choice, rules, others })) {
    if (lead > 0) selector.compare(choice, candidate, other);
    if (lead < 0) selector.compare(choice, other, candidate);
  }
  // A ranking cannot take back what it has learned: the first event on an answer is its reward.
  const whole = earlier.length === 0 ? combineWorths(worths) : undefined;
  const combined = whole && { ...whole, weight: voice.weight * whole.weight };
  if (combined !== undefined && attempt === null) selector.learn(choice, combined.reward, combined.weight);
  else if (combined !== undefined) selector.learnOther(choice, candidate, combined);
  memory.noteAccuracy();
}

/** Position among the candidates; -1 of one that failed a check. */
function getCandidate({ attempts, returned }: RecordedChoice, attempt: number | null): number {
  return attempt === null ? returned : attempts.indexOf(attempt);
}

/**
 * By how much values are better than those that were said of other candidates on the same metrics: the weights of those
 * in which they are.
 */
function getLeads(
  events: readonly FeedbackEvent[],
  { choice, rules, others }: Pick<ChoiceContext, "others"> & Pick<WorkloadModel, "rules"> & { choice: RecordedChoice },
): ReadonlyMap<number, number> {
  const leads = new Map<number, number>();
  for (const entry of events) {
    const { weight = 1 } = rules.get(entry.name) ?? {};
    const towards = findDirection(entry, rules) === "min" ? -weight : weight;
    for (const { attempt, value } of others.get(entry.id) ?? []) {
      const other = getCandidate(choice, attempt);
      if (other >= 0) leads.set(other, (leads.get(other) ?? 0) + towards * Math.sign(Number(entry.value) - value));
    }
  }
  return leads;
}
