import type { ComparisonQuery, ModelComparison } from "../../read/queries/compare-models.ts";
import { type Estimate, estimateShare } from "../../read/queries/confidence.ts";
import type { TimeRange } from "../../read/queries/range.ts";
import type { DashboardReads } from "../reads/reads.ts";
import type { FigureSeries, FiguresQuery } from "./read-figures.ts";
import type { UsedNames } from "./read-names.ts";

/** One model beside the others, with how sure its rate of errors is. */
export interface ModelFigures extends ModelComparison {
  readonly errors: Estimate;
}

/** The totals of a project's calls. */
export interface Figures {
  /** Reads calls, tokens, costs and times over time, by group. */
  read(query: FiguresQuery): Promise<FigureSeries>;
  /** Compares the models of a workload, the most used first. */
  compareModels(query: ComparisonQuery): Promise<ModelFigures[]>;
  /** Counts the calls of a time, in whole hours. */
  calls(projectId: string, range: TimeRange): Promise<number>;
  /** Reads the names of models, keys, workloads and deployments that were ever used. */
  names(projectId: string): Promise<UsedNames>;
}

/** Creates the figures that are read so. */
export function createFigures(reads: DashboardReads): Figures {
  return {
    read: (query) => reads.readFigures(query),
    compareModels: async (query) =>
      (await reads.compareModels(query)).map((model) => ({
        ...model,
        errors: estimateShare(model.calls, Math.round(model.errorRate * model.calls)),
      })),
    calls: async (projectId, range) => {
      const [total] = await reads.readUsage({ projectId, range, bucket: "none", group: "none" });
      return total?.calls ?? 0;
    },
    names: (projectId) => reads.readNames(projectId),
  };
}
