import type { PlannedAttempt } from "../inference/ports.ts";
import { FlexTier } from "../inference/run/flex-tier.ts";
import type { ImproveModels } from "../learning/improve/ports.ts";
import type { BackgroundRequest } from "../learning/shadow/ports.ts";
import type { RepeatedTask } from "../lib/tasks/repeated-task.ts";
import type { Metrics } from "../observability/metrics.ts";
import { createImproveTask } from "../store/learning/improve-task.ts";
import type { openKnownSettings } from "../store/settings/known-settings.ts";
import type { Generations } from "./generations.ts";
import type { openQuotas } from "./open-quotas.ts";
import type { Setup } from "./setup.ts";

/** A call in the flex tier may take 15 minutes (developers.openai.com/api/docs/guides/flex-processing). */
const FLEX_TIMEOUT_MS = 900_000;

/** The parts that improvements work with. */
interface ImproveParts {
  readonly quotas: ReturnType<typeof openQuotas>;
  readonly metrics: Metrics;
  readonly settings: Awaited<ReturnType<typeof openKnownSettings>>;
  readonly generations: Generations;
}

/** Creates what improves workloads by the models and the learning of the current generation. */
export function createImprovements(
  { config, store, log }: Setup,
  { quotas, metrics, settings, generations }: ImproveParts,
): RepeatedTask {
  const flexTier = new FlexTier(() => performance.now());
  return createImproveTask(store, log, () => ({
    models: followModels(() => generations.current.runModels, {
      flexTier,
      isOff: (projectId) => settings.optimizationsOff(projectId).has("flexTier"),
    }),
    budgets: quotas.budgets,
    watch: metrics.shadow,
    workloads: { find: (key) => generations.current.learning.cache.find(key) },
    keepsTexts: (projectId) => settings.bodiesOf(projectId) === "full",
    onFailure: (error) => log.info({ err: error }, "a call of an improvement has failed"),
    timeoutMs: Math.max(FLEX_TIMEOUT_MS, config.learning.shadow.timeoutMs),
  }));
}

/** The flex tier of models, and the projects that do not want it. */
interface FlexOptions {
  readonly flexTier: FlexTier;
  readonly isOff: (projectId: string) => boolean;
}

/**
 * Creates models that are those of the generation which holds when one is asked, since a reload may come between. They
 * are asked in the flex tier where that is cheaper.
 */
function followModels(current: () => ImproveModels, { flexTier, isOff }: FlexOptions): ImproveModels {
  const inTier = <T>(
    planned: PlannedAttempt,
    request: BackgroundRequest,
    ask: (request: BackgroundRequest) => Promise<T>,
  ): Promise<T> =>
    isOff(request.projectId)
      ? ask(request)
      : flexTier.ask(planned, (serviceTier) => ask(serviceTier === undefined ? request : { ...request, serviceTier }));
  return {
    find: (name) => current().find(name),
    price: (planned, tokens) => current().price(planned, tokens),
    ask: (planned, request, signal) => inTier(planned, request, (sent) => current().ask(planned, sent, signal)),
    answer: (planned, request, signal) => inTier(planned, request, (sent) => current().answer(planned, sent, signal)),
    problemOf: (input) => current().problemOf(input),
  };
}
