import type { CatalogModel, Deployment, Origin, Strategy, Upstream } from "../inference/ports.ts";
import type { HealthSnapshot } from "./health.ts";

/** One place that serves a model. */
export interface Place {
  readonly upstream: Upstream;
  readonly deployment: Deployment;
}

/** All that a strategy depends on: with the same facts, it is the same. */
export interface PlanFacts {
  readonly model: CatalogModel;
  /** Where the model is served, best first. */
  readonly places: readonly Place[];
  /** Who made the latest opaque state in the conversation. */
  readonly origin: Origin | undefined;
  readonly health: HealthSnapshot;
  /** Now, by the clock of the health watch. */
  readonly nowMs: number;
}

/**
 * Plans an inference: the places of its model one after another, as they are configured. A conversation with opaque state goes to the
 * place that made it first, the only one that can read it; those that failed of late come last.
 */
export function planStrategy({ model, places, origin, health, nowMs }: PlanFacts): Strategy {
  const ranked = places.length < 2 ? places : [...places].sort((a, b) => rankOf(a) - rankOf(b));
  return {
    kind: "sequence",
    attempts: ranked.map(({ upstream, deployment }) => {
      const contextWindow = deployment.contextWindow ?? model.contextWindow;
      return { upstream, deployment, contextWindow, propensity: 1 };
    }),
  };

  function rankOf({ upstream, deployment }: Place): number {
    if (upstream.name === origin?.upstream && deployment.model === origin.model) return 0;
    return nowMs < health.coolingUntilMs({ upstream: upstream.name, model: deployment.model }) ? 2 : 1;
  }
}
