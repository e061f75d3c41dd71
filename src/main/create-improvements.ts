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
  const { timeoutMs } = config.learning.shadow;
  return createImproveTask(store, log, () => ({
    models: followModels(() => generations.current.runModels, {
      flexTier,
      isOff: (projectId) => settings.optimizationsOff(projectId).has("flexTier"),
      timeoutMs,
    }),
    budgets: quotas.budgets,
    watch: metrics.shadow,
    workloads: { find: (key) => generations.current.learning.cache.find(key) },
    keepsTexts: (projectId) => settings.bodiesOf(projectId) === "full",
    onFailure: (error) => log.info({ err: error }, "a call of an improvement has failed"),
    timeoutMs: FLEX_TIMEOUT_MS + timeoutMs,
  }));
}

/** The flex tier of models, and the projects that do not want it. */
interface FlexOptions {
  readonly flexTier: FlexTier;
  readonly isOff: (projectId: string) => boolean;
  /** Milliseconds that a call in the ordinary tier may take. */
  readonly timeoutMs: number;
}

/**
 * Creates models that are those of the generation which holds when one is asked, since a reload may come between. They
 * are asked in the flex tier where that is cheaper.
 */
function followModels(current: () => ImproveModels, { flexTier, isOff, timeoutMs }: FlexOptions): ImproveModels {
  const within = async <T>(
    planned: PlannedAttempt,
    request: BackgroundRequest,
    ask: (request: BackgroundRequest, limit: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const call = (serviceTier?: string): Promise<T> =>
      serviceTier === undefined
        ? ask(request, AbortSignal.timeout(timeoutMs))
        : ask({ ...request, serviceTier }, AbortSignal.timeout(FLEX_TIMEOUT_MS));
    return isOff(request.projectId) ? await call() : await flexTier.ask(planned, call);
  };
  return {
    find: (name) => current().find(name),
    price: (planned, tokens) => current().price(planned, tokens),
    ask: (planned, request, signal) =>
      within(planned, request, (sent, limit) => current().ask(planned, sent, AbortSignal.any([signal, limit]))),
    answer: (planned, request, signal) =>
      within(planned, request, (sent, limit) => current().answer(planned, sent, AbortSignal.any([signal, limit]))),
    problemOf: (input) => current().problemOf(input),
  };
}
