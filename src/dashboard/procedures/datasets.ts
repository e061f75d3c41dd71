import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { MOST_DATASETS, MOST_ROWS } from "../../store/dashboard/datasets.ts";
import type { HistoryQuery } from "../../store/dashboard/reads/list-history.ts";
import type { DashboardContext } from "../access/context.ts";
import { displayName, id } from "../access/fields.ts";
import { projectProcedure, router } from "../access/procedures.ts";
import { TRAINING_FORMS } from "../datasets/training-example.ts";
import { describeRequest } from "../history/describe-request.ts";
import { historyCursor, historyFilter, toQuery } from "../history/filter.ts";

/** Forms of an export: training data, rows of `npm run bench:replay`, or all that is known of each request. */
const FORMS = [...TRAINING_FORMS, "replay", "records"] as const;
const RATED = ["all", "good"] as const;

/** Requests that are looked at together, and the time limit of adding what a filter lets through. */
const PAGE = 500;
const ADD_MS = 20_000;

const inferenceIds = z
  .array(id, "must be a list of ids")
  .min(1, "must not be empty")
  .max(PAGE, `must have at most ${PAGE}`);
const limit = z.int("must be a whole number").min(1, "must be 1 or more").max(100, "must be 100 or less").default(50);

/** Requests that are kept under a name. */
export const datasetsRouter = router({
  list: projectProcedure.query(({ ctx, input }) => ctx.store.datasets.list(input.projectId)),

  create: projectProcedure.input(z.object({ name: displayName })).mutation(async ({ ctx, input }) => {
    const created = await ctx.store.datasets.create(input.projectId, input.name);
    if (created !== undefined) return { id: created };
    const message = `name: is taken, or the project has ${MOST_DATASETS} datasets, the most`;
    throw new TRPCError({ code: "CONFLICT", message });
  }),

  remove: projectProcedure.input(z.object({ id })).mutation(async ({ ctx, input }) => {
    if (!(await ctx.store.datasets.remove(toPlace(input)))) throw missing();
  }),

  /** Adds requests by their ids. */
  add: projectProcedure.input(z.object({ id, inferenceIds })).mutation(async ({ ctx, input }) => {
    const added = await ctx.store.datasets.add(toPlace(input), input.inferenceIds.map(toLowerCase));
    if (added === undefined) throw missing();
    return { added };
  }),

  /** Adds what a filter lets through, the newest first, for a limited time. */
  addFiltered: projectProcedure
    .input(z.object({ id, filter: historyFilter }))
    .mutation(({ ctx, input }) => addFiltered(ctx, toPlace(input), toQuery(input.projectId, input.filter))),

  /** Takes a request out. */
  drop: projectProcedure.input(z.object({ id, inferenceId: id })).mutation(async ({ ctx, input }) => {
    if (await ctx.store.datasets.drop(toPlace(input), input.inferenceId.toLowerCase())) return;
    throw new TRPCError({ code: "NOT_FOUND", message: "the dataset does not have this request" });
  }),

  /** A page of the requests of a dataset, with their first words, the newest first. */
  rows: projectProcedure.input(z.object({ id, cursor: historyCursor, limit })).query(async ({ ctx, input }) => {
    const dataset = await readDataset(ctx, toPlace(input));
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
      const { rows, ...dataset } = await readDataset(ctx, toPlace(input));
      const run = input.form === "replay" ? await readLatestRun(ctx, toPlace(input)) : undefined;
      return { projectId: input.projectId, id: dataset.id, rows, form: input.form, rated: input.rated, run };
    }),
});

function toPlace({ projectId, id: own }: { readonly projectId: string; readonly id: string }) {
  return { projectId, id: own.toLowerCase() };
}

function toLowerCase(text: string): string {
  return text.toLowerCase();
}

function missing(): TRPCError {
  return new TRPCError({ code: "NOT_FOUND", message: "there is no such dataset" });
}

async function readDataset({ store }: DashboardContext, { projectId, id: own }: ReturnType<typeof toPlace>) {
  const dataset = (await store.datasets.list(projectId)).find((known) => known.id === own);
  if (dataset === undefined) throw missing();
  return dataset;
}

/** Finds the run whose scores a replay gets: the latest that is not under way. */
async function readLatestRun({ store }: DashboardContext, place: ReturnType<typeof toPlace>) {
  const run = (await store.datasetRuns.list(place)).find(({ state }) => state !== "running");
  if (run !== undefined) return { id: run.id, models: run.models };
  const message = "form: rows of a replay have scores of two models: run the dataset first";
  throw new TRPCError({ code: "CONFLICT", message });
}

/** Resolves to how many requests are new, and whether all were looked at. */
async function addFiltered(
  { store }: DashboardContext,
  place: ReturnType<typeof toPlace>,
  query: Omit<HistoryQuery, "limit">,
): Promise<{ readonly added: number; readonly isComplete: boolean }> {
  const deadline = performance.now() + ADD_MS;
  let added = 0;
  let found = 0;
  for (let cursor: string | undefined; ; ) {
    const page = await store.reads.listHistory({ ...query, cursor, limit: PAGE });
    const fresh =
      page.rows.length === 0
        ? 0
        : await store.datasets.add(
            place,
            page.rows.map((row) => row.id),
          );
    if (fresh === undefined) throw missing();
    added += fresh;
    found += page.rows.length;
    cursor = page.next;
    if (cursor === undefined) return { added, isComplete: true };
    if (found >= MOST_ROWS || performance.now() > deadline) return { added, isComplete: false };
  }
}
