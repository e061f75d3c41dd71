import { z } from "zod";
import { projectProcedure, router } from "../access/procedures.ts";
import { chartGroups } from "../figures/chart-groups.ts";
import { savedByKind, show, toColumns } from "../figures/columns.ts";
import { createLabeller, groupKey } from "../figures/labels.ts";
import { listBuckets, planWindow, rangeInput } from "../figures/window.ts";

/** The groupings by model: of the one that answered, and of the one that was asked for. */
const GROUPS = ["none", "servedModel", "model", "key", "workload", "deployment"] as const;

const group = z.enum(GROUPS, { error: `must be one of ${GROUPS.join(", ")}` });

/** The totals of a project's calls. */
export const overviewRouter = router({
  /** Figures of a time, beside those of the period before, and over time by group. */
  figures: projectProcedure("viewer")
    .input(rangeInput.and(z.object({ group })))
    .query(async ({ ctx, input }) => {
      const window = planWindow(input, Date.now());
      const { projectId } = input;
      const [series, keys] = await Promise.all([
        ctx.store.figures.read({ projectId, group: input.group, ...window }),
        input.group === "key" ? ctx.store.keys.list(projectId) : [],
      ]);
      const shown = { fromMs: series.fromMs, toMs: window.toMs, stepMs: series.stepMs };
      const buckets = listBuckets(shown);
      const stepAt = new Map(series.steps.map(({ startMs, measures }) => [startMs, measures]));
      return {
        ...shown,
        askedStepMs: window.stepMs,
        buckets,
        total: {
          ...show(series.total),
          pricedCalls: series.total.pricedCalls,
          saved: savedByKind(series.total),
        },
        compared: { now: show(series.compared.now), before: show(series.compared.before) },
        all: toColumns(buckets.map(({ startMs }) => stepAt.get(startMs))),
        groups: chartGroups(series.points, buckets, { group: input.group, label: createLabeller(keys) }),
      };
    }),

  /**
   * Returns the names that calls can be grouped by, of all time, and the keys, which tell the page what to suggest
   * first.
   */
  names: projectProcedure("viewer").query(async ({ ctx, input }) => {
    const [names, keys] = await Promise.all([
      ctx.store.figures.names(input.projectId),
      ctx.store.keys.list(input.projectId),
    ]);
    const nowMs = Date.now();
    const usable = keys.find(
      ({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || expiresAt.getTime() > nowMs),
    );
    return {
      model: names.models,
      servedModel: names.servedModels,
      key: names.keys,
      workload: names.workloads,
      deployment: names.deployments.map(groupKey),
      usableKey: usable === undefined ? null : { name: usable.name, publicId: usable.publicId },
    };
  }),
});
