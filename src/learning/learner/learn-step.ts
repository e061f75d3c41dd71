import type { WorkloadState } from "../bandit/workload-state.ts";
import type { FeedbackEvent, LearningEvent } from "../events.ts";
import {
  type CallSession,
  type ChangedState,
  type FeedbackTarget,
  type HistoryEvent,
  keyText,
  type LearningStep,
  type RatedCall,
  type RewardedAnswer,
  type SessionMetric,
  type StoredValue,
} from "../ports.ts";
import type { WorkloadKey } from "../workload.ts";
import { MOST_VALUES } from "./answer-values.ts";
import { constraintStates } from "./constraint-states.ts";
import { COPIES_WITHIN_MS, type Copies, findCopies } from "./copies.ts";
import { describeState, listOverdrawn } from "./figures.ts";
import { type BatchContext, type BatchResult, learnBatch } from "./learn-batch.ts";
import type { WorkloadModel } from "./workload-model.ts";
import type { WorkloadModels } from "./workload-models.ts";

/** The result of a step, and its changes in memory. */
interface StepResult extends BatchResult {
  readonly memories: readonly WorkloadModel[];
  /** The answers that feedback was learned of. */
  readonly rewarded: readonly RewardedAnswer[];
}

/**
 * Looks up what events are about, and learns from them. Only memory is changed. Without a time, they are of long ago.
 */
export async function learnStep(
  events: readonly LearningEvent[],
  step: LearningStep,
  memories: WorkloadModels,
  nowMs?: number,
): Promise<StepResult> {
  const feedback = events.filter((event): event is FeedbackEvent => event.kind === "feedback");
  const ids = [...new Set(feedback.map(({ inferenceId }) => inferenceId))];
  const targets = ids.length === 0 ? new Map<string, FeedbackTarget>() : await step.findTargets(ids);
  const repeated = feedback.length === 0 ? new Set<string>() : await step.findRepeated(feedback);
  const others = await findOthers(feedback, { targets, repeated, step });
  const judged = await findJudged(feedback, targets, step);
  const rated = [...new Set([...ids, ...[...judged.values()].flatMap((calls) => calls.map(({ id }) => id))])];
  const values = ids.length === 0 ? new Map() : await step.findValues(rated, MOST_VALUES + 1);
  const copies = await findCopiesAmong(feedback, { targets, judged, values, step, nowMs: nowMs ?? Date.now() });
  const touched = touchedBy(events, targets, judged);
  const history: HistoryEvent[] = [];
  const keys = [...touched.values()].map(({ key }) => key);
  const taken = await memories.take(keys, step, history);
  const before = new Map([...taken].map(([text, memory]) => [text, getStanding(memory)]));
  for (const { key, hasChoices } of touched.values()) {
    const memory = taken.get(keyText(key));
    if (hasChoices && memory !== undefined) await memories.beginSelection(memory, step);
  }
  const projects = new Map(feedback.map(({ inferenceId, projectId }) => [inferenceId, projectId]));
  const rewarded: RewardedAnswer[] = [];
  const result = learnBatch(events, {
    memoryOf: (projectId, model) => taken.get(keyText({ projectId, model })),
    onReward(reward, inferenceId) {
      const [target, projectId] = [targets.get(inferenceId), projects.get(inferenceId)];
      if (target === undefined || projectId === undefined) return;
      const { model, servedModel, family } = target;
      rewarded.push({ key: { projectId, model }, inferenceId, servedModel, family, reward });
    },
    targets,
    repeated,
    others,
    values,
    copies,
    judged,
    nowMs,
  });
  history.push(...result.history);
  for (const [text, memory] of taken) {
    const { key } = memory;
    history.push(...eventsSince(before.get(text), memory));
    const served = new Map<string, Set<string>>();
    for (const [name, models] of touched.get(text)?.names ?? []) {
      const family = memory.familyOf(name);
      served.set(family, new Set([...(served.get(family) ?? []), ...models]));
    }
    const outlook = memory.takeOutlook();
    if (outlook !== undefined) history.push({ key, kind: "outlook", detail: { ...outlook } });
    for (const [family, models] of served) {
      const change = memory.judge(family, models);
      if (change !== undefined) history.push({ key, kind: "switched", detail: { ...change } });
    }
  }
  return { ...result, history, memories: [...taken.values()], rewarded };
}

