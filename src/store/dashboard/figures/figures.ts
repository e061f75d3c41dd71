import { type ComparisonQuery, compareModels, type ModelComparison } from "../../queries/compare-models.ts";
import type { Store } from "../../store.ts";
import { type FigureSeries, type FiguresQuery, readFigures } from "./read-figures.ts";
import { readNames, type UsedNames } from "./read-names.ts";

/** What a project's calls add up to. */
export interface Figures {
  /** Reads calls, tokens, costs and times over time, by group. */
  read(query: FiguresQuery): Promise<FigureSeries>;
  /** Compares the models of a workload, the most used first. */
  compareModels(query: ComparisonQuery): Promise<ModelComparison[]>;
  /** Reads the names of models, keys, workloads and deployments that were ever used. */
  names(projectId: string): Promise<UsedNames>;
}

/** Creates the figures of a database. */
export function createFigures(store: Store): Figures {
  return {
    read: (query) => readFigures(store, query),
    compareModels: (query) => compareModels(store, query),
    names: (projectId) => readNames(store, projectId),
  };
}
