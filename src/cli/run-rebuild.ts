import { createAlternatives } from "../learning/alternatives.ts";
import { createSeveralOf } from "../learning/bandit/best-of-n.ts";
import { createKnownPrices } from "../learning/known-prices.ts";
import { listProjects } from "../store/dashboard/projects.ts";
import { rebuildWorkloads } from "../store/learning/rebuild-workloads.ts";
import { findProject } from "./find-project.ts";
import { fail, print, tell } from "./output.ts";
import { tableOf } from "./run-workloads.ts";
import { openConfiguredStore, readConfig } from "./with-config.ts";
import type { WorkloadOptions } from "./workload-options.ts";

const TOLD_EVERY_MS = 5000;

/** Learns the workloads of a project, or of all, anew. */
export async function runRebuild({ project: asked }: WorkloadOptions): Promise<void> {
  const config = readConfig();
  const store = await openConfiguredStore(config);
  try {
    const projects = asked === undefined ? await listProjects(store) : [await findProject(store, asked)];
    const controls = await tableOf(config, store);
    for (const { id: projectId, name } of projects) {
      let toldAt = performance.now();
      const { events, workloads } = await rebuildWorkloads(store, {
        ...{ projectId, databaseUrl: config.database.url, priors: config.learning.priors },
        arms: config.models.map((model) => model.name),
        severalOf: createSeveralOf(config.models),
        alternativesOf: createAlternatives(config.models, config.learning.models),
        pricesOf: createKnownPrices(config.models),
        controlsOf: (key) => controls.of(key),
        onProgress(count) {
          if (performance.now() - toldAt < TOLD_EVERY_MS) return;
          toldAt = performance.now();
          tell(`${name}: learned from ${count.toLocaleString("en")} events`);
        },
      });
      print(`${name}: ${workloads} workloads, learned from ${events.toLocaleString("en")} events`);
    }
  } catch (thrown) {
    fail(`nothing was replaced: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  } finally {
    await store.close();
  }
}
