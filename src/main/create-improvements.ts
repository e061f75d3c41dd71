import type { ImproveModels } from "../learning/improve/ports.ts";
import type { RepeatedTask } from "../lib/tasks/repeated-task.ts";
import type { Metrics } from "../observability/metrics.ts";
import { createImproveTask } from "../store/learning/improve-task.ts";
import type { openKnownSettings } from "../store/settings/known-settings.ts";
import type { Generations } from "./generations.ts";
import type { openQuotas } from "./open-quotas.ts";
import type { Setup } from "./setup.ts";

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
  return createImproveTask(store, log, () => ({
    models: followModels(() => generations.current.runModels),
    budgets: quotas.budgets,
    watch: metrics.shadow,
    workloads: { find: (key) => generations.current.learning.cache.find(key) },
    keepsTexts: (projectId) => settings.bodiesOf(projectId) === "full",
    onFailure: (error) => log.info({ err: error }, "a call of an improvement has failed"),
    timeoutMs: config.learning.shadow.timeoutMs,
  }));
}

/** Creates models that are those of the generation which holds when one is asked: a reload may come between. */
function followModels(current: () => ImproveModels): ImproveModels {
  return {
    find: (name) => current().find(name),
    price: (planned, tokens) => current().price(planned, tokens),
    ask: (planned, request, signal) => current().ask(planned, request, signal),
    answer: (planned, request, signal) => current().answer(planned, request, signal),
    problemOf: (input) => current().problemOf(input),
  };
}
