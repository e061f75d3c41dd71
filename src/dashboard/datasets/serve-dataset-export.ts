import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { ExportedInference } from "../../store/dashboard/export-inferences.ts";
import { createContext } from "../access/context.ts";
import type { DashboardDependencies } from "../dependencies.ts";
import type { ContentReader } from "../history/content-reader.ts";
import { exportLine } from "../history/export-line.ts";
import { EXPORT_TYPES, fileTime, readInput, refuse } from "../history/serve-export.ts";
import { dashboardRouter, type Procedures } from "../router.ts";
import { type ReplayScores, readScores, replayRow } from "./replay-row.ts";

type ExportPlan = Procedures["datasets"]["exportPlan"];
type Plan = Awaited<ReturnType<ExportPlan>>;

/**
 * Registers GET /dataset: the requests of a dataset as JSON lines, the newest first. The parameter `input` is that of a
 * procedure, and who may ask is what the procedure `exportPlan` says.
 */
export async function serveDatasetExport(
  app: FastifyInstance,
  { dependencies }: { readonly dependencies: DashboardDependencies },
): Promise<void> {
  app.get("/dataset", async (request, reply) => {
    try {
      const procedures = dashboardRouter.createCaller(createContext(dependencies, { req: request, res: reply }));
      const plan = await procedures.datasets.exportPlan(readInput(request) as Parameters<ExportPlan>[0]);
      return await reply
        .type(EXPORT_TYPES.jsonl)
        .header("content-disposition", `attachment; filename="attune-dataset-${plan.form}-${fileTime()}.jsonl"`)
        .send(Readable.from(writeLines(dependencies, plan, reply), { objectMode: false, highWaterMark: 2 ** 16 }));
    } catch (thrown) {
      return await refuse(dependencies, reply, thrown);
    }
  });
}

/** A failure in the middle breaks the connection off, so that what is missing does not look like the end. */
async function* writeLines(
  { store, contents, log }: DashboardDependencies,
  { form, rated, run, ...place }: Plan,
  reply: FastifyReply,
): AsyncGenerator<string | Uint8Array> {
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  try {
    const scores = run && readScores(run, await store.datasetRuns.answers(run.id));
    for await (const inference of store.datasets.export(place, gone.signal)) {
      const { feedback } = inference.row;
      const isGood = feedback !== null && feedback.good > feedback.bad;
      if (rated === "good" && !isGood) continue;
      if (scores !== undefined) yield await replayLine(inference, scores, contents);
      else if (form === "records") yield* exportLine(inference, contents);
      else if (form !== "replay") yield await exampleLine(inference, form, contents);
    }
  } catch (error) {
    log.error({ err: error }, "an export failed");
    throw error;
  }
}

/** Returns nothing for what has no texts, and for what the form cannot hold. */
async function exampleLine(
  { row, body }: ExportedInference,
  form: Exclude<Plan["form"], "records" | "replay">,
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
