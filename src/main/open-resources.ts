import type { FastifyBaseLogger } from "fastify";
import { RefusedCalls } from "../admission/refused-calls.ts";
import { LocalSignals } from "../alerts/local-signals.ts";
import type { Config } from "../config/config.ts";
import { ContentReader } from "../dashboard/features/history/content-reader.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import { TokenCounter } from "../hub/tokens/token-counter.ts";
import { Background } from "../inference/background/background.ts";
import { CheckThread } from "../inference/checks/check-thread.ts";
import { KeyedCalls } from "../inference/idempotency/keyed-calls.ts";
import { InFlight } from "../inference/run/in-flight.ts";
import { DatasetRunner } from "../learning/dataset-runs/dataset-runner.ts";
import { Auditor, type AuditorPorts } from "../learning/equivalence/auditor.ts";
import { logDifference } from "../observability/log-troubles.ts";
import { createMetrics, type Metrics } from "../observability/metrics.ts";
import { SessionChoices } from "../routing/session-choices.ts";
import { createBackgroundStore } from "../store/background/background-store.ts";
import { createChangeFeed } from "../store/changes/create-change-feed.ts";
import { createConversationStore } from "../store/conversations/conversation-store.ts";
import { openReads } from "../store/dashboard/reads/open-reads.ts";
import { openClock } from "../store/database/clock.ts";
import { withTimeout } from "../store/database/with-timeout.ts";
import { DeletionKeeper } from "../store/deletions/deletion-keeper.ts";
import { openAuditCache } from "../store/equivalence/open-audit-cache.ts";
import { createKeyedCallStore } from "../store/idempotency/keyed-call-store.ts";
import { getDatabaseId, openInstallationKey } from "../store/keys/installation-key.ts";
import { openKeys } from "../store/keys/open-keys.ts";
import { createDatasetRunStore } from "../store/learning/dataset-run-store.ts";
import { createRebuildTask } from "../store/learning/rebuild-task.ts";
import { openKnownQuotas } from "../store/quotas/known-quotas.ts";
import { openRecords, type Records } from "../store/records.ts";
import { writeRefusals } from "../store/refusals/write-refusals.ts";
import { openKnownSettings } from "../store/settings/known-settings.ts";
import type { DrainChannel } from "../store/write/spool/drain-requests.ts";
import { UpstreamQueues } from "../upstream/upstream-queues.ts";
import { createImprovements } from "./create-improvements.ts";
import { createInference } from "./create-inference.ts";
import { openGeneration } from "./generation.ts";
import { Generations } from "./generations.ts";
import { openAlerts } from "./open-alerts.ts";
import { openQuotas } from "./open-quotas.ts";
import { readRebuildSettings } from "./rebuild-learning.ts";
import type { Setup } from "./setup.ts";
import { startExport } from "./start-export.ts";

/** Most conversations of a project, and items of a conversation. */
const MAX_CONVERSATIONS = 100_000;
const MAX_CONVERSATION_ITEMS = 10_000;

const CLOSE_LIMIT_MS = 2000;

/** The resources of a running service: connections, files, threads, counters and learned state. */
export type Resources = Awaited<ReturnType<typeof openResources>>;

/**
 * Opens what a service holds; closeResources() closes it. The store is its caller's. `drains` is the way to the process
 * that writes what several record, if there is one.
 */
