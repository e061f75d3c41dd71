import { z } from "zod";
import { readScoredRun } from "../../../operations/dataset-runs.ts";
import {
  addFiltered,
  addRequests,
  createDataset,
  dropRequest,
  readDataset,
  removeDataset,
} from "../../../operations/datasets.ts";
import { id } from "../../access/fields.ts";
import { projectProcedure, router } from "../../access/procedures.ts";
import { describeRequest } from "../history/describe-request.ts";
import { historyCursor, historyFilter, toQuery } from "../history/filter.ts";
import { TRAINING_FORMS } from "./training-example.ts";

/** Forms of an export: training data, rows of `npm run bench:replay`, or all that is known of each request. */
const FORMS = [...TRAINING_FORMS, "replay", "records"] as const;
const RATED = ["all", "good"] as const;

/** Most requests that are added by their ids at a time. */
const PAGE = 500;

const inferenceIds = z
  .array(id, "must be a list of ids")
  .min(1, "must not be empty")
  .max(PAGE, `must have at most ${PAGE}`);
const limit = z.int("must be a whole number").min(1, "must be 1 or more").max(100, "must be 100 or less").default(50);

/** Requests that are kept under a name. */
export const datasetsRouter = router({
  list: projectProcedure.query(({ ctx, input }) => ctx.store.datasets.list(input.projectId)),

  create: projectProcedure
    .input(z.object({ name: z.string("must be a text") }))
    .mutation(({ ctx, input }) => createDataset(ctx.store.datasets, input.projectId, input.name)),

  remove: projectProcedure
    .input(z.object({ id }))
    .mutation(({ ctx, input }) => removeDataset(ctx.store.datasets, toPlace(input))),

  /** Adds requests by their ids. */
  add: projectProcedure.input(z.object({ id, inferenceIds })).mutation(async ({ ctx, input }) => {
    const ids = input.inferenceIds.map((each) => each.toLowerCase());
    return { added: await addRequests(ctx.store.datasets, toPlace(input), ids) };
  }),

  /** Adds what a filter lets through, the newest first, for a limited time. */
  addFiltered: projectProcedure
    .input(z.object({ id, filter: historyFilter }))
    .mutation(({ ctx, input }) => addFiltered(ctx.store, toPlace(input), toQuery(input.projectId, input.filter))),

  /** Takes a request out. */
  drop: projectProcedure
    .input(z.object({ id, inferenceId: id }))
    .mutation(({ ctx, input }) => dropRequest(ctx.store.datasets, toPlace(input), input.inferenceId.toLowerCase())),

  /** A page of the requests of a dataset, with their first words, the newest first. */
  rows: projectProcedure.input(z.object({ id, cursor: historyCursor, limit })).query(async ({ ctx, input }) => {
    const dataset = await readDataset(ctx.store.datasets, toPlace(input));
    const { projectId, cursor, limit: most } = input;
    const page = await ctx.store.reads.readDataset({ projectId, datasetId: dataset.id, cursor, limit: most });
    return { dataset, rows: page.rows.map(describeRequest), next: page.next ?? null };
  }),

  /** Returns what an export holds; the export asks this before it begins. */
  exportPlan: projectProcedure
    .input(
      z.object({
        id,
        form: z.enum(FORMS, `must be one of ${FORMS.join(", ")}`),
        /** `good`: those with more good feedback than bad. */
        rated: z.enum(RATED, "must be all or good").default("all"),
      }),
    )
    .query(async ({ ctx, input }) => {
      const { rows, ...dataset } = await readDataset(ctx.store.datasets, toPlace(input));
      const scored = input.form === "replay" ? await readScoredRun(ctx.store.datasetRuns, toPlace(input)) : undefined;
      const run = scored && { id: scored.id, models: scored.models };
      return { projectId: input.projectId, id: dataset.id, rows, form: input.form, rated: input.rated, run };
    }),
});

function toPlace({ projectId, id: own }: { readonly projectId: string; readonly id: string }) {
  return { projectId, id: own.toLowerCase() };
}
