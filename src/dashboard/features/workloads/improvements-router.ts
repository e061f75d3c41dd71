import { z } from "zod";
import { ImproveWorkloadRequestSchema } from "../../../../gen/attune/admin/v1/admin_pb.ts";
import type { DashboardContext } from "../../access/context.ts";
import { comparedText, wholeNumber } from "../../access/fields.ts";
import { atFields } from "../../access/operation-errors.ts";
import { operationProcedure, projectProcedure, router } from "../../access/procedures.ts";

const ofWorkload = z.object({ model: comparedText(1000) });
const calls = wholeNumber(ImproveWorkloadRequestSchema.field.maxCalls);
const modelNames = z.array(comparedText(1000)).max(100).optional();
const text = z.string("must be a text");

/** Improvements of workloads: other models are asked for recorded requests, in the background. */
export const improvementsRouter = router({
  /** The improvement that waits or runs, or else the latest one; null where nobody has asked for any. */
  read: projectProcedure.input(ofWorkload).query(async ({ ctx, input: { projectId, model } }) => {
    const row = await ctx.store.improvements.read({ projectId, model });
    return row === undefined ? null : toView(row);
  }),

  /** The answers by which models are known to be better or worse than base. */
  answers: projectProcedure
    .input(ofWorkload)
    .query(async ({ ctx, input: { projectId, model } }) => await ctx.store.reads.readDeciding({ projectId, model })),

  /** The facts of a workload before one, and the cost. */
  plan: projectProcedure
    .input(ofWorkload.extend({ mostCalls: calls, models: modelNames }))
    .query(({ ctx, input }) => planImprovement(ctx, input)),

  /** The models that nobody has tried yet, and what finding out takes; null where there is nothing to offer. */
  offer: projectProcedure.input(ofWorkload).query(async ({ ctx, input: { projectId, model } }) => {
    const options = await readOptions(ctx, { projectId, model });
    return (await ctx.store.improvements.offer({ projectId, model }, options)) ?? null;
  }),

  /** Asks for one; one that waits or runs already stands for it. */
  request: operationProcedure("improveWorkload")
    .input(
      z.object({
        model: text,
        mostUsd: z.number("must be a number"),
        mostCalls: calls.optional(),
        models: z.array(text).optional(),
      }),
    )
    .mutation(async ({ ctx, input: { projectId: project, model, mostUsd: maxUsd, mostCalls, models } }) => {
      const request = {
        project,
        model,
        maxUsd,
        ...(models && { models }),
        ...(mostCalls !== undefined && { maxCalls: mostCalls }),
      };
      await atFields(ctx.operation(request), { maxUsd: "mostUsd", maxCalls: "mostCalls" });
    }),

  /** Ends the one that waits or runs. */
  cancel: operationProcedure("cancelImprovement")
    .input(ofWorkload)
    .mutation(async ({ ctx, input: { projectId: project, model } }) => {
      await ctx.operation({ project, model });
    }),
});

interface Planned {
  readonly projectId: string;
  readonly model: string;
  readonly mostCalls: number;
  readonly models?: readonly string[] | undefined;
}

async function planImprovement(context: DashboardContext, { projectId, model, mostCalls, models = [] }: Planned) {
  const options = { ...(await readOptions(context, { projectId, model })), mostCalls, models };
  const plan = await context.store.improvements.plan({ projectId, model }, options);
  return {
    ...plan,
    nanos: plan.nanos ?? null,
    flexNanos: plan.flexNanos ?? null,
    judge: plan.judge,
    secondJudge: plan.secondJudge,
  };
}

async function readOptions(
  { store, learning, datasetRuns }: DashboardContext,
  { projectId, model }: Pick<Planned, "projectId" | "model">,
) {
  const { resolved } = (await store.learned.controls(projectId, learning.defaults)).of(model);
  return { controls: resolved, alternativesOf: learning.alternativesOf, priceOf: datasetRuns.priceOf };
}

type Row = NonNullable<Awaited<ReturnType<DashboardContext["store"]["improvements"]["read"]>>>;

function toView(row: Row) {
  const {
    state,
    actorLabel,
    requestedAt,
    endedAt,
    ending,
    mostNanos,
    mostCalls,
    calls: made,
    checks,
    spentNanos,
  } = row;
  return {
    state,
    requestedBy: actorLabel,
    requestedAt,
    endedAt: endedAt ?? null,
    ending: ending ?? null,
    mostNanos: Number(mostNanos),
    mostCalls,
    calls: made,
    checks,
    spentNanos: Number(spentNanos),
  };
}