export async function openResources({ config, store, log }: Setup, drains?: DrainChannel) {
  const { database, spool, retention, bootstrapKey, server } = config;
  const changes = createChangeFeed(store, log);
  const audits = await openAuditCache(store, { changes, log });
  const settings = await openKnownSettings(store, { log, changes });
  const quotaBook = await openKnownQuotas(store, { log, changes, defaults: config.quotas });
  const signingKey = await openInstallationKey(store);
  // A caller's schema can have it end, by the memory that it takes.
  const checks = new CheckThread((error) => log.info({ err: error }, "a thread that checks answers has ended"));
  const inFlight = new InFlight();
  const records = await openRecords(store, {
    log,
    spool,
    retention,
    changes,
    drains,
    databaseUrl: database.url,
    databaseId: getDatabaseId(signingKey),
    maxChainBytes: server.limits.bodyBytes,
    underWay: inFlight,
    bodiesOf: settings.bodiesOf,
  });
  const upstreams = () => generations.current.config.upstreams;
  const metrics = createMetrics({
    inFlight: () => inFlight.size,
    recorder: () => records.recorder.stats(),
    database: () => records.databaseState(),
    waiting: () => records.held(),
    places: () => generations.current.routing.places(),
    upstreamKeys: () => generations.current.routing.keys(),
    upstreams: () => generations.current.upstreams.values(),
    audits: () => audits.cache.reports(),
    watchesProcess: server.adminPort !== undefined || server.metricsToken !== undefined,
    upstreamKindOf: (upstream) => upstreams()[upstream]?.kind ?? "",
  });
  const telemetry = await startExport({ config, log }, { upstreams, bodiesOf: settings.bodiesOf });
  const auditor = createAuditor(audits, { settings: config.audit, watch: metrics.audit, log });
  const { background, keyedCalls, conversations } = createAnswerStores(records, { config, store, log });
  const sessions = openSessionChoices(records);
  const signals = new LocalSignals();
  const now = await openClock(store);
  const quotas = openQuotas({
    store,
    log,
    now,
    book: quotaBook,
    countWarning: metrics.countQuotaWarning,
    signals,
    settings: () => generations.current.config.quotas,
  });
  const ports = {
    store,
    log,
    changes,
    audits,
    settings,
    checks,
    sessions,
    signingKey,
    queues: new UpstreamQueues(),
    budgets: quotas.budgets,
    countWebhook: metrics.countWebhook,
    countShadow: metrics.shadow,
  };
  const tokens = createTokenCounter(log);
  const open = (wanted: Config) => openGeneration(wanted, ports);
  const inference = { inFlight, records, conversations, metrics, tokens, background, auditor, signingKey };
  const generations: Generations = new Generations(await open(config), {
    open,
    createInference: (generation) =>
      createInference(generation, { config, log, limiter: quotas.limiter, ...inference }),
    inFlight,
  });
  const reads = openReads(store, { databaseUrl: database.url, log });
  const alerts = openAlerts({
    store,
    log,
    now,
    signingKey,
    signals,
    reads: reads.reads,
    count: metrics.alerts,
    records,
    spoolMaxBytes: spool.maxBytes,
    settings: () => generations.current.config.alerts,
    places: () => generations.current.routing.places(),
  });
  return {
    generations,
    changes,
    audits,
    settings,
    quotaBook,
    quotas,
    checks,
    keyedCalls,
    telemetry,
    alerts,
    ...inference,
    reads,
    datasetRuns: createDatasetRunner({ store, log }, quotas, generations),
    refusedCalls: createRefusedCalls({ store, log }, metrics),
    keys: openKeys(store, { bootstrapKey, log, changes, limits: quotaBook }),
    deletions: new DeletionKeeper(store, log),
    improvements: createImprovements({ config, store, log }, { quotas, metrics, settings, generations }),
    rebuilds: createRebuildTask(store, log, (on) => readRebuildSettings(generations.current.config, on)),
    contents: new ContentReader((error) => log.error({ err: error }, "the thread that decodes bodies has failed")),
  };
}

/** Creates what counts refused calls, and keeps the latest. */
function createRefusedCalls({ store, log }: Pick<Setup, "store" | "log">, { countRefusedCall }: Metrics): RefusedCalls {
  return new RefusedCalls({
    write: (batch) => writeRefusals(store, batch),
    count: countRefusedCall,
    onFailure: (error) => log.warn({ err: error }, "could not write refused calls; trying again later"),
  });
}

/** Opens the choices of sessions, which processes tell each other. */
function openSessionChoices({ sessions }: Records): SessionChoices {
  const choices = new SessionChoices(() => performance.now(), {
    get heardSinceMs() {
      return sessions.heardSinceMs;
    },
    tell: ({ keyId, sessionSource, sessionId, base, arm, atMs, isFirst }) =>
      sessions.tell([keyId, sessionSource, sessionId, base, arm, atMs, isFirst]),
    read: ({ projectId, keyId }, { sessionSource, sessionId }, model) =>
      sessions.read({ projectId, keyId, source: sessionSource, sessionId, model }),
  });
  sessions.listen((news) => {
    for (const [keyId, sessionSource, sessionId, base, arm, atMs, isFirst] of news) {
      choices.hear({ keyId, sessionSource, sessionId, base, arm, atMs, isFirst });
    }
  });
  return choices;
}

