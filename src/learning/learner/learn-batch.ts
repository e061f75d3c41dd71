import { idTimeMs } from "../../lib/ids.ts";
import { getRater } from "../../vocabulary/raters.ts";
import { learn } from "../bandit/learn.ts";
import type { CheckedEvent, FeedbackEvent, GradedEvent, LearningEvent, ServedEvent } from "../events.ts";
import type { FeedbackTarget, HistoryEvent } from "../ports.ts";
import { GUARDED } from "../workload.ts";
import { earlierValues, isReplacing, openUntilMs, weighValue } from "./answer-values.ts";
import { noteDelay } from "./delay.ts";
import type { LatencyKind } from "./latency-metrics.ts";
import { type ChoiceContext, learnChoice } from "./learn-choice.ts";
import { type GroupWorths, learnRewards } from "./learn-rewards.ts";
import { guardName, type Worth, weigh } from "./metric-settings.ts";
import { takeBack } from "./take-back.ts";
import { FULL_VOICE, type Voice } from "./voices.ts";
import type { WorkloadModel } from "./workload-model.ts";

/**
 * Answers of base from which on it is known what is slow: what takes half as long again as 95% of them, and a quarter
 * of a second more. What is nearer to them changes with the hour, and base answers too seldom then for an account to
 * tell the hour from the model.
 */
const LEAST_LATENCIES = 20;
const SLOW = { rank: 0.95, times: 1.5, moreMs: 250 };

/** The context in which events are learned. */
export interface BatchContext extends ChoiceContext {
  /** By the id of the inference. */
  readonly targets: ReadonlyMap<string, FeedbackTarget>;
  /** The time, in milliseconds since 1970; undefined where what happened long ago is learned again. */
  readonly nowMs?: number | undefined;
}

/** The result of learning a batch. */
export interface BatchResult {
  readonly history: readonly HistoryEvent[];
  /** Feedback whose inference is not known yet. */
  readonly unknown: readonly FeedbackEvent[];
  /** Feedback that may turn out to be a copy; undefined where there is none. */
  readonly open: { readonly events: readonly FeedbackEvent[]; readonly untilMs: number } | undefined;
}

/** Learns from events, in their order. Changes the memories, and nothing else. */
export function learnBatch(events: readonly LearningEvent[], context: BatchContext): BatchResult {
  const history: HistoryEvent[] = [];
  const unknown: FeedbackEvent[] = [];
  const open: FeedbackEvent[] = [];
  let untilMs = 0;
  const groups = getGroups(events);
  for (const event of events) {
    if (event.kind === "served") {
      learnServed(event, context);
      continue;
    }
    if (event.kind !== "feedback") {
      learnGrades(event, context, history);
      continue;
    }
    const group = groups.get(getGroup(event));
    // All of a group are learned with its first.
    if (group?.[0] !== event) continue;
    const target = context.targets.get(event.inferenceId);
    const groupOpenMs = openUntilMs(group, context);
    if (target === undefined) unknown.push(...group);
    else if (groupOpenMs > 0) {
      open.push(...group);
      untilMs = Math.max(untilMs, groupOpenMs);
    } else if (event.isTakenBack === true) {
      if (isOfArm(event, target)) takeBack(group, target, context, history);
    } else {
      const voice = hear(group, target, context);
      if (target.choice !== undefined) learnChoice(group, { target, choice: target.choice, voice }, context);
      if (isOfArm(event, target)) learnFeedback(group, { target, voice }, context, history);
    }
  }
  return { history, unknown, open: open.length === 0 ? undefined : { events: open, untilMs } };
}

/**
 * Returns whether a value is on what the policy chose. Who asked for several answers has no decision on record, and the
 * best of them says nothing of one; nor does what was not returned.
 */
function isOfArm({ attempt }: FeedbackEvent, { choice, family }: FeedbackTarget): boolean {
  return attempt === null && (choice === undefined || family !== "");
}

/** Returns what a group of values counts for by who gave them: the first of an answer is a further vote. */
function hear(group: readonly FeedbackEvent[], target: FeedbackTarget, context: BatchContext): Voice {
  const [first] = group;
  const memory = first && context.memoryOf(first.projectId, target.model);
  if (first === undefined || memory === undefined) return FULL_VOICE;
  const rater = getRater(first, target.endUserId);
  const isNew = earlierValues(group, context).length === 0;
  const voice = memory.voices.hear(rater, isNew);
  if (isNew && voice.rater !== undefined) memory.voices.votes.reweigh(voice.rater, voice.weight, memory);
  return voice;
}

/** Values of one answer that were said together. */
function getGroups(events: readonly LearningEvent[]): ReadonlyMap<string, readonly FeedbackEvent[]> {
  const groups = new Map<string, FeedbackEvent[]>();
  for (const event of events) {
    if (event.kind !== "feedback") continue;
    const group = groups.get(getGroup(event));
    if (group === undefined) groups.set(getGroup(event), [event]);
    else group.push(event);
  }
  return groups;
}

