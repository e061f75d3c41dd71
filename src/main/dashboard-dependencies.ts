import type { DashboardDependencies } from "../dashboard/dependencies.ts";
import { createDashboardStore } from "../store/dashboard/dashboard-store.ts";
import type { Resources, Setup } from "./open-resources.ts";

/** Returns what the dashboard works with, of what is open. */
export function dashboardDependencies(
  { catalog, routing, audits, keys, settings, reads, contents, learning }: Resources,
  { store, log, config }: Setup,
): DashboardDependencies {
  const [example] = catalog.models;
  return {
    store: createDashboardStore(store, { known: settings, reads: reads.reads }),
    contents,
    log,
    exampleModel: example === undefined ? "" : catalog.idOf(example),
    publicUrl: config.server.publicUrl,
    deployments: routing.places,
    learning: {
      mode: config.learning.mode,
      models: catalog.models.map(({ name }) => name),
      refresh: () => learning.refresh(),
    },
    audits: () => audits.cache.reports(),
    priceOf(name, { upstream, model }) {
      const found = catalog.models.find((known) => known.name === name);
      const deployment = found?.deployments.find((known) => known.upstream === upstream && known.model === model);
      return deployment?.price ?? found?.price;
    },
    issuePlaygroundKey: (principal) => keys.authenticator.issue(principal),
  };
}
