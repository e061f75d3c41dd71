import { z } from "zod";
import { comparedText } from "../../access/fields.ts";
import { projectProcedure, router } from "../../access/procedures.ts";
import type { AuditShare, DashboardDependencies } from "../../dependencies.ts";
import { planHours, rangeInput } from "../../figures/window.ts";
import { compareMetrics } from "./compare-metrics.ts";

/** Names are bounded where they come in; a longer one is none. */
const MAX_NAME_LENGTH = 1000;

const workload = comparedText(MAX_NAME_LENGTH);

/** Models beside each other, and where they are served. */
export const modelsRouter = router({
  /**
   * Returns the deployments as this process was configured, with their health as it knows it: one that just started
   * knows little.
   */
  deployments: projectProcedure.query(({ ctx }) => ({
    configuredAt: ctx.configuredAt(),
    deployments: ctx.deployments().map(({ health, ...place }) => {
      const { peakMs = null, headroom = null, isOut, returned, inFlight, failures, hasSucceeded } = health;
      const host = ctx.hostOf(place.upstream) ?? null;
      const prices = listPrices(place, ctx.priceOf);
      return { ...place, host, prices, isOut, returned, inFlight, peakMs, headroom, failures, hasSucceeded };
    }),
  })),
  /** Returns the keys of upstreams that have several, by their places in the configuration. */
  upstreamKeys: projectProcedure.query(({ ctx }) =>
    ctx.upstreamKeys().map(({ headroom = null, ...key }) => ({ ...key, headroom })),
  ),
  /** Returns how the answers of deployments compare with those of their model's first deployment. */
  audits: projectProcedure.query(({ ctx }) =>
    ctx.audits().map(({ key, standing, difference, report }) => ({
      model: key.model,
      upstream: key.place.upstream,
      upstreamModel: key.place.model,
      standing,
      differentBy: difference?.by ?? [],
      samples: report.samples,
      match: viewShare(report.match),
      baseMatch: viewShare(report.baseMatch),
      distance: report.distance ?? null,
      baseDistance: report.baseDistance ?? null,
    })),
  ),
  /** Observed means of what each model served: of all workloads, or of one; "" is calls that name none. */
  compare: projectProcedure
    .input(rangeInput.and(z.object({ workload: workload.optional() })))
    .query(async ({ ctx, input }) => {
      const { fromMs, toMs } = planHours(input, Date.now());
      const models = await ctx.store.reads.compareModels({
        projectId: input.projectId,
        range: { from: new Date(fromMs), to: new Date(toMs) },
        workload: input.workload,
      });
      return {
        fromMs,
        toMs,
        models: models.map(({ metrics: _, figures, errors = null, ...model }) => ({
          ...model,
          errors,
          calls: figures.calls,
          costNanosPerCall: figures["priced.cost.mean"],
          latency: {
            total: {
              p50Ms: figures["completed.latency.p50"],
              p95Ms: figures["completed.latency.p95"],
              p99Ms: figures["completed.latency.p99"],
            },
            firstToken: {
              p50Ms: figures["completed.firstToken.p50"],
              p95Ms: figures["completed.firstToken.p95"],
              p99Ms: figures["completed.firstToken.p99"],
            },
          },
          tokensPerSecond: figures["completed.tokensPerSecond"],
        })),
        metrics: compareMetrics(models),
      };
    }),
});

/** Lists the different prices of the models of a place, as input and output in pico-USD per token. */
function listPrices(
  { models, upstream, upstreamModel }: Omit<ReturnType<DashboardDependencies["deployments"]>[number], "health">,
  priceOf: DashboardDependencies["priceOf"],
) {
  const prices = models.flatMap((model) => {
    const price = priceOf(model, { upstream, model: upstreamModel });
    return price === undefined ? [] : [{ inputPicos: price.input, outputPicos: price.output }];
  });
  return prices.filter(
    (one, at) =>
      prices.findIndex((other) => other.inputPicos === one.inputPicos && other.outputPicos === one.outputPicos) === at,
  );
}

/** Null where nothing was counted. */
function viewShare({ estimate, low, high }: AuditShare) {
  return estimate === undefined ? null : { estimate, low, high };
}
