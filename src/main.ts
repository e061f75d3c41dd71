import type { AddressInfo } from "node:net";
import type { FastifyBaseLogger } from "fastify";
import { FeedbackService } from "../gen/attune/feedback/v1/feedback_pb.ts";
import { InferenceService } from "../gen/attune/inference/v1/inference_pb.ts";
import { ModelService } from "../gen/attune/model/v1/model_pb.ts";
import { createCatalog } from "./catalog/catalog.ts";
import { modelToMessage } from "./catalog/model-message.ts";
import type { Config } from "./config/config.ts";
import type { DashboardBuild } from "./dashboard/build/dashboard-build.ts";
import type { DashboardDependencies } from "./dashboard/dependencies.ts";
import { createInProcessClient } from "./facade/client/in-process.ts";
import { createFeedbackService } from "./feedback/service.ts";
import { createCountCheck } from "./inference/check-counts.ts";
import { InFlight } from "./inference/in-flight.ts";
import { createInferenceService } from "./inference/service.ts";
import { createStoredInferences } from "./inference/stored-inferences.ts";
import { createInputValidator } from "./inference/validate.ts";
import { createMetrics } from "./observability/metrics.ts";
import { createRouter } from "./routing/router.ts";
import { createFeedbackRpc } from "./rpc/feedback.ts";
import { createInferenceRpc } from "./rpc/inference.ts";
import { createModelRpc } from "./rpc/model.ts";
import { closeServer } from "./server/close-server.ts";
import { createServer } from "./server/create-server.ts";
import type { Readiness } from "./server/health.ts";
import { type BodyPolicies, openBodyPolicies } from "./store/bodies/body-policies.ts";
import { createChangeFeed } from "./store/changes/create-change-feed.ts";
import { createDashboardStore } from "./store/dashboard/dashboard-store.ts";
import { createFeedbackStore } from "./store/feedback-store.ts";
import { createInferenceArchive } from "./store/inference-archive.ts";
import { createInferenceLookup } from "./store/inference-lookup.ts";
import { LentKeys } from "./store/keys/lent-keys.ts";
import { StoreAuthenticator } from "./store/keys/store-authenticator.ts";
import { createRecorder, type RecorderOptions, type StoreRecorder } from "./store/recorder/recorder.ts";
import { createMaintenance } from "./store/retention/maintenance.ts";
import type { Store } from "./store/store.ts";
import { createUpstreams } from "./upstream/registry.ts";

/** Silence after which a stream's client is told that it is alive. */
const HEARTBEAT_MS = 10_000;

/** How long inferences that were broken off may take to end. */
const LAST_RECORDS_MS = 2000;

/** A service that runs. */
export interface RunningService {
  /** Address to call it at. */
  readonly url: string;
  /** Resolves once all that was recorded so far is in the database. */
  flush(): Promise<void>;
  /**
   * Takes no more requests, lets those under way end up to server.shutdownMs, and writes what is recorded; what the database
   * does not take stays in the spool. The store stays open.
   */
  close(): Promise<void>;
}

/** What a service is made of. */
export interface ServiceOptions {
  readonly config: Config;
  readonly store: Store;
  readonly log: FastifyBaseLogger;
  readonly heartbeatMs?: number;
  /** Pages of the dashboard, built or being built; without them it is not served. */
  readonly dashboardBuild?: DashboardBuild | undefined;
}

