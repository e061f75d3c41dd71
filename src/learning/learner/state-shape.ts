import { GUARDED, type WorkloadControls, type WorkloadKey } from "../workload.ts";
import type { StateShape } from "./adapt-snapshot.ts";
import { listConstraints, listGuards } from "./metric-settings.ts";

/** The models that may answer. */
export interface ArmOptions {
  /** The models of the catalog. */
  readonly arms: readonly string[];
  /** Names the arms of several answers that a workload has beside models, by its base; none if absent. */
  readonly severalOf?: ((model: string) => readonly string[]) | undefined;
  /** Names the models that may answer for a base, base among them; all of them if absent. */
  readonly alternativesOf?: ((model: string) => readonly string[]) | undefined;
  /** Tells the prices of models as multiples of a base's; they are learned if absent. */
  readonly pricesOf?: ((model: string) => Readonly<Record<string, number>>) | undefined;
}

/** The settings that decide on a state's shape. */
type ShapingControls = Pick<WorkloadControls, "objective" | "feedback" | "metrics" | "rewardPerPrice" | "usdPerReward">;

/** The shape of a workload's state, by the models of today and what operators say. */
export function createShape(
  { model }: WorkloadKey,
  { arms, severalOf, alternativesOf, pricesOf }: ArmOptions,
  controls: ShapingControls,
): StateShape {
  const models = alternativesOf?.(model) ?? arms;
  // Time is the price under the objective latency, and no catalog knows it.
  const prices = controls.objective === "latency" ? {} : (pricesOf?.(model) ?? {});
  return { arms: [...models, ...(severalOf?.(model) ?? [])], base: model, ...pickForm(controls), prices };
}

/** Returns the part of a state's shape that operators decide. */
export function pickForm({
  objective,
  feedback,
  metrics,
  rewardPerPrice,
  usdPerReward,
}: ShapingControls): Omit<StateShape, "arms" | "base"> {
  const guarded = [...Object.values(GUARDED), ...listGuards(metrics)];
  return {
    objective,
    feedback,
    guarded,
    constraints: listConstraints(metrics),
    ...(rewardPerPrice !== undefined && { rewardPerPrice }),
    ...(usdPerReward !== undefined && { usdPerReward }),
  };
}
