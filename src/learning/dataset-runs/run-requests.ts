import { Examples } from "../shadow/examples.ts";
import { answerSide, noAnswer } from "./answer-side.ts";
import type { PlannedRun, RunAnswer, RunPorts, RunRequest, RunState } from "./ports.ts";

/** Requests of a run that are asked at a time, each of two models. */
const CONCURRENCY = 4;
const SIDES = [0, 1] as const;

/** Asks both models of a run for every request, and writes what came of each. Resolves to how the run has ended. */
export async function runRequests(
  ports: RunPorts,
  { id, projectId, models, requests, mostNanos = Number.POSITIVE_INFINITY }: PlannedRun,
  signal: AbortSignal,
): Promise<RunState> {
  const examples = new Examples(ports.store);
  const queue = requests.values();
  let isOver = false;
  let spentNanos = 0;
  let asked = 0;
  const work = async (): Promise<void> => {
    while (!isOver && !signal.aborted) {
      const { value: request } = queue.next();
      if (request === undefined) return;
      const answers = await answerRequest(ports, { projectId, request, models, examples }, signal);
      const known = answers.filter((answer) => answer !== undefined);
      if (known.length > 0) await ports.store.write(id, known);
      for (const { costNanos, gradeNanos } of known) spentNanos += (costNanos ?? 0) + (gradeNanos ?? 0);
      if (known.length === answers.length) asked += 1;
      isOver ||= known.length < answers.length || spentNanos > mostNanos;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  if (signal.aborted) return "cancelled";
  return asked < requests.length ? "over-budget" : "completed";
}

interface RequestOfRun extends Pick<PlannedRun, "projectId" | "models"> {
  readonly request: RunRequest;
  readonly examples: Examples;
}

/** Returns the answers of both models; undefined in the place of one for which a budget has no room. */
async function answerRequest(
  ports: RunPorts,
  { models, ...asked }: RequestOfRun,
  signal: AbortSignal,
): Promise<readonly (RunAnswer | undefined)[]> {
  const { projectId, request } = asked;
  const recorded = await ports.store.readAnswer(request.inferenceId, projectId);
  const problem =
    recorded === undefined ? "its conversation is not stored whole" : ports.models().problemOf(recorded.input);
  if (recorded === undefined || problem !== undefined) {
    return SIDES.map((side) => noAnswer(request, side, { outcome: "skipped", problem: problem ?? null }));
  }
  return await Promise.all(
    SIDES.map((side) => answerSide(ports, { ...asked, recorded, side, model: models[side] }, signal)),
  );
}
