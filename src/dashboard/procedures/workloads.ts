import type { Measure } from "../../figures/measures.ts";
import { stepStart } from "../../store/dashboard/figures/steps.ts";
import type { DashboardReads } from "../../store/dashboard/reads/reads.ts";
import type { Metric } from "../../store/read/queries/metrics.ts";
import type { MeasuresQuery } from "../../store/read/queries/read-measures.ts";
import { projectProcedure, router } from "../access/procedures.ts";
import { planRollups } from "../feedback/rollup-window.ts";
import { type Bucket, listBuckets, rangeInput } from "../figures/window.ts";

/** Calls of one workload to one model, in one step of time. */
interface WorkloadCalls {
  readonly start: Date;
  readonly workload: string;
  readonly model: string;
  readonly calls: number;
  readonly pricedCalls: number;
  readonly costNanos: number;
}

/** The workload names that calls are labelled with. */
export const workloadsRouter = router({
  /** Workloads that were seen in a time, the most called first; "" is calls that name none. */
  list: projectProcedure.input(rangeInput).query(async ({ ctx, input }) => {
    const window = planRollups(input, Date.now());
    const { projectId } = input;
    const { range, bucket, fromMs, toMs, stepMs } = window;
    const [calls, metrics] = await Promise.all([
      readCalls(ctx.store.reads, { projectId, range, bucket }),
      ctx.store.reads.readMetrics({ projectId, range, bucket: "none", group: "workload" }),
    ]);
    const buckets = listBuckets(window);
    const names = new Set([...calls.map(({ workload }) => workload), ...metrics.map(({ group }) => group ?? "")]);
    const workloads = [...names].map((workload) => ({
      workload,
      ...sumCalls(
        calls.filter((row) => row.workload === workload),
        buckets,
        stepMs,
      ),
      metrics: metrics.filter(({ group }) => group === workload).map(describeMetric),
    }));
    return { fromMs, toMs, stepMs, buckets, workloads: workloads.sort((a, b) => b.calls - a.calls) };
  }),
});

/** Reads what was called, by time, workload and model. */
async function readCalls(
  reads: DashboardReads,
  query: Pick<MeasuresQuery<Measure>, "projectId" | "range" | "bucket">,
): Promise<WorkloadCalls[]> {
  const measures = ["calls", "priced.calls", "cost"] as const;
  const rows = await reads.readMeasures({ ...query, by: ["workload", "model"], measures });
  return rows.map(({ start, group: [workload = "", model = ""], values }) => ({
    start: start ?? query.range.from,
    workload,
    model,
    calls: values.calls,
    pricedCalls: values["priced.calls"],
    costNanos: values.cost,
  }));
}

function sumCalls(rows: readonly WorkloadCalls[], buckets: readonly Bucket[], stepMs: number) {
  const sum = (of: readonly WorkloadCalls[], pick: (row: WorkloadCalls) => number) =>
    of.reduce((total, row) => total + pick(row), 0);
  const models = [...Map.groupBy(rows, ({ model }) => model)].map(([model, own]) => ({
    model,
    calls: sum(own, ({ calls }) => calls),
  }));
  const steps = Map.groupBy(rows, ({ start }) => stepStart(start.getTime(), stepMs));
  const pricedCalls = sum(rows, (row) => row.pricedCalls);
  return {
    calls: sum(rows, ({ calls }) => calls),
    /** Null where the cost of no call is known. */
    costNanos: pricedCalls === 0 ? null : sum(rows, ({ costNanos }) => costNanos),
    pricedCalls,
    models: models.sort((a, b) => b.calls - a.calls),
    callsByStep: buckets.map(({ startMs }) => sum(steps.get(startMs) ?? [], ({ calls }) => calls)),
  };
}

function describeMetric({ name, kind, entries, optimize }: Metric) {
  return { name, kind, entries, optimize: optimize ?? null };
}
