import type { FastifyBaseLogger } from "fastify";
import { createCatalog } from "../catalog/catalog.ts";
import type { Config } from "../config/config.ts";
import { sandboxNames } from "../config/defaults.ts";
import { ContentReader } from "../dashboard/history/content-reader.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import { TokenCounter } from "../hub/tokens/token-counter.ts";
import { Background } from "../inference/background/background.ts";
import { CheckThread } from "../inference/checks/check-thread.ts";
import { createJudge } from "../inference/checks/judge-texts.ts";
import { Webhooks } from "../inference/checks/webhooks/webhooks.ts";
import { InFlight } from "../inference/run/in-flight.ts";
import { createSeveralOf } from "../learning/bandit/best-of-n.ts";
import { Auditor } from "../learning/equivalence/auditor.ts";
import { logDifference } from "../observability/log-difference.ts";
import { logWebhook } from "../observability/log-webhook.ts";
import { createMetrics } from "../observability/metrics.ts";
import { createRouting } from "../routing/routing.ts";
import { createBackgroundStore } from "../store/background/background-store.ts";
import { createChangeFeed } from "../store/changes/create-change-feed.ts";
import { openReads } from "../store/dashboard/reads/open-reads.ts";
import { openAuditCache } from "../store/equivalence/open-audit-cache.ts";
import { openInstallationKey } from "../store/keys/installation-key.ts";
import { openKeys } from "../store/keys/open-keys.ts";
import { openLearning } from "../store/learning/open-learning.ts";
import { openRecords } from "../store/records.ts";
import { openKnownSettings } from "../store/settings/known-settings.ts";
import type { Store } from "../store/types/store.ts";
import type { DrainChannel } from "../store/write/spool/drain-requests.ts";
import { createUpstreams } from "../upstream/registry.ts";
import { createWebhookClient } from "../upstream/webhook-client.ts";

/** The setup of a service. */
export interface Setup {
  readonly config: Config;
  readonly store: Store;
  readonly log: FastifyBaseLogger;
}

/** The resources of a running service: connections, files, threads, counters and learned state. */
export type Resources = Awaited<ReturnType<typeof openResources>>;

/**
 * Opens what a service holds; closeResources() closes it. The store is its caller's. `drains` is the way to the process
 * that writes what several record, if there is one.
 */
export async function openResources({ config, store, log }: Setup, drains?: DrainChannel) {
  const { database, spool, retention, bootstrapKey, server } = config;
  const catalog = createCatalog(config.models, config.prefix);
  const upstreams = createUpstreams(config.upstreams);
  const changes = createChangeFeed(store, log);
  const learning = await openLearning(store, {
    ...{ log, changes, models: catalog.models.map(({ name }) => name), severalOf: createSeveralOf(catalog.models) },
    ...config.learning,
  });
  const audits = await openAuditCache(store, { changes, log });
  const settings = await openKnownSettings(store, { log, changes });
  const signingKey = await openInstallationKey(store);
  // A caller's schema can have it end, by the memory that it takes.
  const checks = new CheckThread((error) => log.info({ err: error }, "a thread that checks answers has ended"));
  const webhooks = new Webhooks(config.models, {
    createClient: createWebhookClient,
    // The metrics are made of what is opened further down.
    onResult: (host, result) => metrics.countWebhook(host, result),
    onTrouble: (trouble) => logWebhook(log, trouble),
    now: () => performance.now(),
  });
  const { failoverShare: failover, hedgingShare: hedging, retryShare: retry } = config.routing;
  const routing = createRouting({
    catalog,
    isDifferent: (model, place) => audits.cache.isOut(model, place),
    upstreams,
    sandboxes: sandboxNames(config.upstreams),
    workloads: learning.cache,
    optimizationsOff: settings.optimizationsOff,
    shares: { failover, hedging, retry },
    judge: createJudge({ bySchema: checks.judge, byWebhook: webhooks.judge }),
    now: () => performance.now(),
  });
  const inFlight = new InFlight();
  const records = await openRecords(store, {
    ...{ log, spool, retention, changes, drains },
    databaseUrl: database.url,
    maxChainBytes: server.limits.bodyBytes,
    underWay: inFlight,
    bodiesOf: settings.bodiesOf,
  });
  const metrics = createMetrics({
    inFlight: () => inFlight.size,
    recorder: () => records.recorder.stats(),
    database: () => records.databaseState(),
    waiting: () => records.held(),
    places: routing.places,
    audits: () => audits.cache.reports(),
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
    ...{ store: createBackgroundStore(store), recorder: records.recorder, log },
    limits: server.limits,
  });
  return {
    ...{ catalog, upstreams, changes, learning, audits, settings, checks, webhooks, routing },
    ...{ inFlight, records, metrics, auditor, background, signingKey },
    keys: openKeys(store, { bootstrapKey, log, changes }),
    reads: openReads(store, { databaseUrl: database.url, log }),
    tokens: createTokenCounter(log),
    contents: new ContentReader((error) => log.error({ err: error }, "the thread that decodes bodies has failed")),
  };
}

/**
 * Closes what a service held, once it takes no more requests; what is recorded is written first where the database
 * takes it.
 */
export async function closeResources(held: Resources): Promise<void> {
  await held.background.close();
  await Promise.all([...held.upstreams.values()].map((upstream) => upstream.close?.()));
  await Promise.all([held.reads.close(), held.contents.close(), held.tokens.close()]);
  await Promise.all([held.checks.close(), held.webhooks.close()]);
  await held.records.close();
  await held.learning.close();
  await held.auditor.close();
  held.audits.close();
  held.settings.close();
  await held.keys.close();
  await held.changes.close();
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