/** The calls of sessions that feedback as a whole is on, by the id of each inference that values are on. */
type Judged = ReadonlyMap<string, readonly RatedCall[]>;

/** Looks up the calls whose rewards depend on each other. */
async function findJudged(
  feedback: readonly FeedbackEvent[],
  targets: ReadonlyMap<string, FeedbackTarget>,
  step: LearningStep,
): Promise<Judged> {
  const inSession = new Map<string, { readonly session: CallSession; readonly ids: Set<string> }>();
  for (const { inferenceId } of feedback) {
    const session = targets.get(inferenceId)?.session;
    if (session === undefined) continue;
    const key = JSON.stringify(session);
    const known = inSession.get(key) ?? { session, ids: new Set() };
    inSession.set(key, known);
    known.ids.add(inferenceId);
  }
  const sessions = [...inSession.values()];
  const found = sessions.length === 0 ? new Map() : await step.findJudgedCalls(sessions.map(({ session }) => session));
  return new Map(
    sessions.flatMap(({ ids }, at) => {
      const calls: readonly RatedCall[] = found.get(at) ?? [];
      // One that is too long ago to be among the latest calls stands for itself.
      return calls.filter(({ id }) => ids.has(id)).map(({ id }) => [id, calls] as const);
    }),
  );
}

/** Looks up which values of calls in sessions are copies: of the metrics that are spoken of, and of earlier ones. */
async function findCopiesAmong(
  feedback: readonly FeedbackEvent[],
  {
    targets,
    judged,
    values,
    step,
    nowMs,
  }: Pick<BatchContext, "targets"> & {
    readonly judged: Judged;
    readonly values: ReadonlyMap<string, readonly StoredValue[]>;
    readonly step: LearningStep;
    readonly nowMs: number;
  },
): Promise<Copies> {
  const metrics = new Map<string, SessionMetric>();
  const inSessions = new Set(feedback.filter(({ attempt }) => attempt === null).map(({ inferenceId }) => inferenceId));
  for (const inferenceId of inSessions) {
    const session = targets.get(inferenceId)?.session;
    if (session === undefined) continue;
    const rated = judged.get(inferenceId)?.map(({ id }) => id) ?? [inferenceId];
    for (const { name, atMs } of rated.flatMap((id) => values.get(id) ?? [])) {
      const key = JSON.stringify([session, name]);
      const { fromMs, toMs } = metrics.get(key) ?? { fromMs: Number.POSITIVE_INFINITY, toMs: 0 };
      metrics.set(key, {
        session,
        name,
        fromMs: Math.min(fromMs, atMs - COPIES_WITHIN_MS),
        toMs: Math.max(toMs, atMs + COPIES_WITHIN_MS),
      });
    }
  }
  const copies = new Set<string>();
  const openUntilMs = new Map<string, number>();
  for (const found of metrics.size === 0 ? [] : await step.findInSessions([...metrics.values()])) {
    const known = findCopies(found, nowMs);
    for (const id of known.copies) copies.add(id);
    for (const [id, untilMs] of known.openUntilMs) openUntilMs.set(id, untilMs);
  }
  return { copies, openUntilMs };
}

/** Looks up what values are to be compared with: those on answers that chance chose among several. */
async function findOthers(
  feedback: readonly FeedbackEvent[],
  { targets, repeated, step }: Pick<BatchContext, "targets" | "repeated"> & { readonly step: LearningStep },
): Promise<BatchContext["others"]> {
  const compared = feedback.filter(
    ({ id, inferenceId }) => targets.get(inferenceId)?.choice?.isRandom === true && !repeated.has(id),
  );
  return compared.length === 0 ? new Map() : await step.findOthers(compared);
}

/** The standing of a workload; people are told when it changes. */
interface Standing {
  readonly hasRoom: boolean;
  readonly broken: WorkloadState["broken"];
  readonly isProven: boolean;
  readonly measuredSince: number;
}