/** Creates what keeps answers beyond their calls: in the background, under idempotency keys, in conversations. */
function createAnswerStores(records: Records, { config, store, log }: Setup) {
  const { limits } = config.server;
  const background = new Background({
    store: createBackgroundStore(store),
    recorder: records.recorder,
    log,
    limits,
  });
  const keyedCalls = new KeyedCalls({
    store: createKeyedCallStore(store),
    archive: records.archive,
    log,
    projectShare: limits.projectShare,
  });
  const conversations = createConversationStore(store, {
    perProject: MAX_CONVERSATIONS,
    items: MAX_CONVERSATION_ITEMS,
    bytes: limits.bodyBytes,
  });
  return { background, keyedCalls, conversations };
}

/** Creates what runs datasets against the models of the current generation. */
function createDatasetRunner(
  { store, log }: Pick<Setup, "store" | "log">,
  { budgets }: ReturnType<typeof openQuotas>,
  generations: Generations,
): DatasetRunner {
  return new DatasetRunner({
    models: () => generations.current.runModels,
    store: createDatasetRunStore(store),
    budgets,
    onFailure: (error) => log.info({ err: error }, "a call of a dataset's run has failed"),
  });
}

/** Creates the auditor, which tells of deployments that begin or cease to answer otherwise. */
function createAuditor(
  audits: Awaited<ReturnType<typeof openAuditCache>>,
  { settings, watch, log }: Pick<AuditorPorts, "settings" | "watch"> & { readonly log: FastifyBaseLogger },
): Auditor {
  return new Auditor({
    settings,
    store: audits.store,
    watch,
    onChange(change) {
      logDifference(log, change);
      audits.changed(change);
    },
    onFailure: (error) => log.info({ err: error }, "an answer could not be compared with the plain call's"),
  });
}

/** Resolves once what was recorded so far is in the database, and its telemetry exported. */
export async function flushResources({ records, refusedCalls, telemetry }: Resources): Promise<void> {
  await Promise.all([records.recorder.flush(), refusedCalls.flush(), telemetry?.flush()]);
}

/**
 * Closes what a service held, once it takes no more requests; what is recorded is written first where the database
 * takes it.
 */
export async function closeResources(held: Resources): Promise<void> {
  await held.keyedCalls.close();
  await held.background.close();
  // Side by side: a database that does not answer is waited for once, and not by one after the other.
  await Promise.all([
    ...[held.records.close(), closeModels(held), held.deletions.close(), held.rebuilds.close(), held.keys.close()],
    held.alerts.close().then(() => held.reads.close()),
    ...[held.contents.close(), held.tokens.close()],
    // A database that is away costs the counts of the last seconds, not the end of the process.
    withTimeout(held.refusedCalls.close(), CLOSE_LIMIT_MS).catch(() => {}),
  ]);
  held.audits.close();
  held.settings.close();
  held.quotaBook.close();
  await held.changes.close();
}

/** Closes what asks models unasked, and then what counts its calls. */
async function closeModels(open: Resources): Promise<void> {
  const { datasetRuns, improvements, generations, checks, auditor, telemetry, quotas } = open;
  await Promise.all([datasetRuns.close(), improvements.close()]);
  await generations.close();
  await Promise.all([checks.close(), auditor.close(), telemetry?.close()]);
  // What a database that is away still counts as leased is free when its window ends.
  await withTimeout(quotas.close(), CLOSE_LIMIT_MS).catch(() => {});
}

function createTokenCounter(log: FastifyBaseLogger): TokenCounter {
  return new TokenCounter({
    onDeath: (error) => log.error({ err: error }, "the thread that counts tokens has failed"),
    createError: (why, { cause } = {}) => {
      const message = `the tokens of a prompt cannot be counted at the moment: ${why}; try again shortly`;
      return new InferenceError(ErrorReason.UNAVAILABLE, message, { retryAfterMs: 1000, cause });
    },
  });
}
