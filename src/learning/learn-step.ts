import { constraintStates } from "./constraint-states.ts";
import type { FeedbackEvent, LearningEvent } from "./events.ts";
import { figuresOf, overdrawnOf } from "./figures.ts";
import { type BatchResult, learnBatch } from "./learn-batch.ts";
import type { Memories } from "./memories.ts";
import type { WorkloadMemory } from "./memory.ts";
import { type ChangedState, type HistoryEvent, keyText, type LearningStep } from "./ports.ts";
import type { WorkloadKey } from "./workload.ts";

/** What a step has shown, and what it changed in memory. */
export interface StepResult extends BatchResult {
  readonly memories: readonly WorkloadMemory[];
}

/** Looks up what events are about, and learns from them. Only memory is changed. */
export async function learnStep(
  events: readonly LearningEvent[],
  step: LearningStep,
  memories: Memories,
): Promise<StepResult> {
  const feedback = events.filter((event): event is FeedbackEvent => event.kind === "feedback");
  const ids = [...new Set(feedback.map(({ inferenceId }) => inferenceId))];
  const targets = ids.length === 0 ? new Map() : await step.findTargets(ids);
  const repeated = feedback.length === 0 ? new Set<string>() : await step.findRepeated(feedback);
  const families = familiesOf(events, targets);
  const history: HistoryEvent[] = [];
  const keys = [...families.values()].map(({ key }) => key);
  const taken = await memories.take(keys, step, history);
  const before = new Map(
    [...taken].map(([text, memory]) => [text, { hasRoom: memory.hasRoom, broken: memory.state.broken.slice() }]),
  );
  const result = learnBatch(events, {
    memoryOf: (projectId, model) => taken.get(keyText({ projectId, model })),
    targets,
    repeated,
  });
  history.push(...result.history);
  for (const [text, memory] of taken) {
    const { key } = memory;
    const { hasRoom, broken } = before.get(text) ?? { hasRoom: true, broken: memory.state.broken };
    for (const [arm, was] of broken.entries()) {
      if (memory.state.broken[arm] === was) continue;
      const detail = {
        model: memory.state.arms[arm],
        broken: constraintStates(memory.state, arm).filter(({ isBroken }) => isBroken),
      };
      history.push({ key, kind: "constraint", detail });
    }
    if (hasRoom !== memory.hasRoom) {
      const { rewards } = memory.state;
      if (memory.hasRoom) history.push({ key, kind: "reopened", detail: { rewards } });
      else history.push({ key, kind: "closed", detail: { rewards, overdrawn: overdrawnOf(memory.state) } });
    }
    const names = [...(families.get(text)?.names ?? [])].map((name) => memory.divisions.familyOf(name));
    for (const family of new Set(names)) {
      const change = memory.judge(family);
      if (change !== undefined) history.push({ key, kind: "switched", detail: { ...change } });
    }
  }
  return { history, unknown: result.unknown, memories: [...taken.values()] };
}

/** The workloads that events are about, and the families of each. */
function familiesOf(events: readonly LearningEvent[], targets: ReadonlyMap<string, { model: string; family: string }>) {
  const found = new Map<string, { readonly key: WorkloadKey; readonly names: Set<string> }>();
  for (const event of events) {
    const { model, family } =
      event.kind === "served" ? event : (targets.get(event.inferenceId) ?? { model: "", family: "" });
    if (family === "") continue;
    const key = { projectId: event.projectId, model };
    const known = found.get(keyText(key));
    if (known === undefined) found.set(keyText(key), { key, names: new Set([family]) });
    else known.names.add(family);
  }
  return found;
}

/** How far apart the points of a workload's course are at least, while it is learned of. */
const BETWEEN_POINTS_MS = 10_000;

/** What is written of a workload. */
export function toChanged(memory: WorkloadMemory, nowMs: number): ChangedState {
  const { key, version, state } = memory;
  const isDue = nowMs - memory.pointAtMs >= BETWEEN_POINTS_MS;
  if (isDue) memory.pointAtMs = nowMs;
  const point = isDue ? JSON.stringify(figuresOf(state)) : undefined;
  return { key, from: version, snapshot: memory.toSnapshot(), rewards: state.rewards, point };
}