function getStanding({ hasRoom, state, selection }: WorkloadModel): Standing {
  const { isProven = false, measuredSince = 0 } = selection?.selector ?? {};
  return { hasRoom, broken: state.broken.slice(), isProven, measuredSince };
}

/** Returns the events since an earlier standing. */
function eventsSince(before: Standing | undefined, memory: WorkloadModel): HistoryEvent[] {
  if (before === undefined) return [];
  const { key, hasRoom, state } = memory;
  const events = [...constraintEvents(memory, before.broken), ...selectorEvents(memory, before)];
  if (before.hasRoom === hasRoom) return events;
  const { rewards } = state;
  if (hasRoom) return [...events, { key, kind: "reopened", detail: { rewards } }];
  return [...events, { key, kind: "closed", detail: { rewards, overdrawn: listOverdrawn(state) } }];
}

/** The models that break a bound now and did not before, or the other way round. */
function constraintEvents({ key, state }: WorkloadModel, before: WorkloadState["broken"]): HistoryEvent[] {
  return state.arms.flatMap((model, arm) => {
    if (state.broken[arm] === before[arm]) return [];
    const broken = constraintStates(state, arm).filter(({ isBroken }) => isBroken);
    return [{ key, kind: "constraint", detail: { model, broken } }];
  });
}

/** Returns the events of the selector: it became good enough to choose, stopped being so, or is measured anew. */
function selectorEvents({ key, selection }: WorkloadModel, before: Standing): HistoryEvent[] {
  if (selection === undefined) return [];
  const { isProven, measuredSince, rewards, accuracy } = selection.selector;
  if (isProven === before.isProven && measuredSince === before.measuredSince) return [];
  return [{ key, kind: "selector", detail: { isProven, rewards, ...accuracy } }];
}

/** The inferences and entries that events touch. */
interface Touched {
  readonly key: WorkloadKey;
  /** The models that answered, by families. */
  readonly names: Map<string, Set<string>>;
  /** True if something was said of answers that were chosen among several. */
  hasChoices: boolean;
}

/** The workloads that events are about. */
function touchedBy(events: readonly LearningEvent[], targets: ReadonlyMap<string, FeedbackTarget>, judged: Judged) {
  const found = new Map<string, Touched>();
  const touch = (projectId: string, target: Pick<FeedbackTarget, "model" | "family">, hasChoice: boolean): void => {
    if (target.family === "" && !hasChoice) return;
    const key = { projectId, model: target.model };
    const known = found.get(keyText(key)) ?? { key, names: new Map<string, Set<string>>(), hasChoices: false };
    if (target.family !== "") {
      const models = known.names.get(target.family) ?? new Set<string>();
      known.names.set(target.family, models);
      if ("servedModel" in target) models.add(String(target.servedModel));
    }
    known.hasChoices ||= hasChoice;
    found.set(keyText(key), known);
  };
  const seen = new Set<readonly RatedCall[]>();
  for (const event of events) {
    if (event.kind !== "feedback") {
      touch(event.projectId, event, false);
      continue;
    }
    const target = targets.get(event.inferenceId);
    if (target !== undefined) touch(event.projectId, target, target.choice !== undefined);
    const calls = judged.get(event.inferenceId) ?? [];
    if (!seen.has(calls)) for (const call of calls) touch(event.projectId, call, false);
    seen.add(calls);
  }
  return found;
}

/** The least distance between the points of a workload's course. */
const BETWEEN_POINTS_MS = 10_000;

/** Returns the state of a workload to write. */
export function toChanged(memory: WorkloadModel, nowMs: number): ChangedState {
  const { key, version, state } = memory;
  const isDue = nowMs - memory.pointAtMs >= BETWEEN_POINTS_MS;
  if (isDue) memory.pointAtMs = nowMs;
  const point = isDue ? JSON.stringify(describeState(state)) : undefined;
  return { key, from: version, snapshot: memory.toSnapshot(), rewards: state.rewards, point };
}
