import type { FastifyBaseLogger } from "fastify";
import { FeedbackService } from "../gen/attune/feedback/v1/feedback_pb.ts";
import { InferenceService } from "../gen/attune/inference/v1/inference_pb.ts";
import { ModelService } from "../gen/attune/model/v1/model_pb.ts";
import { type Admit, createAdmission } from "./admission/admission.ts";
import { createCatalog } from "./catalog/catalog.ts";
import { modelToMessage } from "./catalog/model-message.ts";
import type { Config } from "./config/config.ts";
import { sandboxNames } from "./config/defaults.ts";
import type { DashboardBuild } from "./dashboard/build/dashboard-build.ts";
import type { DashboardDependencies } from "./dashboard/dependencies.ts";
import { ContentReader } from "./dashboard/history/content-reader.ts";
import { createInProcessClient, createInProcessStream } from "./facade/client/in-process.ts";
import { createFeedbackService } from "./feedback/service.ts";
import { Background } from "./inference/background/background.ts";
import { createContentCheck } from "./inference/check-content.ts";
import { createCountCheck } from "./inference/check-counts.ts";
import { ErrorReason, InferenceError } from "./inference/error.ts";
import { endingError, InFlight } from "./inference/in-flight.ts";
import { createInferenceService } from "./inference/service.ts";
import { createStoredInferences } from "./inference/stored-inferences.ts";
import { createInputValidator } from "./inference/validate.ts";
import { TokenCounter } from "./lib/tokens/token-counter.ts";
import { logAttempt } from "./observability/log-attempt.ts";
import { logDifference } from "./observability/log-difference.ts";
import { createMetrics, type Metrics } from "./observability/metrics.ts";
import { CheckThread } from "./routing/checks/check-thread.ts";
import { auditToMessage } from "./routing/equivalence/audit-message.ts";
import { Auditor } from "./routing/equivalence/auditor.ts";
import { createRouting } from "./routing/routing.ts";
import { createCallerReader } from "./rpc/caller.ts";
import { createFeedbackRpc } from "./rpc/feedback.ts";
import { createInferencePush, createInferenceRpc } from "./rpc/inference.ts";
import { createModelRpc } from "./rpc/model.ts";
import { createWorkloadRpc } from "./rpc/workload.ts";
import { closeServer, leaveConnections } from "./server/close-server.ts";
import { createServer, type MetricsPage } from "./server/create-server.ts";
import { readinessOf } from "./server/health.ts";
import { urlOf } from "./server/url-of.ts";
import { createBackgroundStore } from "./store/background/background-store.ts";
import { createChangeFeed } from "./store/changes/create-change-feed.ts";
import { createDashboardStore } from "./store/dashboard/dashboard-store.ts";
import { openReads } from "./store/dashboard/reads/open-reads.ts";
import { openAuditBook } from "./store/equivalence/open-audit-book.ts";
import { openKeys } from "./store/keys/open-keys.ts";
import { openLearning } from "./store/learning/open-learning.ts";
import { createWorkloadDirectory } from "./store/learning/workload-directory.ts";
import { openRecords } from "./store/records.ts";
import { openKnownSettings } from "./store/settings/known-settings.ts";
import type { Store } from "./store/types/store.ts";
import { createUpstreams } from "./upstream/registry.ts";
import type { WorkerLink } from "./workers/link.ts";

/** Silence after which a stream's client is told that it is alive. */
const HEARTBEAT_MS = 10_000;

/** Connections that may wait until they are taken; the system may have a smaller limit. A burst beyond it is reset. */
const BACKLOG = 4096;

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
  /** The same where another process takes this one's place on the port: clients go over to that without a failed request. */
  leave(): Promise<void>;
}

/** How long clients that ask for nothing may keep their connections to a process that leaves. */
const LEAVE_MS = 2000;

/** What a service is made of. */
export interface ServiceOptions {
  readonly config: Config;
  readonly store: Store;
  readonly log: FastifyBaseLogger;
  readonly heartbeatMs?: number;
  /** Pages of the dashboard, built or being built; without them it is not served. */
  readonly dashboardBuild?: DashboardBuild | undefined;
  /** How this process speaks for all that serve on its port, if there are others. */
  readonly link?: Pick<WorkerLink, "share" | "expose" | "farewell"> | undefined;
}

