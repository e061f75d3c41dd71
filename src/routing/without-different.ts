import type { CatalogModel } from "../catalog/model.ts";
import type { Origin } from "../inference/ports.ts";
import type { DeploymentTarget } from "./deployment-target.ts";

/**
 * Returns the places of a model without those that have proved to serve another one than they are declared to. The
 * first place stays, since others are compared with it.
 */
export function withoutDifferent(
  { name }: CatalogModel,
  places: readonly DeploymentTarget[],
  isDifferent: ((model: string, place: Origin) => boolean) | undefined,
): readonly DeploymentTarget[] {
  if (isDifferent === undefined || places.length < 2) return places;
  const isEqual = ({ upstream, deployment }: DeploymentTarget, position: number): boolean =>
    position === 0 || !isDifferent(name, { upstream: upstream.name, model: deployment.model });
  return places.every(isEqual) ? places : places.filter(isEqual);
}
