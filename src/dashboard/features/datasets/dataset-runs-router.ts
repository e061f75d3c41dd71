import { z } from "zod";
import {
  cancelRun,
  MOST_REQUESTS,
  planRun,
  readRun,
  startRun,
  USUAL_REQUESTS,
} from "../../../operations/dataset-runs.ts";
import { getScore, sumRun } from "../../../store/dashboard/dataset-runs.ts";
import { id } from "../../access/fields.ts";
import { projectProcedure, router } from "../../access/procedures.ts";

/** Requests of a page of answers. */
const PAGE = 10;

const model = z.string("must be the name of a model").min(1, "must not be empty").max(200, "must be a name");
const models = z
  .tuple([model, model], "must be two models")
  .refine(([first, second]) => first !== second, "must be two different models");
const most = z
  .int("must be a whole number")
  .min(1, "must be 1 or more")
  .max(MOST_REQUESTS, `must be ${MOST_REQUESTS} or less`)
  .default(USUAL_REQUESTS);
/** The model that grades answers; that of each request's workload if absent. */
const judge = model.optional();
const runInput = z.object({ id, models, most, judge });

/** Runs of datasets against two models, in the background. */
export const datasetRunsRouter = router({
  /** The runs of a dataset, the newest first, and the models that one may be made against. */
  list: projectProcedure.input(z.object({ id })).query(async ({ ctx, input }) => ({
    runs: await ctx.store.datasetRuns.list(toPlace(input)),
    models: ctx.learning.models.filter((name) => ctx.datasetRuns.mayCall(input.projectId, name)),
  })),

  /** Returns what a run would cost. */
  estimate: projectProcedure
    .input(runInput)
    .query(async ({ ctx, input }) => (await planRun(ctx, { ...input, ...toPlace(input) })).estimate),

  /** Starts a run, if it costs no more than was confirmed. */
  start: projectProcedure
    .input(
      runInput.extend({
        /** The estimate that was shown; null where a model has no price. */
        confirmedNanos: z.int("must be a whole number").min(0, "must be 0 or more").nullable(),
      }),
    )
    .mutation(({ ctx, input }) => startRun(ctx, { ...input, ...toPlace(input) })),

  /** A run with its totals so far. */
  read: projectProcedure.input(z.object({ id })).query(async ({ ctx, input }) => {
    const run = await readRun(ctx.store.datasetRuns, toPlace(input));
    return { run, totals: sumRun(await ctx.store.datasetRuns.answers(run.id)) };
  }),

  /** A page of the answers side by side, with the first words of their requests and what was answered then. */
  answers: projectProcedure.input(z.object({ id, cursor: id.optional() })).query(async ({ ctx, input }) => {
    const run = await readRun(ctx.store.datasetRuns, toPlace(input));
    const cursor = input.cursor?.toLowerCase();
    const pairs = await ctx.store.datasetRuns.page(run.id, { cursor, limit: PAGE });
    return {
      pairs: pairs.map(({ answers, ...pair }) => ({
        ...pair,
        answers: answers.map((answer) => ({ ...answer, score: getScore(answer) ?? null })),
      })),
      next: pairs.length < PAGE ? null : (pairs.at(-1)?.inferenceId ?? null),
    };
  }),

  /** Breaks a run off; its answers so far stay. */
  cancel: projectProcedure.input(z.object({ id })).mutation(({ ctx, input }) => cancelRun(ctx, toPlace(input))),
});

function toPlace({ projectId, id: own }: { readonly projectId: string; readonly id: string }) {
  return { projectId, id: own.toLowerCase() };
}