/** Puts the rooms together and listens. Nothing else knows all of them: hence this file is longer than 300 lines. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { config, log, heartbeatMs, dashboardBuild, link } = options;
  const rooms = await openRooms(options);
  const { records, inFlight } = rooms;
  const admit = createAdmission(rooms.keys.authenticator);
  const services = createServices(rooms, admit, options);
  const { host, port, proxies, reusePort, limits, clientIdleMs, shutdownMs, grpcHealth, reflection } = config.server;
  let isClosing = false;
  const app = await createServer({
    clients: {
      inference: createInProcessClient(InferenceService, services.rpc.inference),
      streamInference: createInProcessStream(InferenceService.method.streamGenerate, services.pushInference),
      model: createInProcessClient(ModelService, services.rpc.model),
      feedback: createInProcessClient(FeedbackService, services.rpc.feedback),
    },
    services: services.rpc,
    admit,
    log,
    limits,
    heartbeatMs: heartbeatMs ?? HEARTBEAT_MS,
    clientIdleMs,
    proxies,
    dashboard: dashboardBuild && { build: dashboardBuild, dependencies: dashboardDependencies(rooms, options) },
    readiness: () => readinessOf(records, isClosing),
    open: { health: grpcHealth, reflection },
    metrics: config.server.metrics ? metricsPage(rooms.metrics, link) : undefined,
  });
  // Fastify hands on what it does not know.
  const address = { host, port, reusePort, backlog: BACKLOG };
  await app.listen(address);
  const close = async (): Promise<void> => {
    isClosing = true;
    const deadline = performance.now() + shutdownMs;
    await closeServer(app, { limitMs: shutdownMs, breakOff: () => inFlight.breakOff(endingError()) });
    await inFlight.end(deadline, endingError());
    await rooms.background.close();
    await Promise.all([...rooms.upstreams.values()].map((upstream) => upstream.close?.()));
    await Promise.all([rooms.reads.close(), rooms.contents.close(), rooms.tokens.close(), rooms.checks.close()]);
    await records.close();
    await rooms.learning.close();
    await rooms.auditor.close();
    rooms.audits.close();
    rooms.settings.close();
    await rooms.keys.close();
    await rooms.changes.close();
    dashboardBuild?.close();
    await link?.farewell();
  };
  return {
    url: urlOf(app.server.address()),
    flush: () => records.recorder.flush(),
    close,
    async leave() {
      await leaveConnections(app.server, LEAVE_MS);
      await close();
    },
  };
}

/** What GET /metrics answers: for all that serve on this port, where there are others. */
function metricsPage({ contentType, expose, collect }: Metrics, link: ServiceOptions["link"]): MetricsPage {
  if (link === undefined) return { contentType, expose };
  link.share(collect);
  return { contentType, expose: link.expose };
}

type Rooms = Awaited<ReturnType<typeof openRooms>>;

/** Opens what holds something: connections, files, counts. */
async function openRooms({ config, store, log }: ServiceOptions) {
  const { database, spool, retention, bootstrapKey, server } = config;
  const catalog = createCatalog(config.models, config.prefix);
  const upstreams = createUpstreams(config.upstreams);
  const changes = createChangeFeed(store, log);
  const learning = await openLearning(store, {
    ...{ log, changes, models: catalog.models.map(({ name }) => name) },
    ...config.learning,
  });
  const audits = await openAuditBook(store, { changes, log });
  const settings = await openKnownSettings(store, { log, changes });
  const checks = new CheckThread((error) => log.error({ err: error }, "the thread that checks answers has failed"));
  const routing = createRouting({
    catalog,
    isDifferent: (model, place) => audits.book.isOut(model, place),
    upstreams,
    sandboxes: sandboxNames(config.upstreams),
    workloads: learning.book,
    optimizationsOff: settings.optimizationsOff,
    shares: {
      failover: config.routing.failoverShare,
      hedging: config.routing.hedgingShare,
      retry: config.routing.retryShare,
    },
    judge: checks.judge,
    now: () => performance.now(),
  });
  const inFlight = new InFlight();
  const records = await openRecords(store, {
    log,
    databaseUrl: database.url,
    spool,
    retention,
    maxChainBytes: server.limits.bodyBytes,
    underWay: inFlight,
    bodiesOf: settings.bodiesOf,
    changes,
  });
  const metrics = createMetrics({
    inFlight: () => inFlight.size,
    recorder: () => records.recorder.stats(),
    database: () => records.databaseState(),
    waiting: () => records.held(),
    places: routing.places,
    audits: () => audits.book.reports(),
    upstreamKinds: new Map(Object.entries(config.upstreams).map(([name, { kind }]) => [name, kind])),
  });
  const auditor = new Auditor({
    ...{ settings: config.audit, store: audits.store, watch: metrics.audit },
    onChange(change) {
      logDifference(log, change);
      audits.changed(change);
    },
    onFailure: (error) => log.info({ err: error }, "an answer could not be compared with the plain call's"),
  });
  const background = new Background({
    ...{ store: createBackgroundStore(store), recorder: records.recorder },
    limit: server.limits.background,
    log,
  });
  return {
    catalog,
    background,
    upstreams,
    routing,
    checks,
    keys: openKeys(store, { bootstrapKey, log, changes }),
    changes,
    learning,
    audits,
    auditor,
    settings,
    inFlight,
    records,
    reads: openReads(store, { databaseUrl: database.url, log }),
    tokens: new TokenCounter({
      onDeath: (error) => log.error({ err: error }, "the thread that counts tokens has failed"),
      createError: (why, { cause } = {}) => {
        const message = `the tokens of a prompt cannot be counted at the moment: ${why}; try again shortly`;
        return new InferenceError(ErrorReason.UNAVAILABLE, message, { retryAfterMs: 1000, cause });
      },
    }),
    contents: new ContentReader((error) => log.error({ err: error }, "the thread that decodes bodies has failed")),
    metrics,
  };
}

