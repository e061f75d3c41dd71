import type { Admit } from "../admission/admission.ts";
import { modelToMessage } from "../catalog/model-message.ts";
import { createFeedbackCapacity, createFeedbackService } from "../feedback/service.ts";
import { createContentCheck } from "../inference/checks/check-content.ts";
import { createCountCheck } from "../inference/run/check-counts.ts";
import { createInferenceService, type InferenceService } from "../inference/run/service.ts";
import { createStoredInferences } from "../inference/run/stored-inferences.ts";
import { createInputValidator } from "../inference/run/validate.ts";
import { auditToMessage } from "../learning/equivalence/audit-message.ts";
import { createAttemptLog } from "../observability/log-attempt.ts";
import { createCallerReader } from "../rpc/caller.ts";
import { createFeedbackRpc } from "../rpc/feedback.ts";
import { createInferencePush, createInferenceRpc, type PushInference } from "../rpc/inference.ts";
import { createModelRpc } from "../rpc/model.ts";
import type { RpcServices } from "../rpc/routes.ts";
import { createWorkloadRpc } from "../rpc/workload.ts";
import { createWorkloadDirectory } from "../store/learning/workload-directory.ts";
import type { Resources, Setup } from "./open-resources.ts";

/** The services that all callers reach, those of the JSON formats too. */
interface Services {
  readonly rpc: RpcServices;
  readonly pushInference: PushInference;
}

/** Creates the services on what is open. */
export function createServices(open: Resources, admit: Admit, { config, store, log }: Setup): Services {
  const { catalog, records, background, audits } = open;
  const { archive, inferences, feedback } = records;
  const { feedbackEvents, projectShare } = config.server.limits;
  const capacity = createFeedbackCapacity(feedbackEvents, projectShare);
  const callerOf = createCallerReader(admit);
  const inference = createInference(open, { config, log });
  const models = catalog.models.map((model) => modelToMessage(model, catalog.idOf(model)));
  const modelList = {
    list: () => models,
    find: (id: string) => models.find((model) => model.id === id),
    audits: () =>
      audits.cache.reports().map((report) => auditToMessage(report, `${config.prefix}/${report.key.model}`)),
  };
  return {
    rpc: {
      inference: createInferenceRpc(inference, createStoredInferences({ archive, background }), callerOf),
      model: createModelRpc(modelList, callerOf),
      feedback: createFeedbackRpc(createFeedbackService({ inferences, feedback, log, capacity }), callerOf),
      workload: createWorkloadRpc({
        directory: createWorkloadDirectory(store, config.learning.mode),
        models: catalog.models.map(({ name }) => name),
        ...{ prefix: config.prefix, callerOf },
      }),
    },
    pushInference: createInferencePush(inference, callerOf),
  };
}

function createInference(open: Resources, { config, log }: Pick<Setup, "config" | "log">): InferenceService {
  const { routing, inFlight, records, metrics, tokens, background, auditor, signingKey } = open;
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
        logAttempt(attempt, inference.id);
      },
    },
    ...{ inFlight, archive, responseCache, background, signingKey },
    audit: config.audit.share > 0 ? auditor : undefined,
    validate(input) {
      checkCounts(input);
      checkRules(input);
      checkContent(input);
    },
  });
}