function getGroup({ inferenceId, attempt, atMs, isOnSession = false, isTakenBack = false }: FeedbackEvent): string {
  // Of what is taken back nothing is stored any more, so that all of it is one group.
  return isTakenBack
    ? `${inferenceId} ${attempt} ${isOnSession} back`
    : `${inferenceId} ${attempt} ${atMs} ${isOnSession}`;
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
  if (begunMs !== undefined) memory.noteCall(memory.familyOf(event.family), begunMs);
  divisions.served(event.family, arm);
  const family = memory.familyOf(event.family);
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
function learnGrades(event: GradedEvent | CheckedEvent, { memoryOf }: BatchContext, history: HistoryEvent[]): void {
  const memory = memoryOf(event.projectId, event.model);
  if (memory === undefined) return;
  const { state, familySplits } = memory;
  const armOf = (model: string): number | undefined => {
    const arm = memory.armOf(model);
    return arm === undefined || state.places[arm] !== undefined ? undefined : arm;
  };
  if (event.kind === "checked") {
    const arm = armOf(event.servedModel);
    if (arm !== undefined) learnCheck(event, memory, arm);
    return;
  }
  if (event.isRecorded === true) state.recordedTrials += 1;
  for (const { servedModel, ...grade } of event.grades) {
    const arm = armOf(servedModel);
    if (arm === undefined) continue;
    const divided = familySplits.graded(event.family, { arm, ...grade });
    if (divided !== undefined) history.push({ key: memory.key, kind: "divided", detail: { ...divided } });
    learn(state, { kind: "graded", family: memory.familyOf(event.family), arm, ...grade });
  }
  memory.noteFamily(event.family);
}

function learnCheck(
  { inferenceId, family, isGood, isSecondGood, reward, isVerdict }: CheckedEvent,
  memory: WorkloadModel,
  arm: number,
): void {
  const { state } = memory;
  if (isGood !== null && reward !== null)
    memory.voices.votes.check(inferenceId, { arm, isGood, isSecondGood, reward }, state);
  else if (isGood !== null) learn(state, { kind: "checked", arm, isGood, isSecondGood, reward: undefined });
  if (isVerdict === true && reward !== null) {
    learn(state, { kind: "judged", family: memory.familyOf(family), arm, reward });
  }
}

/** Takes note of how long callers wait for several answers, and what that is held against. */
function noteLatencies(
  { servedModel, latencyMs, isStreamed, firstTokenMs }: ServedEvent,
  { memory, arm, family }: { readonly memory: WorkloadModel; readonly arm: number; readonly family: string },
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

function isSlow(latencyMs: number, { latency }: WorkloadModel): boolean {
  return latency.rankOf(Math.min(latencyMs / SLOW.times, latencyMs - SLOW.moreMs)) > SLOW.rank;
}

function learnFeedback(
  group: readonly FeedbackEvent[],
  { target, voice }: { readonly target: FeedbackTarget; readonly voice: Voice },
  context: BatchContext,
  history: HistoryEvent[],
): void {
  const { memoryOf, nowMs } = context;
  const [{ projectId, inferenceId } = { projectId: "", inferenceId: "" }] = group;
  const memory = target.family === "" ? undefined : memoryOf(projectId, target.model);
  const arm = memory?.armOf(target.servedModel);
  if (memory === undefined || arm === undefined) return;
  const family = memory.familyOf(target.family);
  const worths = learnValues(group, { memory, arm, family, voice }, context, history);
  if (!learnRewards({ group, target, memory, worths, voice }, context, history)) return;
  memory.voices.votes.rerate(memory);
  const decidedMs = idTimeMs(inferenceId);
  if (nowMs !== undefined && decidedMs !== undefined) memory.delay = noteDelay(memory.delay, nowMs - decidedMs);
}

/** Learns the values of a group by themselves, and returns what they are worth. */
function learnValues(
  group: readonly FeedbackEvent[],
  {
    memory,
    arm,
    family,
    voice,
  }: {
    readonly memory: WorkloadModel;
    readonly arm: number;
    readonly family: string;
    readonly voice: Voice;
  },
  context: BatchContext,
  history: HistoryEvent[],
): GroupWorths {
  const { repeated, copies } = context;
  const worths = new Map<string, Worth>();
  const earlier = earlierValues(group, context);
  for (const entry of group) {
    if (repeated.has(entry.id) || copies?.copies.has(entry.id) === true) continue;
    // What was counted against a bound cannot be taken back: the first value of a name is.
    const isFirst = !isReplacing(entry, earlier);
    if (isFirst) learnConstrained(entry, { arm, weight: voice.weight }, memory);
    const worth = weighValue(entry, memory, { weight: voice.weight, isBase: arm === memory.state.base });
    if (worth === undefined) {
      if (memory.metrics.notesFull(entry.atMs))
        history.push({ key: memory.key, kind: "metrics-full", detail: { metric: entry.name } });
      continue;
    }
    worths.set(entry.id, weigh(worth, entry, memory.rules));
    const metric = guardName(entry.name);
    if (isFirst && memory.state.guarded.has(metric))
      learn(memory.state, { kind: "measured", family, arm, metric, value: worth, weight: voice.weight });
  }
  return worths;
}

/** Holds a value against the constraints on its metric. */
function learnConstrained(
  { name, value }: FeedbackEvent,
  counted: { readonly arm: number; readonly weight: number },
  { state, rules }: WorkloadModel,
): void {
  const { atLeast, atMost } = rules.get(name) ?? {};
  if (atLeast === undefined && atMost === undefined) return;
  learn(state, { kind: "valued", ...counted, metric: name, value: Number(value) });
}
