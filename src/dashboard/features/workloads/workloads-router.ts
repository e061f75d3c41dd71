import type { CallStep } from "../../../store/dashboard/figures/read-call-steps.ts";
import type { Metric } from "../../../store/read/queries/metrics.ts";
import { projectProcedure, router } from "../../access/procedures.ts";
import { type Bucket, listBuckets, planWindow, rangeInput } from "../../figures/window.ts";

/** The workload names that calls are labelled with. */
export const workloadsRouter = router({
  /** Workloads that were seen in a time, the most called first; "" is calls that name none. */
  list: projectProcedure.input(rangeInput).query(async ({ ctx, input }) => {
    const window = planWindow(input, Date.now());
    const { projectId } = input;
    const { toMs } = window;
    const { reads } = ctx.store;
    const [{ fromMs, stepMs, groups: calls }, metrics] = await Promise.all([
      reads.readCallSteps({ projectId, by: ["workload", "model"], ...window }),
      reads.readMetricTotals({ projectId, group: "workload", ...window }),
    ]);
    const buckets = listBuckets({ fromMs, toMs, stepMs });
    const names = new Set([...calls.map(({ group: [name = ""] }) => name), ...metrics.map(({ group }) => group ?? "")]);
    const workloads = [...names].map((workload) => ({
      workload,
      ...sumCalls(
        calls.filter(({ group: [name = ""] }) => name === workload),
        buckets,
      ),
      metrics: metrics.filter(({ group }) => group === workload).map(describeMetric),
    }));
    return { fromMs, toMs, stepMs, buckets, workloads: workloads.sort((a, b) => b.calls - a.calls) };
  }),
});

function sumCalls(rows: readonly CallStep[], buckets: readonly Bucket[]) {
  const sum = (name: "calls" | "cost" | "priced.calls", of = rows) =>
    of.reduce((total, { values }) => total + values[name], 0);
  const models = [...Map.groupBy(rows, ({ group: [, model = ""] }) => model)].map(([model, own]) => ({
    model,
    calls: sum("calls", own),
  }));
  const steps = Map.groupBy(rows, ({ startMs }) => startMs);
  const pricedCalls = sum("priced.calls");
  return {
    calls: sum("calls"),
    /** Null where the cost of no call is known. */
    costNanos: pricedCalls === 0 ? null : sum("cost"),
    pricedCalls,
    models: models.sort((a, b) => b.calls - a.calls),
    callsByStep: buckets.map(({ startMs }) => sum("calls", steps.get(startMs) ?? [])),
  };
}

function describeMetric({ name, kind, entries, optimize }: Metric) {
  return { name, kind, entries, optimize: optimize ?? null };
}
