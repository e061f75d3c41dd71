import type { CatalogModel } from "../catalog/model.ts";
import type { Upstream } from "../hub/upstream.ts";
import type { Origin, PlannedAttempt } from "../inference/ports.ts";
import type { HealthSnapshot } from "./health/health-tracker.ts";
import { toAttempt } from "./steps/plan-strategy.ts";

/** The health of places, as far as it is known. */
interface KnownPlaces {
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly health: HealthSnapshot;
  readonly isDifferent?: ((model: string, place: Origin) => boolean) | undefined;
}

/** The part of its rate limits that a place keeps for callers: calls in the background end before. */
const LEAST_HEADROOM = 0.2;

/**
 * Returns a model's first place that calls in the background may ask: one that has not failed of late, has room in its
 * rate limits, and serves the model that it is declared to. Undefined where there is none.
 */
export function healthyPlace(
  model: CatalogModel,
  { upstreams, health, isDifferent }: KnownPlaces,
): PlannedAttempt | undefined {
  for (const deployment of model.deployments) {
    const upstream = upstreams.get(deployment.upstream);
    const origin = { upstream: deployment.upstream, model: deployment.model };
    if (upstream === undefined || isDifferent?.(model.name, origin) === true) continue;
    const { isOut, headroom } = health.healthOf(origin, false);
    if (!isOut && headroom >= LEAST_HEADROOM) return toAttempt({ upstream, deployment, relativePrice: 1 }, model, 1);
  }
  return undefined;
}
