import type { Model } from "../../gen/attune/model/v1/model_pb.ts";
import type { Admit } from "../admission/admission.ts";
import { feedbackSigner } from "../admission/feedback-token.ts";
import { modelToMessage } from "../catalog/model-message.ts";
import { createTokenPrices } from "../config/token-prices.ts";
import { createFeedbackCapacity, createFeedbackService } from "../feedback/service.ts";
import { TokenValues } from "../feedback/token-values.ts";
import { ValueKinds } from "../feedback/value-kinds.ts";
import type { Principal } from "../hub/principal.ts";
import { keepsNothing } from "../inference/history/read-stored.ts";
import { createKeyedInference } from "../inference/idempotency/keyed-inference.ts";
import { createStoredInferences } from "../inference/run/stored-inferences.ts";
import { auditToMessage } from "../learning/equivalence/audit-message.ts";
import { createOperations, type Operations } from "../operations/create-operations.ts";
import { createAdminRpc } from "../rpc/admin.ts";
import { createCallerReader } from "../rpc/caller.ts";
import { createConversationRpc } from "../rpc/conversation.ts";
import { createTokenRpc } from "../rpc/create-token.ts";
import { createFeedbackRpc } from "../rpc/feedback.ts";
import { createInferencePush, createInferenceRpc, type PushInference } from "../rpc/inference.ts";
import { createAnswerList } from "../rpc/list-inferences.ts";
import { createModelRpc } from "../rpc/model.ts";
import type { RpcServices } from "../rpc/routes.ts";
import { createUsageRpc } from "../rpc/usage.ts";
import { createWorkloadRpc } from "../rpc/workload.ts";
import { createWorkloadDirectory } from "../store/learning/workload-directory.ts";
import { createKindsReader, createRatedNamesReader } from "../store/read/read-rated-names.ts";
import { readRefusals } from "../store/refusals/read-refusals.ts";
import { createEndUserPages } from "./end-user-pages.ts";
import type { Generation } from "./generation.ts";
import type { Resources } from "./open-resources.ts";
import { createRequestPages } from "./request-pages.ts";
import type { Setup } from "./setup.ts";

/** The services that all callers reach, those of the JSON formats too. */
interface Services {
  /** The operations of administrators and members. */
  readonly operations: Operations;
  readonly rpc: RpcServices;
  readonly pushInference: PushInference;
}

/** Creates the services on what is open. */
export function createServices(open: Resources, admit: Admit, { config, store, log }: Setup): Services {
  const { generations, records, background, audits, keyedCalls } = open;
  const { archive, inferences, feedback } = records;
  const stored = createStoredInferences({ archive, background });
  const inference = createKeyedInference(generations.inference, keyedCalls, stored);
  const { sessionHeaders, limits } = config.server;
  const { feedbackEvents, tokenValues: most, projectShare } = limits;
  const capacity = createFeedbackCapacity(feedbackEvents, projectShare);
  const tokenValues = new TokenValues(most, createRatedNamesReader(store));
  const callerOf = createCallerReader(admit);
  const inferencePorts = { service: inference, callerOf, sessionHeaders };
  const mayCall = (principal: Principal, model: { readonly name: string } | undefined): boolean =>
    model !== undefined && open.quotas.limiter.mayCall(principal, model.name);
  const modelList = {
    list: (principal: Principal) =>
      getModels(generations.current).filter((_, at) => mayCall(principal, generations.current.catalog.models[at])),
    find(name: string, principal: Principal) {
      const { catalog } = generations.current;
      const found = catalog.find(name) ?? catalog.find(open.settings.aliasOf(principal.projectId, name) ?? "");
      return found && mayCall(principal, found)
        ? getModels(generations.current)[catalog.models.indexOf(found)]
        : undefined;
    },
    findUnserved(name: string, principal: Principal) {
      const unserved = generations.current.catalog.findUnserved(name);
      return mayCall(principal, unserved) ? unserved : undefined;
    },
    audits: () =>
      audits.cache.reports().map((report) => auditToMessage(report, `${config.prefix}/${report.key.model}`)),
  };
  const operations = openOperations(open, { config, store, log });
  return {
    operations,
    rpc: {
      inference: createInferenceRpc({
        ...inferencePorts,
        stored,
        answerList: createAnswerList(records.list, config.prefix),
      }),
      conversation: createConversationRpc({
        conversations: open.conversations,
        keepsNothing: (projectId) => keepsNothing(archive, projectId),
        callerOf,
      }),
      model: createModelRpc(modelList, callerOf),
      feedback: {
        ...createFeedbackRpc(
          createFeedbackService({
            inferences,
            feedback,
            tokenValues,
            kinds: new ValueKinds(createKindsReader(store)),
            log,
            capacity,
            count: open.metrics.countFeedback,
          }),
          keyedCalls,
          callerOf,
        ),
        ...createTokenRpc(feedbackSigner(open.signingKey), callerOf),
      },
      usage: createUsageRpc({
        readUsage: (query) => open.reads.reads.readUsageReport(query),
        readRefusals: (query) => readRefusals(store, query),
        prefix: config.prefix,
        callerOf,
      }),
      workload: createWorkloadRpc({
        directory: createWorkloadDirectory(store, () => generations.current.config.learning),
        modelOf: (name) => generations.current.catalog.find(name)?.name,
        prefix: config.prefix,
        callerOf,
      }),
      admin: createAdminRpc(operations),
    },
    pushInference: createInferencePush(inferencePorts),
  };
}

/** Opens the operations, which all doors call. */
function openOperations(open: Resources, { config, store, log }: Setup): Operations {
  const { generations } = open;
  return createOperations({
    store,
    prefix: config.prefix,
    readUsage: (query) => open.reads.reads.readUsageReport(query),
    modelOf: (name) => generations.current.catalog.find(name)?.name,
    learning: () => generations.current.config.learning,
    improvements: {
      alternativesOf: (model) => generations.current.alternativesOf(model),
      priceOf: createTokenPrices(() => generations.current),
    },
    readRequestPage: createRequestPages(open.contents),
    catchUp: async () => {
      await open.changes.catchUp();
      await open.settings.catchUp();
    },
    endUsers: {
      readPage: createEndUserPages(open.contents),
      onFailure: (error) => log.error({ err: error }, "the deletion of an end user's data failed"),
    },
    alerts: {
      secretOf: open.alerts.secretOf,
      test: open.alerts.test,
      settings: () => generations.current.config.alerts,
    },
  });
}

const messages = new WeakMap<Generation, readonly Model[]>();

/** Lists the models of a generation as callers are told them. */
function getModels(generation: Generation): readonly Model[] {
  const { catalog } = generation;
  const known = messages.get(generation);
  if (known !== undefined) return known;
  const models = catalog.models.map((model) => modelToMessage(model, catalog.idOf(model)));
  messages.set(generation, models);
  return models;
}
