import { NANOS_PER_USD } from "../../hub/money.ts";
import { type DatasetRun, type StoredScore, scoreOf } from "../../store/dashboard/dataset-runs.ts";
import type { InferenceRow } from "../../store/entities/inference.ts";

/** The scores of a run, as rows of `npm run bench:replay` are made of them. */
export interface ReplayScores {
  /** Returns the scores and costs of a request, by models; undefined where it has no scores of both. */
  of(inferenceId: string): ReplayValues | undefined;
}

interface ReplayValues {
  readonly scores: Readonly<Record<string, number>>;
  /** US dollars; absent where an answer has no price: a file has costs in all rows, or in none. */
  readonly cost?: Readonly<Record<string, number>>;
}

/** Reads the scores of a run out of its answers. */
export function readScores({ models }: Pick<DatasetRun, "models">, answers: readonly StoredScore[]): ReplayScores {
  const byRequest = Map.groupBy(answers, ({ inferenceId }) => inferenceId);
  const hasCosts = answers.every(({ outcome, costNanos }) => outcome !== "answered" || costNanos !== null);
  const byModel = (value: (side: number) => number) =>
    Object.fromEntries(models.map((model, side) => [model, value(side)]));
  return {
    of(inferenceId) {
      const own = byRequest.get(inferenceId) ?? [];
      const sides = models.map((_, wanted) => own.find(({ side }) => side === wanted));
      const scores = sides.map((answer) => answer && scoreOf(answer));
      if (scores.includes(undefined)) return undefined;
      const costOf = (side: number): number => (sides[side]?.costNanos ?? 0) / NANOS_PER_USD;
      return { scores: byModel((side) => scores[side] ?? 0), ...(hasCosts && { cost: byModel(costOf) }) };
    },
  };
}

/** Writes a row of `npm run bench:replay`, without line break. */
export function replayRow({ id, model, family }: InferenceRow, prompt: string, values: ReplayValues): string {
  return JSON.stringify({ dataset: family || model, prompt_id: id, prompt, ...values });
}
