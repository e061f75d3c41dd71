import { createTokenPrices } from "../config/token-prices.ts";
import type { DashboardDependencies } from "../dashboard/dependencies.ts";
import { createSignIn } from "../dashboard/features/sign-in/sign-in.ts";
import type { Operations } from "../operations/create-operations.ts";
import { createDashboardStore } from "../store/dashboard/dashboard-store.ts";
import type { Resources } from "./open-resources.ts";
import type { Setup } from "./setup.ts";

/** Returns what the dashboard works with, of what is open. */
export function dashboardDependencies(
  { generations, audits, datasetRuns, keys, quotas, settings, quotaBook, reads, contents, signingKey }: Resources,
  { operations }: { readonly operations: Operations },
  { store, log, config }: Setup,
): DashboardDependencies {
  return {
    store: createDashboardStore(store, { reads: reads.reads }),
    operations,
    contents,
    log,
    get exampleModel() {
      const { catalog } = generations.current;
      const example = catalog.models.find(({ embeddings }) => embeddings !== true) ?? catalog.models[0];
      return example === undefined ? "" : catalog.idOf(example);
    },
    publicUrl: config.server.publicUrl,
    signIn: createSignIn(config.dashboard.signIn, signingKey),
    modelOf: (name) => generations.current.catalog.find(name)?.name,
    configuredAt: () => generations.current.openedAt,
    deployments: () => generations.current.routing.places(),
    upstreamKeys: () => generations.current.routing.keys(),
    learning: {
      get defaults() {
        return generations.current.config.learning;
      },
      get models() {
        return generations.current.catalog.models.map(({ name }) => name);
      },
      alternativesOf: (model) => generations.current.alternativesOf(model),
      isMadeUp: (model) => generations.current.isMadeUp(model),
      refresh: () => generations.current.learning.refresh(),
    },
    quotas: {
      get defaults() {
        return generations.current.config.quotas;
      },
      refresh: quotaBook.refresh,
    },
    alertSettings: () => generations.current.config.alerts,
    datasetRuns: {
      get hasRoom() {
        return datasetRuns.hasRoom;
      },
      begin: (run) => datasetRuns.begin(run),
      cancel: (id) => datasetRuns.cancel(id),
      keepsTexts: (projectId) => settings.bodiesOf(projectId) === "full",
      mayCall: (projectId, model) =>
        generations.current.catalog.find(model)?.embeddings !== true &&
        quotas.limiter.mayCall({ projectId, keyId: "" }, model),
      priceOf: createTokenPrices(() => generations.current),
    },
    audits: () => audits.cache.reports(),
    priceOf(name, { upstream, model }) {
      const found = generations.current.catalog.models.find((known) => known.name === name);
      const deployment = found?.deployments.find((known) => known.upstream === upstream && known.model === model);
      return deployment?.price ?? found?.price;
    },
    hostOf(name) {
      const upstream = generations.current.config.upstreams[name];
      return upstream !== undefined && "baseUrl" in upstream ? new URL(upstream.baseUrl).host : undefined;
    },
    issuePlaygroundKey: (principal) => keys.authenticator.issue(principal),
  };
}
