import { type Estimate, estimateShare } from "../../../figures/estimates.ts";
import type { Measure, Values } from "../../../figures/measures.ts";
import { Tally } from "../../../figures/tally.ts";
import type { Store } from "../../types/store.ts";
import { type Metric, readMetrics } from "./metrics.ts";
import type { TimeRange } from "./range.ts";
import { readMeasures } from "./read-measures.ts";

/** The query of a comparison of models. */
interface ComparisonQuery {
  readonly projectId: string;
  readonly range: TimeRange;
  /** undefined is all workloads. */
  readonly workload?: string | undefined;
}

/** The measures of a model that answered. */
export const COMPARED = [
  ...(["calls", "failed.calls", "priced.cost.mean", "completed.tokensPerSecond"] as const),
  ...(["completed.latency.p50", "completed.latency.p95", "completed.latency.p99"] as const),
  ...(["completed.firstToken.p50", "completed.firstToken.p95", "completed.firstToken.p99"] as const),
] as const satisfies readonly Measure[];

/** One model beside the others, by what it answered, or failed to. */
export interface ModelComparison {
  readonly model: string;
  readonly figures: Values<(typeof COMPARED)[number]>;
  /** Its calls by the model that they asked for, the most used first. */
  readonly asked: readonly RequestedCalls[];
  /** Calls that asked for it, whichever model answered. */
  readonly askedCalls: number;
  /** Its part of all calls, 0 to 1. */
  readonly share: number;
  /** The part of its calls that failed, with its interval; those that the caller gave up are no failures. */
  readonly errors: Estimate | undefined;
  readonly metrics: readonly Metric[];
}

/** Calls that asked for a model. */
interface RequestedCalls {
  readonly model: string;
  readonly calls: number;
}

/**
 * Compares the models that answered in a workload, the most used first. Models that nobody asked for are among them.
 */
export async function compareModels(store: Store, query: ComparisonQuery): Promise<ModelComparison[]> {
  const { projectId, range, workload } = query;
  const whole = { projectId, range, bucket: "none", filter: { workload } } as const;
  const [answered, pairs, metrics] = await Promise.all([
    readMeasures(store, { ...whole, by: ["servedModel"], measures: COMPARED }),
    readMeasures(store, { ...whole, by: ["servedModel", "model"], measures: ["calls"] }),
    readMetrics(store, { ...whole, group: "servedModel" }),
  ]);
  const calls = pairs.map(({ group: [served = "", asked = ""], values }) => ({ served, asked, calls: values.calls }));
  const all = sumCalls(calls);
  const compared = [...new Set(pairs.flatMap(({ group }) => group))].map((model) => {
    const figures = answered.find(({ group }) => group[0] === model)?.values ?? new Tally(COMPARED).values();
    const own = calls.filter(({ served }) => served === model).map(({ asked, calls }) => ({ model: asked, calls }));
    return {
      model,
      figures,
      share: figures.calls / all,
      asked: own.sort((a, b) => b.calls - a.calls),
      askedCalls: sumCalls(calls.filter(({ asked }) => asked === model)),
      errors: figures.calls === 0 ? undefined : estimateShare(figures.calls, figures["failed.calls"]),
      metrics: metrics.filter(({ group }) => group === model),
    };
  });
  return compared.sort((a, b) => b.figures.calls - a.figures.calls);
}

function sumCalls(rows: readonly { readonly calls: number }[]): number {
  return rows.reduce((sum, { calls }) => sum + calls, 0);
}
