import { type DatasetRun, getScore, type StoredScore } from "../../../store/dashboard/dataset-runs.ts";
import type { ExportedInference } from "../../../store/dashboard/export-inferences.ts";
import type { InferenceRow } from "../../../store/entities/inference.ts";
import { NANOS_PER_USD } from "../../../vocabulary/money.ts";
import type { Export } from "../../exports/export.ts";
import type { Procedures } from "../../router.ts";
import type { ContentReader } from "../history/content-reader.ts";
import { exportLine } from "../history/export-line.ts";

type Planner = Procedures["datasets"]["exportPlan"];
type Form = Awaited<ReturnType<Planner>>["form"];

/** The requests of a dataset, the newest first. */
export const datasetExport: Export<Planner> = {
  planner: (procedures) => procedures.datasets.exportPlan,
  file: ({ form }) => ({ name: `dataset-${form}`, format: "jsonl" }),
  async *lines({ form, rated, run, ...place }, { store, contents }, signal) {
    const scores = run && readScores(run, await store.datasetRuns.answers(run.id));
    for await (const inference of store.datasets.export(place, signal)) {
      const { feedback } = inference.row;
      const isGood = feedback !== null && feedback.good > feedback.bad;
      if (rated === "good" && !isGood) continue;
      if (scores !== undefined) yield await replayLine(inference, scores, contents);
      else if (form === "records") yield* exportLine(inference, contents);
      else if (form !== "replay") yield await exampleLine(inference, form, contents);
    }
  },
};

/** Returns nothing for what has no texts, and for what the form cannot hold. */
async function exampleLine(
  { row, body }: ExportedInference,
  form: Exclude<Form, "records" | "replay">,
  contents: ContentReader,
): Promise<string> {
  if (body === undefined || row.status !== "completed") return "";
  const isBad = row.feedback !== null && row.feedback.bad > row.feedback.good;
  if (isBad && form === "anthropic") return "";
  const line = await contents.read("trainingExample", { projectId: row.projectId, body }, { form, isBad });
  return line === undefined ? "" : `${line}\n`;
}

/** Returns nothing for what the run has no scores of both models of, and for what has no texts any more. */
async function replayLine(
  { row, body }: ExportedInference,
  scores: ReplayScores,
  contents: ContentReader,
): Promise<string> {
  const values = scores.of(row.id);
  if (body === undefined || values === undefined) return "";
  const prompt = await contents.read("promptText", { projectId: row.projectId, body });
  return prompt === undefined ? "" : `${replayRow(row, prompt, values)}\n`;
}

/** The scores of a run, as rows of `npm run bench:replay` are made of them. */
interface ReplayScores {
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
      const scores = sides.map((answer) => answer && getScore(answer));
      if (scores.includes(undefined)) return undefined;
      const getCost = (side: number): number => (sides[side]?.costNanos ?? 0) / NANOS_PER_USD;
      return { scores: byModel((side) => scores[side] ?? 0), ...(hasCosts && { cost: byModel(getCost) }) };
    },
  };
}

/** Writes a row of `npm run bench:replay`, without line break. */
export function replayRow({ id, model, family }: InferenceRow, prompt: string, values: ReplayValues): string {
  return JSON.stringify({ dataset: family || model, prompt_id: id, prompt, ...values });
}
