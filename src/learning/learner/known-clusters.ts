import { LRUCache } from "lru-cache";
import type { Division } from "../bandit/family-splits.ts";
import { PromptClusters } from "../bandit/prompt-clusters.ts";
import { TemplateClusters } from "../bandit/template-clusters.ts";

/** The parts of a request that clusters are told by. */
export interface Prompt {
  /** The beginning of the conversation. */
  readonly text: string;
  /** The id of its template. */
  readonly template: string;
}

type FindCluster = (prompt: Prompt) => number;

/** The clusters that prompts of a family are told apart by. */
export interface KnownClusters {
  readonly generation: number;
  /** Returns the number of a prompt's cluster. */
  readonly find: FindCluster;
}

/**
 * Clusters that are kept by how they are stored: a workload is read again whenever something was learned of it, and
 * they stay.
 */
const decoded = new LRUCache<string, FindCluster>({ max: 200 });

/** Returns the clusters that are tried or used, by their families. */
export function collectClusters(divisions: Iterable<Division>): ReadonlyMap<string, KnownClusters> {
  const known = new Map<string, KnownClusters>();
  for (const { whole, generation, outcome, model } of divisions) {
    if (model === undefined || outcome === "lost") continue;
    const find = decodeOnce(model);
    if (find !== undefined) known.set(whole, { generation, find });
  }
  return known;
}

/** Undefined for what cannot be read: the family is then decided on as a whole. */
function decodeOnce(model: string): FindCluster | undefined {
  const known = decoded.get(model);
  if (known !== undefined) return known;
  try {
    const find = decode(model);
    decoded.set(model, find);
    return find;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function decode(model: string): FindCluster {
  if (TemplateClusters.isReadable(model)) {
    const templates = TemplateClusters.decode(model);
    return ({ template }) => templates.find(template);
  }
  const clusters = PromptClusters.decode(model);
  return ({ text }) => clusters.find(text);
}
