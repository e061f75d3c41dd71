import type { Config } from "../config/config.ts";
import { createAlternatives } from "../learning/alternatives.ts";
import { createSeveralOf } from "../learning/bandit/best-of-n.ts";
import { ControlTable } from "../learning/controls.ts";
import { createKnownPrices } from "../learning/known-prices.ts";
import { LearningConflict } from "../learning/ports.ts";
import { readControls } from "../store/learning/control-store.ts";
import { type RebuildResult, rebuildWorkloads } from "../store/learning/rebuild-workloads.ts";
import type { Store } from "../store/types/store.ts";

/** Learns the workloads of a project anew; `onProgress` is told how many events were learned from so far. */
type Rebuild = (store: Store, projectId: string, onProgress?: (events: number) => void) => Promise<RebuildResult>;

/**
 * Creates the function that learns workloads anew, by the configuration that holds then. It rejects with a
 * LearningConflict while another rebuild of this process runs.
 */
export function createRebuild(config: () => Config): Rebuild {
  let isRunning = false;
  return async (store, projectId, onProgress = () => {}) => {
    if (isRunning) throw new LearningConflict("another rebuild runs");
    isRunning = true;
    try {
      const { database, learning, models } = config();
      const controls = new ControlTable(learning);
      controls.replace(await readControls(store));
      return await rebuildWorkloads(store, {
        ...{ projectId, databaseUrl: database.url, priors: learning.priors, onProgress },
        arms: models.map((model) => model.name),
        severalOf: createSeveralOf(models),
        alternativesOf: createAlternatives(models, learning.models),
        pricesOf: createKnownPrices(models),
        controlsOf: (key) => controls.of(key),
      });
    } finally {
      isRunning = false;
    }
  };
}
