import { idTimeMs } from "../../lib/ids.ts";
import { learn } from "../bandit/learn.ts";
import type { CheckedEvent, FeedbackEvent, GradedEvent, LearningEvent, ServedEvent } from "../events.ts";
import type { FeedbackTarget, HistoryEvent, OtherValue, RecordedChoice } from "../ports.ts";
import { GUARDED } from "../workload.ts";
import { type AnswerValues, earlierValues, earlierWorths, openUntilMs } from "./answer-values.ts";
import { noteDelay } from "./delay.ts";
import type { LatencyKind } from "./latency-metrics.ts";
import { combineWorths, directionOf, guardOf, type Worth, weigh } from "./metric-settings.ts";
import type { WorkloadMemory } from "./workload-model.ts";

/**
 * Answers of base from which on it is known what is slow: what takes half as long again as 95% of them, and a quarter
 * of a second more. What is nearer to them changes with the hour, and base answers too seldom then for an account to
 * tell the hour from the model.
 */
const LEAST_LATENCIES = 20;
const SLOW = { rank: 0.95, times: 1.5, moreMs: 250 };

/** The context in which events are learned. */
export interface BatchContext extends AnswerValues {
  /** Undefined where nothing is learned of a workload any more. */
  memoryOf(projectId: string, model: string): WorkloadMemory | undefined;
  /** By the id of the inference. */
  readonly targets: ReadonlyMap<string, FeedbackTarget>;
  /** Entries whose metric somebody had spoken of before. */
  readonly repeated: ReadonlySet<string>;
  /**
   * Earlier feedback on other answers to the same request, by the id of the entry; of answers that were drawn at
   * random.
   */
  readonly others: ReadonlyMap<string, readonly OtherValue[]>;
  /** The time, in milliseconds since 1970; undefined where what happened long ago is learned again. */
  readonly nowMs?: number | undefined;
  /** Told of each reward, once it is learned. */
  readonly onReward?: (reward: number, inferenceId: string) => void;
}

/** The result of learning a batch. */
export interface BatchResult {
  readonly history: readonly HistoryEvent[];
  /** Feedback whose inference is not known yet. */
  readonly unknown: readonly FeedbackEvent[];
  /** Feedback that may turn out to be a copy; undefined where there is none. */
  readonly open: { readonly events: readonly FeedbackEvent[]; readonly untilMs: number } | undefined;
}

/** Values under so many names make the reward of an answer: what comes under others later changes nothing. */
export const MOST_VALUES = 100;

/** Learns from events, in their order. Changes the memories, and nothing else. */
export function learnBatch(events: readonly LearningEvent[], context: BatchContext): BatchResult {
  const history: HistoryEvent[] = [];
  const unknown: FeedbackEvent[] = [];
  const open: FeedbackEvent[] = [];
  let untilMs = 0;
  const groups = groupsOf(events);
  for (const event of events) {
    if (event.kind === "served") {
      learnServed(event, context);
      continue;
    }
    if (event.kind !== "feedback") {
      learnGrades(event, context);
      continue;
    }
    const group = groups.get(groupOf(event));
    // All of a group are learned with its first.
    if (group?.[0] !== event) continue;
    const target = context.targets.get(event.inferenceId);
    const groupOpenMs = openUntilMs(group, context);
    if (target === undefined) unknown.push(...group);
    else if (groupOpenMs > 0) {
      open.push(...group);
      untilMs = Math.max(untilMs, groupOpenMs);
    } else {
      if (target.choice !== undefined) learnChoice(group, target, target.choice, context);
      // Who asked for several answers has no decision on record, and the best of them says nothing of one; nor does
      // what was not returned.
      const isOfArm = target.choice === undefined || target.family !== "";
      if (event.attempt === null && isOfArm) learnFeedback(group, target, context, history);
    }
  }
  return { history, unknown, open: open.length === 0 ? undefined : { events: open, untilMs } };
}

/** Values of one answer that were said together. */
function groupsOf(events: readonly LearningEvent[]): ReadonlyMap<string, readonly FeedbackEvent[]> {
  const groups = new Map<string, FeedbackEvent[]>();
  for (const event of events) {
    if (event.kind !== "feedback") continue;
    const group = groups.get(groupOf(event));
    if (group === undefined) groups.set(groupOf(event), [event]);
    else group.push(event);
  }
  return groups;
}

function groupOf({ inferenceId, attempt, atMs }: FeedbackEvent): string {
  return `${inferenceId} ${attempt} ${atMs}`;
}

