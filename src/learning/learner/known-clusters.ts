import { LRUCache } from "lru-cache";
import type { Division } from "../bandit/family-splits.ts";
import { PromptClusters } from "../bandit/prompt-clusters.ts";

/** The clusters that prompts of a family are told apart by. */
export interface KnownClusters {
  readonly generation: number;
  readonly clusters: PromptClusters;
}

/**
 * Clusters that are kept by how they are stored: a workload is read again whenever something was learned of it, and
 * they stay.
 */
const decoded = new LRUCache<string, PromptClusters>({ max: 200 });

/** Returns the clusters that are tried or used, by their families. */
export function clustersOf(divisions: Iterable<Division>): ReadonlyMap<string, KnownClusters> {
  const known = new Map<string, KnownClusters>();
  for (const { whole, generation, outcome, model } of divisions) {
    if (model === undefined || outcome === "lost") continue;
    const clusters = decodeOnce(model);
    if (clusters !== undefined) known.set(whole, { generation, clusters });
  }
  return known;
}

/** Undefined for what cannot be read: the family is then decided on as a whole. */
function decodeOnce(model: string): PromptClusters | undefined {
  const known = decoded.get(model);
  if (known !== undefined) return known;
  try {
    const clusters = PromptClusters.decode(model);
    decoded.set(model, clusters);
    return clusters;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