/** Creates the services that all callers reach, those of the JSON formats too. */
function createServices(
  { catalog, routing, inFlight, records, metrics, tokens, background, audits, auditor }: Rooms,
  admit: Admit,
  options: ServiceOptions,
) {
  const { config, store, log } = options;
  const { archive, keptAnswers, inferences, feedback } = records;
  const checkCounts = createCountCheck(config.server.limits);
  const checkRules = createInputValidator();
  const checkContent = createContentCheck(config.server.limits);
  const inference = createInferenceService({
    router: routing.router,
    recorder: metrics.countRecords(records.recorder),
    countRefused: metrics.countRefusal,
    estimateTokens: (input) => tokens.count(input),
    attempts: {
      ...routing.watch,
      ended(attempt, inference) {
        routing.watch.ended(attempt, inference);
        metrics.countAttempt(attempt);
        logAttempt(log, attempt, inference.id);
      },
    },
    inFlight,
    archive,
    keptAnswers,
    background,
    audit: config.audit.share > 0 ? auditor : undefined,
    validate(input) {
      checkCounts(input);
      checkRules(input);
      checkContent(input);
    },
  });
  const models = catalog.models.map((model) => modelToMessage(model, catalog.idOf(model)));
  const callerOf = createCallerReader(admit);
  const modelList = {
    list: () => models,
    find: (id: string) => models.find((model) => model.id === id),
    audits: () => audits.book.reports().map((report) => auditToMessage(report, `${config.prefix}/${report.key.model}`)),
  };
  return {
    rpc: {
      inference: createInferenceRpc(inference, createStoredInferences({ archive, background }), callerOf),
      model: createModelRpc(modelList, callerOf),
      feedback: createFeedbackRpc(createFeedbackService({ inferences, feedback, log }), callerOf),
      workload: createWorkloadRpc({
        directory: createWorkloadDirectory(store, config.learning.mode),
        models: catalog.models.map(({ name }) => name),
        ...{ prefix: config.prefix, callerOf },
      }),
    },
    pushInference: createInferencePush(inference, callerOf),
  };
}

function dashboardDependencies(
  { catalog, routing, audits, keys, settings, reads, contents, learning }: Rooms,
  options: ServiceOptions,
): DashboardDependencies {
  const { store, log, config } = options;
  const [example] = catalog.models;
  return {
    store: createDashboardStore(store, { known: settings, reads: reads.reads }),
    contents,
    log,
    exampleModel: example === undefined ? "" : catalog.idOf(example),
    deployments: routing.places,
    learning: {
      mode: config.learning.mode,
      models: catalog.models.map(({ name }) => name),
      refresh: () => learning.refresh(),
    },
    audits: () => audits.book.reports(),
    priceOf(name, { upstream, model }) {
      const found = catalog.models.find((known) => known.name === name);
      const deployment = found?.deployments.find((known) => known.upstream === upstream && known.model === model);
      return deployment?.price ?? found?.price;
    },
    lendKey: (principal) => keys.authenticator.lend(principal),
  };
}
