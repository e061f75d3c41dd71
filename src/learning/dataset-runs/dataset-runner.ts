import { setTimeout as delay } from "node:timers/promises";
import { Examples } from "../shadow/examples.ts";
import { answerSide, noAnswer } from "./answer-side.ts";
import type { PlannedRun, RunAnswer, RunPorts, RunRequest, RunState } from "./ports.ts";

/** Requests of a run that are asked at a time, each of two models. */
const CONCURRENCY = 4;

const SIDES = [0, 1] as const;

/** Runs of a process at a time. */
const MOST_RUNS = 4;
/** Time limit of the end. */
const CLOSE_LIMIT_MS = 3000;
/** Runs say so often that they go on; see SILENT_MS. */
const BEAT_MS = 10_000;

/** A run that has been silent for so long has ended with its process. */
export const SILENT_MS = 60_000;

/** The runs of datasets that this process makes, in the background. */
export class DatasetRunner {
  readonly #ports: RunPorts;
  readonly #running = new Map<string, { readonly abort: AbortController; readonly ended: Promise<void> }>();
  #isClosed = false;

  constructor(ports: RunPorts) {
    this.#ports = ports;
  }

  /** True if one more run may begin. */
  get hasRoom(): boolean {
    return !this.#isClosed && this.#running.size < MOST_RUNS;
  }

  /** Begins a run that is in the store; returns at once. */
  begin(run: PlannedRun): void {
    const abort = new AbortController();
    const ended = this.#run(run, abort).finally(() => this.#running.delete(run.id));
    this.#running.set(run.id, { abort, ended });
  }

  /** Breaks a run off, where this process makes it; others see at their next beat that they are to end. */
  cancel(id: string): void {
    this.#running.get(id)?.abort.abort();
  }

  /** Breaks all runs off, and resolves once they have ended; a database that is away is waited for no longer. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const running = [...this.#running.values()];
    for (const { abort } of running) abort.abort();
    const ended = Promise.all(running.map((run) => run.ended));
    await Promise.race([ended, delay(CLOSE_LIMIT_MS, undefined, { ref: false })]);
  }

  /** Never rejects. */
  async #run(run: PlannedRun, abort: AbortController): Promise<void> {
    const { store, onFailure } = this.#ports;
    const beat = setInterval(() => {
      store.beat(run.id).then((goesOn) => goesOn || abort.abort(), onFailure);
    }, BEAT_MS);
    let state: RunState;
    try {
      state = await runRequests(this.#ports, run, abort.signal);
      if (state === "cancelled" && this.#isClosed) state = "interrupted";
    } catch (thrown) {
      onFailure(thrown);
      abort.abort();
      state = "interrupted";
    }
    clearInterval(beat);
    await store.end(run.id, state).catch(onFailure);
  }
}

/** Asks both models of a run for every request, and writes what came of each. Resolves to how the run has ended. */
async function runRequests(
  ports: RunPorts,
  { id, projectId, models, requests, mostNanos = Number.POSITIVE_INFINITY }: PlannedRun,
  signal: AbortSignal,
): Promise<RunState> {
  const examples = new Examples(ports.store);
  const queue = requests.values();
  let isOver = false;
  let spentNanos = 0;
  let askedCount = 0;
  const work = async (): Promise<void> => {
    while (!isOver && !signal.aborted) {
      const { value: request } = queue.next();
      if (request === undefined) return;
      const answers = await answerRequest(ports, { projectId, request, models, examples }, signal);
      const known = answers.filter((answer) => answer !== undefined);
      if (known.length > 0) await ports.store.write(id, known);
      for (const { costNanos, gradeNanos } of known) spentNanos += (costNanos ?? 0) + (gradeNanos ?? 0);
      if (known.length === answers.length) askedCount += 1;
      isOver ||= known.length < answers.length || spentNanos > mostNanos;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  if (signal.aborted) return "cancelled";
  return askedCount < requests.length ? "over-budget" : "completed";
}

interface RequestOfRun extends Pick<PlannedRun, "projectId" | "models"> {
  readonly request: RunRequest;
  readonly examples: Examples;
}

/** Returns the answers of both models; undefined in the place of one for which a budget has no room. */
async function answerRequest(
  ports: RunPorts,
  { models, ...question }: RequestOfRun,
  signal: AbortSignal,
): Promise<readonly (RunAnswer | undefined)[]> {
  const { projectId, request } = question;
  const recorded = await ports.store.readAnswer(request.inferenceId, projectId);
  const problem =
    recorded === undefined ? "its conversation is not stored whole" : ports.models().problemOf(recorded.input);
  if (recorded === undefined || problem !== undefined) {
    return SIDES.map((side) => noAnswer(request, side, { outcome: "skipped", problem: problem ?? null }));
  }
  return await Promise.all(
    SIDES.map((side) => answerSide(ports, { ...question, recorded, side, model: models[side] }, signal)),
  );
}
