import { type ComparisonQuery, compareModels, type ModelComparison } from "../../read/queries/compare-models.ts";
import { type Estimate, estimateShare } from "../../read/queries/confidence.ts";
import type { Store } from "../../types/store.ts";
import { type FigureSeries, type FiguresQuery, readFigures } from "./read-figures.ts";
import { readNames, type UsedNames } from "./read-names.ts";

/** One model beside the others, with how sure its rate of errors is. */
export interface ModelFigures extends ModelComparison {
  readonly errors: Estimate;
}

/** What a project's calls add up to. */
export interface Figures {
  /** Reads calls, tokens, costs and times over time, by group. */
  read(query: FiguresQuery): Promise<FigureSeries>;
  /** Compares the models of a workload, the most used first. */
  compareModels(query: ComparisonQuery): Promise<ModelFigures[]>;
  /** Reads the names of models, keys, workloads and deployments that were ever used. */
  names(projectId: string): Promise<UsedNames>;
}

/** Creates the figures of a database. */
export function createFigures(store: Store): Figures {
  return {
    read: (query) => readFigures(store, query),
    compareModels: async (query) =>
      (await compareModels(store, query)).map((model) => ({
        ...model,
        errors: estimateShare(model.calls, Math.round(model.errorRate * model.calls)),
      })),
    names: (projectId) => readNames(store, projectId),
  };
}
