import { getRater, type Rater } from "../../vocabulary/raters.ts";
import { learn } from "../bandit/learn.ts";
import type { FeedbackEvent } from "../events.ts";
import type { FeedbackTarget, HistoryEvent } from "../ports.ts";
import { earlierValues, isReplacing, nameValue, type RewardContext } from "./answer-values.ts";
import { learnRewards } from "./learn-rewards.ts";
import { findDirection, guardName } from "./metric-settings.ts";
import { FULL_VOICE, type Voice } from "./voices.ts";
import type { WorkloadModel } from "./workload-model.ts";

/** The context in which values are taken back. */
interface TakenBackContext extends RewardContext {
  /** Values whose metric had a value of the answer before. */
  readonly repeated: ReadonlySet<string>;
}

/**
 * Withdraws a reward as it was learned. What was counted against bounds, in scales, and as a vote of its rater stays
 * where the sender takes it back: to vote again and again counts for no more than to vote once.
 */
export function takeBack(
  group: readonly FeedbackEvent[],
  target: FeedbackTarget,
  context: TakenBackContext,
  history: HistoryEvent[],
): void {
  const [first] = group;
  const memory = first && context.memoryOf(first.projectId, target.model);
  if (first === undefined || memory === undefined || target.family === "") return;
  const rater = getRater(first, target.endUserId);
  const voice = voiceToTakeBack(memory, rater, first.inferenceId);
  learnRewards({ group, target, memory, worths: new Map(), voice }, context, history);
  if (first.isErased !== true) return;
  eraseValues(group, { target, memory, voice }, context);
  if (earlierValues(group, context).length > 0) return;
  const raters = new Map(group.map((entry) => getRater(entry, target.endUserId)).map((each) => [each.id, each]));
  for (const each of raters.values()) memory.voices.forget(each);
  memory.voices.votes.drop(first.inferenceId);
}

/**
 * Returns what a rater's vote on an answer counts for when it is taken back: no more than it was learned with. Where
 * that is forgotten, it is what a vote of the rater counts for now.
 */
function voiceToTakeBack({ voices }: WorkloadModel, rater: Rater, inferenceId: string): Voice {
  const weight = voices.votes.weightOf(inferenceId);
  if (weight !== undefined) return { weight, driftShare: 1, isEarly: false };
  return voices.votes.mayHaveForgotten(inferenceId) ? voices.hear(rater, false) : FULL_VOICE;
}

/** Takes the first value of each name off the scales, guards and bounds of its metric. */
function eraseValues(
  group: readonly FeedbackEvent[],
  { target, memory, voice }: { readonly target: FeedbackTarget; readonly memory: WorkloadModel; readonly voice: Voice },
  context: TakenBackContext,
): void {
  const { repeated, copies } = context;
  const { weight } = voice;
  const stored = earlierValues(group, context);
  const { metrics, rules, state } = memory;
  const arm = memory.armOf(target.servedModel);
  const family = memory.familyOf(target.family);
  const names = new Set<string>();
  for (const entry of group.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const { id, name, value } = entry;
    const isLater = names.has(nameValue(entry)) || repeated.has(id) || copies?.copies.has(id) === true;
    names.add(nameValue(entry));
    if (isLater) continue;
    const direction = findDirection(entry, rules);
    const worth = metrics.worthAgain({ name, value, direction });
    metrics.forget({ name, value, direction, weight, isBase: arm === state.base });
    if (arm === undefined || isReplacing(entry, stored)) continue;
    const { atLeast, atMost } = rules.get(name) ?? {};
    if (atLeast !== undefined || atMost !== undefined)
      learn(state, { kind: "valued", arm, metric: name, value: Number(value), weight, isErased: true });
    const metric = guardName(name);
    if (worth !== undefined && state.guarded.has(metric))
      learn(state, { kind: "measured", family, arm, metric, value: worth, weight, isErased: true });
  }
}
