import { TRPCError } from "@trpc/server";
import { z } from "zod";
import {
  type DatasetRun,
  estimateRun,
  getScore,
  MOST_TIMES_DEARER,
  type RunEstimate,
  type RunRequest,
  sumRun,
} from "../../store/dashboard/dataset-runs.ts";
import type { DashboardContext } from "../access/context.ts";
import { id } from "../access/fields.ts";
import { projectProcedure, router } from "../access/procedures.ts";

/** Most requests of a run, and how many it has if nobody says. */
const MOST_REQUESTS = 1000;
const USUAL_REQUESTS = 100;
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

type WantedRun = z.infer<typeof runInput> & { readonly projectId: string };

/** Runs of datasets against two models, in the background. */
export const datasetRunsRouter = router({
  /** The runs of a dataset, the newest first, and the models that one may be made against. */
  list: projectProcedure.input(z.object({ id })).query(async ({ ctx, input }) => ({
    runs: await ctx.store.datasetRuns.list(toPlace(input)),
    models: ctx.learning.models.filter((name) => ctx.datasetRuns.mayCall(input.projectId, name)),
  })),

  /** Returns what a run would cost. */
  estimate: projectProcedure.input(runInput).query(async ({ ctx, input }) => (await planRun(ctx, input)).estimate),

  /** Starts a run, if it costs no more than was confirmed. */
  start: projectProcedure
    .input(
      runInput.extend({
        /** The estimate that was shown; null where a model has no price. */
        confirmedNanos: z.int("must be a whole number").min(0, "must be 0 or more").nullable(),
      }),
    )
    .mutation(({ ctx, input }) => startRun(ctx, input)),

  /** A run with its totals so far. */
  read: projectProcedure.input(z.object({ id })).query(async ({ ctx, input }) => {
    const run = await readRun(ctx, input);
    return { run, totals: sumRun(await ctx.store.datasetRuns.answers(run.id)) };
  }),

  /** A page of the answers side by side, with the first words of their requests and what was answered then. */
  answers: projectProcedure.input(z.object({ id, cursor: id.optional() })).query(async ({ ctx, input }) => {
    const run = await readRun(ctx, input);
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
  cancel: projectProcedure.input(z.object({ id })).mutation(async ({ ctx, input }) => {
    const place = toPlace(input);
    if (!(await ctx.store.datasetRuns.cancel(place))) throw missing("there is no such run under way");
    ctx.datasetRuns.cancel(place.id);
  }),
});

function toPlace({ projectId, id: own }: { readonly projectId: string; readonly id: string }) {
  return { projectId, id: own.toLowerCase() };
}

function missing(message: string): TRPCError {
  return new TRPCError({ code: "NOT_FOUND", message });
}

function conflict(message: string): TRPCError {
  return new TRPCError({ code: "CONFLICT", message });
}

async function readRun({ store }: DashboardContext, input: Parameters<typeof toPlace>[0]): Promise<DatasetRun> {
  const run = await store.datasetRuns.read(toPlace(input));
  if (run === undefined) throw missing("there is no such run");
  return run;
}

/** Finds the requests of a run with the judges of their workloads, and what it would cost. */
async function planRun(
  { store, learning, datasetRuns }: DashboardContext,
  input: WantedRun,
): Promise<{ readonly requests: readonly RunRequest[]; readonly estimate: RunEstimate }> {
  const { projectId } = input;
  const named = [...input.models.map((name, at) => [`models.${at}`, name] as const), ["judge", input.judge] as const];
  for (const [place, name] of named) {
    if (name === undefined || (learning.models.includes(name) && datasetRuns.mayCall(projectId, name))) continue;
    throw new TRPCError({ code: "BAD_REQUEST", message: `${place}: isn't a model that this project may call` });
  }
  const recorded = await store.datasetRuns.requests(toPlace(input), input.most);
  const controls = await store.learned.controls(projectId, learning.defaults);
  const requests = recorded.map((request) => {
    const { judge: own, rubric } = controls.of(request.model).resolved.shadow;
    const judge = input.judge ?? own;
    return { ...request, judge: judge === undefined ? undefined : { model: judge, rubric } };
  });
  return { requests, estimate: estimateRun(input.models, requests, datasetRuns.priceOf) };
}

async function startRun(
  ctx: DashboardContext,
  { confirmedNanos, ...input }: WantedRun & { readonly confirmedNanos: number | null },
): Promise<{ readonly id: string }> {
  const { store, datasetRuns } = ctx;
  const { projectId } = input;
  const { requests, estimate } = await planRun(ctx, input);
  if (requests.length === 0) throw conflict("the dataset has no request whose texts are stored");
  if (!datasetRuns.keepsTexts(projectId)) throw conflict("the project keeps no texts, and a run keeps its answers");
  if (!datasetRuns.hasRoom) throw conflict("too many runs are under way: try again later");
  if (estimate.nanos !== null && (confirmedNanos === null || estimate.nanos > confirmedNanos)) {
    throw conflict("the run costs more than was confirmed: look at its cost again");
  }
  const estimatedNanos = estimate.nanos;
  const run = { models: input.models, requests: requests.length, estimatedNanos };
  const created = await store.datasetRuns.create(toPlace(input), run);
  if (created === undefined) throw missing("there is no such dataset");
  if (created === "busy") throw conflict("a run of this project is under way: wait for its end, or cancel it");
  const mostNanos = estimatedNanos === null ? undefined : Math.ceil(MOST_TIMES_DEARER * estimatedNanos);
  datasetRuns.begin({ id: created, projectId, models: input.models, requests, mostNanos });
  return { id: created };
}
