import type { KeyObject } from "node:crypto";
import type { FastifyBaseLogger } from "fastify";
import type { Catalog } from "../catalog/catalog.ts";
import { costOfTokens } from "../catalog/cost.ts";
import type { Config } from "../config/config.ts";
import { askInBackground } from "../inference/run/ask-in-background.ts";
import type { ShadowBudgets, ShadowModels, ShadowStore, ShadowWatch } from "../learning/shadow/ports.ts";
import { ShadowTrials } from "../learning/shadow/shadow-trials.ts";
import type { WorkloadCachePort } from "../learning/workload.ts";
import { Signer } from "../lib/signer.ts";
import type { Routing } from "../routing/routing.ts";

/** The resources of models that are asked in the background. */
export interface ModelResources {
  readonly catalog: Catalog;
  readonly routing: Routing;
  readonly signingKey: KeyObject;
}

/** The resources of trials. */
interface TrialResources extends ModelResources {
  readonly workloads: WorkloadCachePort;
  readonly mostShare: () => number;
  readonly store: ShadowStore;
  readonly budgets: ShadowBudgets;
  readonly watch: ShadowWatch;
  readonly keepsTexts: (projectId: string) => boolean;
  readonly log: FastifyBaseLogger;
}

/** Creates the shadow trials of a generation: controls may ask for some while it runs. */
export function createTrials({ shadow }: Config["learning"], resources: TrialResources): ShadowTrials {
  const { mostShare, workloads, store, budgets, watch, keepsTexts, log } = resources;
  return new ShadowTrials({
    settings: shadow,
    mostShare,
    workloads,
    store,
    budgets,
    watch,
    keepsTexts,
    models: createShadowModels(resources),
    onFailure: (error) => log.info({ err: error }, "a shadow trial has failed"),
  });
}

/** Creates the models that are asked in the background, at their healthy places. */
export function createShadowModels({ catalog, routing, signingKey }: ModelResources): ShadowModels {
  return {
    find(name) {
      const model = catalog.find(name);
      return model && routing.healthyPlace(model);
    },
    price({ model, deployment }, { input, output }) {
      const price = deployment.price ?? model.price;
      return price === undefined ? 0 : costOfTokens(price, { input, output });
    },
    ask(planned, { input, projectId, serviceTier }, signal) {
      const prompt = { input, historyLength: 0, previousId: undefined, signer: new Signer(signingKey, projectId) };
      return askInBackground(prompt, { planned, streamed: false, projectId, serviceTier }, signal);
    },
  };
}
