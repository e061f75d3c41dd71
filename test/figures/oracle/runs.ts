import type { InferenceRow } from "../../../src/store/entities/inference.ts";
import type { Answer } from "./history.ts";
import * as naive from "./naive.ts";
import { by, HOUR, sum } from "./naive.ts";
import { type Asked, NO_FIGURE, type Page } from "./page.ts";
import { newestFirst } from "./requests.ts";

/** A session ends two hours after its last call began. */
const PAUSE = 2 * HOUR;

/** Returns the calls of the latest run of a session and of those that it began, and whether there was a run before. */
function runOf(calls: readonly InferenceRow[], sessionId: string) {
  const own = newestFirst(calls.filter((call) => call.sessionId === sessionId));
  const pause = own.findIndex((call, at) => at > 0 && naive.timeOf(own[at - 1] ?? call) - naive.timeOf(call) > PAUSE);
  const latest = pause === -1 ? own : own.slice(0, pause);
  const [firstId, endMs] = [latest.at(-1)?.id ?? "", naive.timeOf(own[0] ?? { id: "" }) + PAUSE];
  const inRun = calls.filter((call) => call.id >= firstId && naive.timeOf(call) < endMs);
  const known = [sessionId];
  // Sessions are added while they are gone through.
  for (const parent of known) {
    const begun = inRun.filter((call) => call.parentSessionId === parent).flatMap((call) => call.sessionId ?? []);
    known.push(...new Set(begun).difference(new Set(known)));
  }
  const begun = inRun.filter((call) => call.sessionId !== sessionId && known.includes(call.sessionId ?? ""));
  return { calls: newestFirst([...latest, ...begun]).reverse(), hasEarlier: latest.length < own.length };
}

const tokensOf = (call: InferenceRow) => naive.sent([call]) + naive.answered([call]);

/** The totals of a run. */
export function session({ history, pick }: Asked): ReturnType<Page<"sessions.read">> | undefined {
  const sessionId = pick(["run-1", "run-2"]);
  const { calls, hasEarlier } = runOf(history.calls, sessionId);
  if (calls.length === 0) return undefined;
  const sessions = new Set(calls.map((call) => call.sessionId));
  const startMs = Math.min(...calls.map(({ startedAt }) => startedAt.getTime()));
  return {
    input: { sessionId, offset: 0 },
    output: {
      // A line for each call, and for each session that another one began.
      stepCount: calls.length + sessions.size - 1,
      hasEarlier,
      isCut: false,
      steps: NO_FIGURE,
      continued: NO_FIGURE,
      parentSessionId: NO_FIGURE,
      feedback: NO_FIGURE,
      totals: {
        calls: calls.length,
        failed: naive.failed(calls).length,
        sessions: sessions.size,
        promptTokens: naive.sent(calls),
        cachedTokens: sum(calls, ({ cacheReadTokens }) => cacheReadTokens),
        outputTokens: naive.answered(calls),
        pricedCalls: naive.priced(calls).length,
        costNanos: naive.cost(calls),
        startMs,
        tookMs: Math.max(...calls.map(({ startedAt, latencyMs }) => startedAt.getTime() + latencyMs)) - startMs,
        models: by(calls, naive.answeredBy).map(([model, own]) => ({ model, calls: own.length })),
      },
    },
  };
}

/** The calls of a run in order of time. */
export function timeline({ history, pick }: Asked): ReturnType<Page<"sessions.timeline">> | undefined {
  const sessionId = pick(["run-1", "run-2"]);
  const { calls } = runOf(history.calls, sessionId);
  if (calls.length === 0) return undefined;
  const numbered = calls.map((call, at) => ({ call, number: at + 1 }));
  const inTime = numbered.toSorted((a, b) => a.call.startedAt.getTime() - b.call.startedAt.getTime());
  return {
    input: { sessionId },
    output: {
      calls: inTime.map(({ call, number }) => ({
        line: NO_FIGURE,
        depth: NO_FIGURE,
        number,
        startMs: call.startedAt.getTime(),
        latencyMs: call.latencyMs,
        isFailed: call.status === "failed",
        tokens: tokensOf(call),
        costNanos: call.costNanos ?? 0,
      })),
    },
  };
}

/** The datasets, with the requests that each lists. */
export function datasets({ history }: Asked): ReturnType<Page<"datasets.list">> {
  const rows = new Set(history.run.answers.map(({ inferenceId }) => inferenceId)).size;
  return {
    input: {},
    output: [{ id: NO_FIGURE, name: "one", createdBy: NO_FIGURE, createdAt: NO_FIGURE, rows }],
  };
}

