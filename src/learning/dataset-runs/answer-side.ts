import { setTimeout as delay } from "node:timers/promises";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { estimateInputTokens } from "../../hub/tokens/estimate-tokens.ts";
import type { BackgroundAnswer, PlannedAttempt } from "../../inference/ports.ts";
import { newId } from "../../lib/ids.ts";
import type { Examples } from "../shadow/examples.ts";
import { mostAnswerTokens, PROMPT_MARGIN } from "../shadow/expected-tokens.ts";
import { Judge } from "../shadow/judge.ts";
import { type JudgeRules, toReadText } from "../shadow/judge-prompt.ts";
import { Spending } from "../shadow/spending.ts";
import type { RecordedAnswer, RunAnswer, RunModels, RunPorts, RunRequest, RunSide } from "./ports.ts";

/** A request of a run, with what all its answers need. */
interface RequestOfRun {
  readonly projectId: string;
  readonly request: RunRequest;
  readonly recorded: RecordedAnswer;
  readonly examples: Examples;
}

/** Calls of one answer at most, while its place fails in ways that pass. */
const MOST_CALLS = 5;
const PAUSE_MS = 1000;
/** The limit of one call. */
const CALL_MS = 300_000;
/** Characters of a text that are kept. */
const MOST_TEXT = 20_000;

/** No answer, and why. */
export function noAnswer(
  { inferenceId }: RunRequest,
  side: RunSide,
  why: Pick<RunAnswer, "outcome" | "problem">,
): RunAnswer {
  return {
    id: newId(),
    inferenceId,
    side,
    ...why,
    inputTokens: 0,
    outputTokens: 0,
    costNanos: null,
    gradeNanos: null,
    latencyMs: null,
    failedChecks: null,
    isGood: null,
    text: "",
  };
}

/**
 * Asks one model for an answer, has it checked and graded, within the budgets. Undefined where a budget has no room
 * for it. What was broken off is an answer that failed: what came of it was paid.
 */
export async function answerSide(
  ports: RunPorts,
  question: RequestOfRun & { readonly side: RunSide; readonly model: string },
  signal: AbortSignal,
): Promise<RunAnswer | undefined> {
  const { projectId, request, recorded, side } = question;
  const [asking, grading] = [new Spending(), new Spending()];
  const failed = (problem: string): RunAnswer => ({
    ...noAnswer(request, side, { outcome: "failed", problem }),
    ...asking.totals,
  });
  const rules = await getRules(question);
  const settle = await ports.budgets.reserve(projectId, Math.ceil(getPrice(ports.models(), question, rules)));
  if (settle === undefined) return undefined;
  try {
    const { answer, latencyMs } = await ask(ports, { ...question, spending: asking }, signal);
    const { response } = answer;
    const answered = { input: recorded.input, response, projectId };
    const failedChecks = await ports.models().check(request.model, answered, signal);
    const isGood = await grade(ports, { ...question, response, rules, spending: grading }, signal);
    return {
      id: newId(),
      inferenceId: request.inferenceId,
      side,
      outcome: "answered",
      problem: null,
      ...asking.totals,
      gradeNanos: grading.totals.costNanos,
      latencyMs,
      failedChecks,
      isGood,
      text: toReadText(response.content).slice(0, MOST_TEXT).toWellFormed(),
    };
  } catch (thrown) {
    return failed(signal.aborted ? "interrupted" : InferenceError.from(thrown).message);
  } finally {
    settle((asking.totals.costNanos ?? 0) + (grading.totals.costNanos ?? 0));
  }
}

async function getRules({ projectId, request, examples }: RequestOfRun): Promise<JudgeRules | undefined> {
  const { judge, inferenceId, model, family } = request;
  if (judge === undefined) return undefined;
  return { rubric: judge.rubric, examples: await examples.of({ projectId, model, family, inferenceId }) };
}

/** Returns the most that an answer and its grade cost, about. */
function getPrice(
  models: RunModels,
  { recorded, request, model }: RequestOfRun & { readonly model: string },
  rules: JudgeRules | undefined,
): number {
  const [planned, judge] = [models.find(model), request.judge && models.find(request.judge.model)];
  if (planned === undefined) return 0;
  const promptTokens = Math.ceil(PROMPT_MARGIN * estimateInputTokens(recorded.input));
  const answerTokens = mostAnswerTokens(recorded, planned);
  const asking = models.price(planned, { input: promptTokens, output: answerTokens });
  if (judge === undefined || rules === undefined) return asking;
  return asking + new Judge({ models, onFailure: () => {} }).price(judge, { rules, promptTokens, answerTokens });
}

interface Asking extends RequestOfRun {
  readonly model: string;
  readonly spending: Spending;
}

/** Asks until there is an answer, a failure that lasts, or a few calls were made. */
async function ask(
  { models, pauseMs = PAUSE_MS }: RunPorts,
  { projectId, recorded, model, spending }: Asking,
  signal: AbortSignal,
): Promise<{ readonly answer: BackgroundAnswer; readonly latencyMs: number }> {
  for (let call = 1; ; call += 1) {
    const planned = models().find(model);
    try {
      if (planned === undefined) throw new InferenceError(ErrorReason.UNAVAILABLE, `${model} has no healthy place`);
      const startMs = performance.now();
      const limited = AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]);
      const answer = await models().answer(planned, { input: recorded.input, projectId }, limited);
      spending.add(answer);
      return { answer, latencyMs: performance.now() - startMs };
    } catch (thrown) {
      if (planned !== undefined) spending.addFailed(thrown, planned, models());
      if (signal.aborted || call === MOST_CALLS || !InferenceError.from(thrown).retryable) throw thrown;
    }
    await delay(pauseMs * call, undefined, { signal });
  }
}

interface Grading extends RequestOfRun {
  readonly response: RecordedAnswer["response"];
  readonly rules: JudgeRules | undefined;
  readonly spending: Spending;
}

/** Returns the judge's grade; null where there is none. */
async function grade(
  { models, onFailure }: RunPorts,
  { projectId, request, recorded, response, rules, spending }: Grading,
  signal: AbortSignal,
): Promise<boolean | null> {
  const planned: PlannedAttempt | undefined = request.judge && models().find(request.judge.model);
  if (planned === undefined || rules === undefined) return null;
  const judge = new Judge({ models: models(), onFailure });
  const limited = AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]);
  return (await judge.grade(planned, { input: recorded.input, response, projectId, rules, spending }, limited)) ?? null;
}
