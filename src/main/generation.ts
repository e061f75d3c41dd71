import type { KeyObject } from "node:crypto";
import { createCatalog } from "../catalog/catalog.ts";
import type { Config } from "../config/config.ts";
import { sandboxNames } from "../config/defaults.ts";
import { actsAtProvider } from "../hub/request-traits.ts";
import { checkAnswer } from "../inference/checks/check-answer.ts";
import type { CheckThread, JudgeTextsFor } from "../inference/checks/check-thread.ts";
import { createJudge } from "../inference/checks/judge-texts.ts";
import { requestedForm } from "../inference/checks/requested-form.ts";
import { Webhooks } from "../inference/checks/webhooks/webhooks.ts";
import { askInBackground } from "../inference/run/ask-in-background.ts";
import { isReadable } from "../inference/run/triable-answer.ts";
import { createAlternatives, isOnlyAt } from "../learning/alternatives.ts";
import { createArmNames } from "../learning/bandit/best-of-n.ts";
import type { RunModels } from "../learning/dataset-runs/ports.ts";
import { createKnownPrices } from "../learning/known-prices.ts";
import type { ShadowBudgets } from "../learning/shadow/ports.ts";
import type { ShadowTrials } from "../learning/shadow/shadow-trials.ts";
import { Signer } from "../lib/signer.ts";
import { logKey, logWebhook } from "../observability/log-troubles.ts";
import type { Metrics } from "../observability/metrics.ts";
import { createRouting } from "../routing/routing.ts";
import type { SessionChoices } from "../routing/session-choices.ts";
import type { ChangeFeed } from "../store/changes/change-feed.ts";
import type { openAuditCache } from "../store/equivalence/open-audit-cache.ts";
import { openLearning } from "../store/learning/open-learning.ts";
import { createShadowStore } from "../store/learning/shadow-store.ts";
import type { openKnownSettings } from "../store/settings/known-settings.ts";
import type { KeyChange } from "../upstream/keys/key-ring.ts";
import { createUpstreams } from "../upstream/registry.ts";
import type { UpstreamQueues } from "../upstream/upstream-queues.ts";
import { createWebhookClient } from "../upstream/webhook-client.ts";
import { describeOutlook } from "../vocabulary/outlook.ts";
import { createShadowModels, createTrials, type ModelResources } from "./create-trials.ts";
import type { Setup } from "./setup.ts";

/** The resources that every generation uses. */
interface GenerationPorts extends Pick<Setup, "store" | "log"> {
  readonly changes: ChangeFeed;
  readonly audits: Awaited<ReturnType<typeof openAuditCache>>;
  readonly settings: Awaited<ReturnType<typeof openKnownSettings>>;
  readonly checks: CheckThread;
  /** Outlives reloads, so that sessions go on. */
  readonly sessions: SessionChoices;
  /** Outlive reloads, so that upstreams have no more calls at once than they take. */
  readonly queues: UpstreamQueues;
  readonly countWebhook: Metrics["countWebhook"];
  readonly countShadow: Metrics["shadow"];
  readonly signingKey: KeyObject;
  readonly budgets: ShadowBudgets;
}

/** The parts of a service that its configuration decides, and that a reload replaces. */
export type Generation = Awaited<ReturnType<typeof openGeneration>>;

/** Opens the models, upstreams and learning of a configuration. Rejects if what was learned cannot be read. */
export async function openGeneration(config: Config, ports: GenerationPorts) {
  const { store, log, changes, audits, settings, checks } = ports;
  const catalog = createCatalog(config.models, config.prefix, config.unserved);
  const sandboxes = sandboxNames(config.upstreams);
  const alternativesOf = createAlternatives(catalog.models, config.learning.models);
  const isMadeUp = (name: string): boolean => {
    const model = catalog.find(name);
    return model !== undefined && isOnlyAt(model, sandboxes);
  };
  let trials: ShadowTrials | undefined;
  const learning = await openLearning(store, {
    log,
    changes,
    severalOf: createArmNames(catalog.models),
    ...config.learning,
    // Not the scope, but what it comes to.
    models: catalog.models.map(({ name }) => name),
    alternativesOf,
    pricesOf: createKnownPrices(catalog.models),
    onOutlook({ projectId, model }, outlook) {
      if (isMadeUp(model)) return;
      log.info(
        { projectId, model, ...outlook },
        `learning: mode on would have answered ${model} ${describeOutlook(outlook)}: ` +
          `attune workloads mode on --model ${model}`,
      );
    },
    onRewarded: (rewarded) => trials?.check(rewarded),
  });
  const onKey = (upstream: string, change: KeyChange): void => logKey(log, upstream, change);
  const upstreams = createUpstreams(config.upstreams, { queues: ports.queues, onKey });
  const webhooks = new Webhooks(config.models, {
    createClient: createWebhookClient,
    onResult: ports.countWebhook,
    onTrouble: (trouble) => logWebhook(log, trouble),
    now: () => performance.now(),
  });
  const judge = createJudge({ bySchema: checks.judge, byWebhook: webhooks.judge });
  const { failoverShare: failover, hedgingShare: hedging, retryShare: retry } = config.routing;
  const routing = createRouting({
    catalog,
    isDifferent: (model, place) => audits.cache.isOut(model, place),
    upstreams,
    sandboxes,
    workloads: learning.cache,
    sessions: ports.sessions,
    optimizationsOff: settings.optimizationsOff,
    aliasOf: settings.aliasOf,
    shares: { failover, hedging, retry },
    judge,
    now: () => performance.now(),
  });
  trials = createTrials(config.learning, {
    catalog,
    routing,
    workloads: learning.cache,
    store: createShadowStore(store),
    watch: ports.countShadow,
    mostShare: learning.mostShadow,
    keepsTexts: (projectId) => settings.bodiesOf(projectId) === "full",
    signingKey: ports.signingKey,
    budgets: ports.budgets,
    log,
  });
  const runModels = createRunModels({ catalog, routing, signingKey: ports.signingKey }, judge);
  const openedAt = new Date();
  return {
    config,
    openedAt,
    catalog,
    alternativesOf,
    isMadeUp,
    learning,
    upstreams,
    webhooks,
    routing,
    trials,
    runModels,
  };
}

/** Closes a generation that no request uses any more. */
export async function closeGeneration({ upstreams, webhooks, learning, trials }: Generation): Promise<void> {
  await trials.close();
  await Promise.all([...upstreams.values()].map((upstream) => upstream.close?.()));
  await webhooks.close();
  await learning.close();
}

/** Creates the models that runs of datasets ask; `judge` holds answers against the form that was asked for. */
export function createRunModels(resources: ModelResources, judge: JudgeTextsFor): RunModels {
  const { catalog, signingKey } = resources;
  return {
    ...createShadowModels(resources),
    answer(planned, { input, projectId, serviceTier }, signal) {
      const prompt = { input, historyLength: 0, previousId: undefined, signer: new Signer(signingKey, projectId) };
      return askInBackground(prompt, { planned, streamed: false, projectId, serviceTier }, signal);
    },
    problemOf(input) {
      if (input.embedding !== undefined) return "it asks for embeddings";
      if (input.compact) return "it asks for a summary of its conversation";
      if (input.n > 1) return "it asks for several answers";
      if (actsAtProvider(input)) return "its provider does or keeps something for it";
      return isReadable(input) ? undefined : "it has pictures, files or state of its model";
    },
    async check(base, { input, response, projectId }, signal) {
      const form = requestedForm(input, catalog.find(base)?.checks);
      const { failed } = await checkAnswer(response, form, (texts) => judge(texts, { projectId, signal }));
      return failed;
    },
  };
}