/** Puts the rooms together and listens. Nothing else knows all of them. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { config, store, log, heartbeatMs, dashboardBuild } = options;
  const catalog = createCatalog(config.models, config.prefix);
  const upstreams = createUpstreams(config.upstreams);
  const changes = createChangeFeed(store, log);
  const knownKeys = new StoreAuthenticator(store, { bootstrapKey: config.bootstrapKey, log, changes });
  const authenticator = new LentKeys(knownKeys);
  const bodyPolicies = await openBodyPolicies(store, { log });
  const bodiesOf = bodyPolicies.of;
  const recorder = createRecorder(store, { ...recorderOptions(config, store, log), bodiesOf });
  const inFlight = new InFlight();
  const metrics = createMetrics({
    inFlight: () => inFlight.size,
    recorder: () => recorder.stats(),
    upstreamKinds: new Map(Object.entries(config.upstreams).map(([name, { kind }]) => [name, kind])),
  });
  const { limits } = config.server;
  const archive = createInferenceArchive(store, recorder, { maxBytes: limits.bodyBytes, bodiesOf });
  const checkCounts = createCountCheck(limits);
  const checkRules = createInputValidator();
  const inference = createInferenceService({
    authenticator,
    router: createRouter({ catalog, upstreams, sandboxes: sandboxNames(config) }),
    recorder: metrics.countRecords(recorder),
    countRefused: metrics.countRefusal,
    inFlight,
    archive,
    validate(input) {
      checkCounts(input);
      checkRules(input);
    },
  });
  const feedback = createFeedbackService({
    inferences: createInferenceLookup(store, (id) => inFlight.find(id) ?? recorder.find(id)),
    feedback: createFeedbackStore(store, recorder),
    log,
  });
  const models = catalog.models.map((model) => modelToMessage(model, catalog.idOf(model)));
  const modelList = { list: () => models, find: (id: string) => models.find((model) => model.id === id) };
  const services = {
    inference: createInferenceRpc(inference, createStoredInferences({ authenticator, archive, inFlight })),
    model: createModelRpc(modelList, authenticator),
    feedback: createFeedbackRpc(feedback, authenticator),
  };
  const clients = {
    inference: createInProcessClient(InferenceService, services.inference),
    model: createInProcessClient(ModelService, services.model),
    feedback: createInProcessClient(FeedbackService, services.feedback),
  };
  const { host, port, proxies, reusePort } = config.server;
  let isClosing = false;
  const app = await createServer({
    clients,
    services,
    log,
    limits,
    heartbeatMs: heartbeatMs ?? HEARTBEAT_MS,
    proxies,
    dashboard: dashboardBuild && {
      build: dashboardBuild,
      dependencies: dashboardDependencies(options, {
        bodyPolicies,
        exampleModel: models[0]?.id ?? "",
        priceOf: (name) => catalog.models.find((model) => model.name === name)?.price,
        lendKey: (principal) => authenticator.lend(principal),
      }),
    },
    readiness: () => readinessOf(recorder, isClosing),
    metrics: config.server.metrics ? metrics : undefined,
  });
  // Fastify hands on what it does not know.
  const address = { host, port, reusePort };
  await app.listen(address);
  const maintenance = createMaintenance(store, config.retention, log);
  maintenance.start();
  return {
    url: addressOf(app.server.address() as AddressInfo),
    flush: () => recorder.flush(),
    async close() {
      isClosing = true;
      await closeServer(app, config.server.shutdownMs);
      // Their connections are gone; their records are not yet made.
      await inFlight.allEnded(LAST_RECORDS_MS);
      await Promise.all([...upstreams.values()].map((upstream) => upstream.close?.()));
      await maintenance.close();
      await recorder.close();
      await knownKeys.close();
      await changes.close();
      bodyPolicies.close();
      dashboardBuild?.close();
    },
  };
}

function dashboardDependencies(
  { store, log }: ServiceOptions,
  { bodyPolicies, ...others }: Omit<DashboardDependencies, "store" | "log"> & { readonly bodyPolicies: BodyPolicies },
): DashboardDependencies {
  return { store: createDashboardStore(store, Date.now, bodyPolicies), log, ...others };
}

function readinessOf(recorder: StoreRecorder, isClosing: boolean): Readiness {
  const { accepting } = recorder;
  return {
    isReady: accepting && !isClosing,
    checks: {
      // Known keys go on working without it, and records wait in the spool.
      database: recorder.stats().isDatabaseAway ? "away" : "ok",
      spool: accepting ? "ok" : "full",
      process: isClosing ? "ending" : "serving",
    },
  };
}

/** A database in memory is reached by no thread and outlived by nothing: its records are written here, from a spool of their own. */
function recorderOptions({ database, spool }: Config, store: Store, log: FastifyBaseLogger): RecorderOptions {
  return store.location === "memory" ? { log } : { ...spool, log, threadDatabaseUrl: database.url };
}

function sandboxNames({ upstreams }: Config): ReadonlySet<string> {
  return new Set(Object.keys(upstreams).filter((name) => upstreams[name]?.kind === "sandbox"));
}

/** An address that can be called: 0.0.0.0 and :: mean every one of the machine. */
function addressOf({ address, family, port }: AddressInfo): string {
  const host = address === "0.0.0.0" || address === "::" ? "127.0.0.1" : family === "IPv6" ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
