import type { Config } from "../config/config.ts";
import { createAlternatives } from "../learning/alternatives.ts";
import { createArmNames } from "../learning/bandit/best-of-n.ts";
import { ControlTable } from "../learning/controls.ts";
import { createKnownPrices } from "../learning/known-prices.ts";
import { readControls } from "../store/learning/control-store.ts";
import type { RebuildSettings } from "../store/learning/run-rebuild.ts";
import type { Store } from "../store/types/store.ts";

/** Returns what a rebuild learns by: the configuration, and what people have said of workloads. */
export async function readRebuildSettings(
  { database, learning, models }: Config,
  store: Store,
): Promise<RebuildSettings> {
  const controls = new ControlTable(learning);
  controls.replace(await readControls(store));
  return {
    databaseUrl: database.url,
    priors: learning.priors,
    arms: models.map((model) => model.name),
    severalOf: createArmNames(models),
    alternativesOf: createAlternatives(models, learning.models),
    pricesOf: createKnownPrices(models),
    controlsOf: (key) => controls.of(key),
  };
}