/** Zero or one: an answer that failed a check, or that the judge found wanting, is not good; undefined if skipped. */
function scoreOf({ outcome, failedChecks, isGood }: Answer): 0 | 1 | undefined {
  if (outcome === "skipped") return undefined;
  const isWanting = outcome === "failed" || (failedChecks ?? "") !== "" || isGood === false;
  return isWanting ? 0 : 1;
}

const NOTHING_OF_RUN = {
  id: NO_FIGURE,
  models: NO_FIGURE,
  estimatedNanos: NO_FIGURE,
  state: NO_FIGURE,
  createdBy: NO_FIGURE,
  createdAt: NO_FIGURE,
  endedAt: NO_FIGURE,
};

/** The totals of a run of a dataset. */
export function datasetRun({ history: { run } }: Asked): ReturnType<Page<"datasetRuns.read">> {
  const { id, answers } = run;
  const pairs = by(answers, ({ inferenceId }) => inferenceId).map(([, own]) => own.toSorted((a, b) => a.side - b.side));
  const scores = pairs.map((pair) => pair.map(scoreOf));
  const compared = scores.filter(([one, other]) => one !== undefined && other !== undefined);
  const isUnanswered = (pair: readonly Answer[]) => pair.every(({ outcome }) => outcome === "failed");
  const unanswered = pairs.filter(isUnanswered).length;
  const wins = ([0, 1] as const).map(
    (side) => compared.filter((pair) => (pair[side] ?? 0) > (pair[1 - side] ?? 0)).length,
  );
  const [first = 0, second = 0] = wins;
  const ties = compared.length - first - second - unanswered;
  const known = (values: readonly (number | null)[]) =>
    values.every((value) => value === null) ? null : sum(values, (value) => value);
  const sides = ([0, 1] as const).map((side) => {
    const own = answers.filter((answer) => answer.side === side);
    const answered = own.filter(({ outcome }) => outcome === "answered");
    const times = answered.map(({ latencyMs }) => latencyMs);
    return {
      answered: answered.length,
      failed: own.filter(({ outcome }) => outcome === "failed").length,
      passed: answered.filter(({ failedChecks }) => failedChecks === "").length,
      graded: answered.filter(({ isGood }) => isGood !== null).length,
      good: answered.filter(({ isGood }) => isGood === true).length,
      wins: wins[side] ?? 0,
      costNanos: known(own.map(({ costNanos }) => costNanos)),
      medianMs: naive.percentile(times, 0.5),
      p95Ms: naive.percentile(times, 0.95),
    };
  });
  const all = first + second + ties;
  return {
    input: { id },
    output: {
      run: { ...NOTHING_OF_RUN, requests: pairs.length },
      totals: {
        done: pairs.length,
        skipped: pairs.filter(([one]) => one?.outcome === "skipped").length,
        ties,
        unanswered,
        sides: sides as never,
        difference: all === 0 ? null : { mean: (second - first) / all, low: NO_FIGURE, high: NO_FIGURE },
        gradeNanos: known(answers.map(({ gradeNanos }) => gradeNanos)),
      },
    },
  };
}

/** The answers of a run of a dataset side by side: its newest requests. */
export function datasetAnswers({ history: { run } }: Asked): ReturnType<Page<"datasetRuns.answers">> {
  const pairs = by(run.answers, ({ inferenceId }) => inferenceId).toSorted(([a], [b]) => (a < b ? 1 : -1));
  return {
    input: { id: run.id },
    output: {
      next: NO_FIGURE,
      pairs: pairs.slice(0, 10).map(([inferenceId, answers]) => ({
        inferenceId,
        prompt: NO_FIGURE,
        recordedAnswer: NO_FIGURE,
        recordedModel: NO_FIGURE,
        answers: answers.map(({ failedChecks, ...answer }) => ({
          inferenceId,
          side: answer.side,
          outcome: answer.outcome,
          problem: NO_FIGURE,
          text: NO_FIGURE,
          inputTokens: answer.inputTokens,
          outputTokens: answer.outputTokens,
          costNanos: answer.costNanos,
          gradeNanos: answer.gradeNanos,
          latencyMs: answer.latencyMs,
          isGood: answer.isGood,
          failedChecks: NO_FIGURE,
          score: scoreOf({ ...answer, failedChecks }) ?? null,
        })),
      })),
    },
  };
}