function learnServed(event: ServedEvent, { memoryOf, nowMs }: BatchContext): void {
  const { id, projectId, model, servedModel, status, isRefused, costNanos, cacheSavedNanos, latencyMs } = event;
  const { isContinued = false } = event;
  const memory = memoryOf(projectId, model);
  const arm = memory?.armOf(servedModel);
  if (memory === undefined || arm === undefined) return;
  const { state, familySplits: divisions } = memory;
  const begunMs = idTimeMs(id);
  if (nowMs !== undefined && begunMs !== undefined) memory.behindMs = Math.round(nowMs - begunMs - latencyMs);
  divisions.served(event.family, arm);
  const family = divisions.familyOf(event.family);
  const price = state.objective === "latency" ? latencyMs : costNanos;
  // A cache takes off what is paid, and the time of it is in the latency.
  const saved = state.objective === "latency" ? 0 : (cacheSavedNanos ?? 0);
  learn(state, { kind: "served", family, arm, saved, isContinued, ...(price !== null && price >= 0 && { price }) });
  const measure = (metric: string, value: number) => learn(state, { kind: "measured", family, arm, metric, value });
  // What the caller broke off says nothing of the model.
  if (status === "canceled") return;
  const isCompleted = status === "completed";
  measure(GUARDED.success, isCompleted ? 1 : 0);
  if (!isCompleted) return;
  measure(GUARDED.answered, isRefused ? 0 : 1);
  // Slow answers are few, as failures are: of what varies more, an account could tell nothing in time.
  if (memory.latency.count >= LEAST_LATENCIES) measure(GUARDED.speed, isSlow(latencyMs, memory) ? 0 : 1);
  if (arm === state.base) memory.latency.add(latencyMs);
  noteLatencies(event, { memory, arm, family });
}

/** Learns a judge's grades of answers that one model gave by itself. */
function learnGrades(event: GradedEvent | CheckedEvent, { memoryOf }: BatchContext): void {
  const memory = memoryOf(event.projectId, event.model);
  if (memory === undefined) return;
  const { state, familySplits } = memory;
  const armOf = (model: string): number | undefined => {
    const arm = memory.armOf(model);
    return arm === undefined || state.places[arm] !== undefined ? undefined : arm;
  };
  if (event.kind === "checked") {
    const arm = armOf(event.servedModel);
    const { isGood, reward } = event;
    if (arm !== undefined) learn(state, { kind: "checked", arm, isGood, reward: reward ?? undefined });
    return;
  }
  const family = familySplits.familyOf(event.family);
  for (const { servedModel, isGood } of event.grades) {
    const arm = armOf(servedModel);
    if (arm !== undefined) learn(state, { kind: "graded", family, arm, isGood });
  }
}

/** Takes note of how long callers wait for several answers, and what that is held against. */
function noteLatencies(
  { servedModel, latencyMs, isStreamed, firstTokenMs }: ServedEvent,
  { memory, arm, family }: { readonly memory: WorkloadMemory; readonly arm: number; readonly family: string },
): void {
  const { state, latencies } = memory;
  if (!state.hasSeveral || isStreamed === undefined) return;
  const note = (kind: LatencyKind, ms: number): void => {
    if (arm === state.base) latencies.addBase(family, kind, ms);
    else if (state.places[arm] !== undefined) latencies.addSeveral(servedModel, { family, kind, ms });
  };
  note(isStreamed ? "streamed" : "unary", latencyMs);
  if (isStreamed && firstTokenMs != null) note("firstToken", firstTokenMs);
}

function isSlow(latencyMs: number, { latency }: WorkloadMemory): boolean {
  return latency.rankOf(Math.min(latencyMs / SLOW.times, latencyMs - SLOW.moreMs)) > SLOW.rank;
}

