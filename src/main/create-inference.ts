import type { TokenCounter } from "../hub/tokens/token-counter.ts";
import { createContentCheck } from "../inference/checks/check-content.ts";
import { createInferenceService, type InferenceService, type InferenceServicePorts } from "../inference/run/service.ts";
import { createCountCheck, createInputValidator } from "../inference/run/validate.ts";
import { createAttemptLog } from "../observability/log-attempt.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { Records } from "../store/records.ts";
import type { Generation } from "./generation.ts";
import type { Setup } from "./setup.ts";

/** The resources of inference. */
interface InferenceResources
  extends Pick<Setup, "config" | "log">,
    Pick<InferenceServicePorts, "inFlight" | "conversations" | "background" | "signingKey" | "limiter"> {
  readonly records: Records;
  readonly metrics: Metrics;
  readonly tokens: TokenCounter;
  readonly auditor: NonNullable<InferenceServicePorts["audit"]>;
}

/** Creates the inference service of a generation. */
export function createInference(
  { config: own, routing, trials }: Generation,
  open: InferenceResources,
): InferenceService {
  const { config, log, inFlight, records, conversations, metrics, tokens, background, auditor, signingKey, limiter } =
    open;
  const { archive, responseCache, recorder } = records;
  const checkCounts = createCountCheck(config.server.limits);
  const checkRules = createInputValidator();
  const checkContent = createContentCheck(config.server.limits);
  const logAttempt = createAttemptLog(log);
  return createInferenceService({
    router: routing.router,
    recorder: metrics.countRecords(recorder),
    countRefused: metrics.countRefusal,
    estimateTokens: (input, projectId) => tokens.count(input, projectId),
    attempts: {
      ...routing.watch,
      ended(attempt, inference) {
        routing.watch.ended(attempt, inference);
        metrics.countAttempt(attempt);
        logAttempt(attempt, inference);
      },
    },
    inFlight,
    archive,
    conversations,
    responseCache,
    background,
    signingKey,
    limiter,
    audit: config.audit.share > 0 ? auditor : undefined,
    trials,
    totalMs: own.routing.totalMs,
    validate(input) {
      checkCounts(input);
      checkRules(input);
      checkContent(input);
    },
  });
}