function learnFeedback(
  group: readonly FeedbackEvent[],
  { model, servedModel, family: name }: FeedbackTarget,
  context: BatchContext,
  history: HistoryEvent[],
): void {
  const { memoryOf, repeated, copies, onReward, nowMs } = context;
  const [{ projectId, inferenceId } = { projectId: "", inferenceId: "" }] = group;
  const memory = name === "" ? undefined : memoryOf(projectId, model);
  const arm = memory?.armOf(servedModel);
  if (memory === undefined || arm === undefined) return;
  const { familySplits: divisions } = memory;
  const family = divisions.familyOf(name);
  const worths: Worth[] = [];
  for (const entry of group) {
    if (repeated.has(entry.id) || copies?.copies.has(entry.id) === true) continue;
    learnConstrained(entry, arm, memory);
    const worth = worthOf(entry, memory);
    if (worth === undefined) {
      if (memory.metrics.notesFull())
        history.push({ key: memory.key, kind: "metrics-full", detail: { metric: entry.name } });
      continue;
    }
    worths.push(weigh(worth, entry, memory.rules));
    const metric = guardOf(entry.name);
    if (memory.state.guarded.has(metric)) learn(memory.state, { kind: "measured", family, arm, metric, value: worth });
  }
  const earlier = earlierWorths(group, context, memory);
  const replaces = combineWorths(earlier);
  const combined = combineWorths(worths) && combineWorths([...earlier, ...worths]);
  if (combined === undefined || earlier.length >= MOST_VALUES) return;
  const divided = replaces === undefined ? divisions.rewarded(name, { arm, ...combined }) : undefined;
  if (divided !== undefined) history.push({ key: memory.key, kind: "divided", detail: { ...divided } });
  const rewarded = { family: divisions.familyOf(name), arm, ...combined, replaces };
  const drifted = learn(memory.state, { kind: "rewarded", ...rewarded });
  memory.noteFamily(name);
  const decidedMs = idTimeMs(inferenceId);
  if (nowMs !== undefined && decidedMs !== undefined) memory.delay = noteDelay(memory.delay, nowMs - decidedMs);
  memory.selection?.reconsider(memory.state.rewards, drifted !== undefined);
  if (replaces === undefined) onReward?.(combined.reward, inferenceId);
  if (drifted === undefined) return;
  memory.latencies.forgetSeveral();
  history.push({ key: memory.key, kind: "drift", detail: { model: memory.state.arms[drifted], family } });
}

/** Learns the choice among several answers from feedback on the best and on the others. */
function learnChoice(
  group: readonly FeedbackEvent[],
  { model }: FeedbackTarget,
  choice: RecordedChoice,
  context: BatchContext,
): void {
  const { memoryOf, repeated, others } = context;
  const [{ projectId, attempt } = { projectId: "", attempt: null }] = group;
  const memory = memoryOf(projectId, model);
  const candidate = candidateOf(choice, attempt);
  if (memory?.selection === undefined || candidate < 0) return;
  const { rules, selection } = memory;
  const { selector, metrics } = selection;
  const worths: Worth[] = [];
  const said = group.filter(({ id }) => !repeated.has(id));
  for (const entry of said) {
    const worth = worthOf(entry, { rules, metrics });
    if (worth !== undefined) worths.push(weigh(worth, entry, rules));
  }
  for (const [other, lead] of leadsOf(said, { choice, rules, others })) {
    if (lead > 0) selector.compare(choice, candidate, other);
    if (lead < 0) selector.compare(choice, other, candidate);
  }
  // A ranking cannot take back what it has learned: the first event on an answer is its reward.
  const combined = earlierValues(group, context).length === 0 ? combineWorths(worths) : undefined;
  if (combined !== undefined && attempt === null) selector.learn(choice, combined.reward, combined.weight);
  else if (combined !== undefined) selector.learnOther(choice, candidate, combined);
  memory.noteAccuracy();
}

/** Position among the candidates; -1 of one that failed a check. */
function candidateOf({ attempts, returned }: RecordedChoice, attempt: number | null): number {
  return attempt === null ? returned : attempts.indexOf(attempt);
}

/**
 * By how much values are better than those that were said of other candidates on the same metrics: the weights of those
 * in which they are.
 */
function leadsOf(
  said: readonly FeedbackEvent[],
  { choice, rules, others }: Pick<BatchContext, "others"> & Pick<WorkloadMemory, "rules"> & { choice: RecordedChoice },
): ReadonlyMap<number, number> {
  const leads = new Map<number, number>();
  for (const entry of said) {
    const { weight = 1 } = rules.get(entry.name) ?? {};
    const towards = directionOf(entry, rules) === "min" ? -weight : weight;
    for (const { attempt, value } of others.get(entry.id) ?? []) {
      const other = candidateOf(choice, attempt);
      if (other >= 0) leads.set(other, (leads.get(other) ?? 0) + towards * Math.sign(Number(entry.value) - value));
    }
  }
  return leads;
}

function worthOf(
  entry: FeedbackEvent,
  { metrics, rules }: Pick<WorkloadMemory, "metrics" | "rules">,
): number | undefined {
  return metrics.worthOf(entry.name, entry.value, directionOf(entry, rules));
}

/** Holds a value against the constraints on its metric. */
function learnConstrained({ name, value }: FeedbackEvent, arm: number, { state, rules }: WorkloadMemory): void {
  const { atLeast, atMost } = rules.get(name) ?? {};
  if (atLeast === undefined && atMost === undefined) return;
  learn(state, { kind: "valued", arm, metric: name, value: Number(value) });
}
