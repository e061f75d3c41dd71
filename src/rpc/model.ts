import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  type DeploymentAudit,
  GetModelResponseSchema,
  ListDeploymentAuditsRequestSchema,
  ListDeploymentAuditsResponseSchema,
  type ListModelsRequest,
  ListModelsRequestSchema,
  type ListModelsResponse,
  ListModelsResponseSchema,
  type Model,
  type ModelService as ModelRpc,
} from "../../gen/attune/model/v1/model_pb.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import type { Principal } from "../hub/principal.ts";
import { createRecordValidator } from "../inference/run/validate.ts";
import type { ReadCaller } from "./caller.ts";
import { encodeErrors } from "./encode-error.ts";

/** The models that a caller may call. */
interface ModelList {
  list(principal: Principal): readonly Model[];
  /** Finds a model by its id, its name or an alias. */
  find(id: string, principal: Principal): Model | undefined;
  /** Finds a model that is known and not served; the reason ends a sentence about it. */
  findUnserved(id: string, principal: Principal): { readonly reason: string } | undefined;
  /** Returns the comparison of deployments' answers with those of their model's first deployment. */
  audits(): readonly DeploymentAudit[];
}

/** Implements the RPC service on the catalog. */
export function createModelRpc(models: ModelList, callerOf: ReadCaller): ServiceImpl<typeof ModelRpc> {
  const validate = createRecordValidator(ListModelsRequestSchema);
  const validateAudits = createRecordValidator(ListDeploymentAuditsRequestSchema);
  return {
    listModels: encodeErrors(async (request, context) => {
      const { principal } = await callerOf(context);
      validate(request);
      return getPage(models.list(principal), request);
    }),
    getModel: encodeErrors(async ({ id }, context) => {
      const { principal } = await callerOf(context);
      const model = models.find(id, principal);
      if (model === undefined) {
        const reason = models.findUnserved(id, principal)?.reason;
        const problem = reason === undefined ? "does not exist" : `is not served here: ${reason}`;
        throw new InferenceError(ErrorReason.MODEL_NOT_FOUND, `the model '${shorten(id)}' ${problem}`, {
          param: "model",
        });
      }
      return create(GetModelResponseSchema, { model });
    }),
    listDeploymentAudits: encodeErrors(async (request, context) => {
      const { principal } = await callerOf(context);
      validateAudits(request);
      const id = models.find(request.model, principal)?.id ?? request.model;
      const audits = models.audits().filter(({ model }) => id === "" || model === id);
      return create(ListDeploymentAuditsResponseSchema, { audits: [...audits] });
    }),
  };
}

/** Models of a page where the caller does not say how many; also the most that a caller can ask for. */
const PAGE_SIZE = 1000;

/**
 * A token is the id of the last model of the page before. The list may have changed since, also by the loss of that
 * model.
 */
function getPage(list: readonly Model[], { pageSize, pageToken }: ListModelsRequest): ListModelsResponse {
  const last = pageToken === "" ? -1 : list.findIndex(({ id }) => id === pageToken);
  if (pageToken !== "" && last === -1) {
    throw InferenceError.invalid("page_token", "is of an older list: start again without it");
  }
  const end = last + 1 + (pageSize === 0 ? PAGE_SIZE : pageSize);
  const page = list.slice(last + 1, end);
  return create(ListModelsResponseSchema, {
    models: page,
    nextPageToken: end < list.length ? (page.at(-1)?.id ?? "") : "",
  });
}

/** Longer ones name no model; what is told of them has to fit into a header. */
const MAX_ID_LENGTH = 256;

function shorten(id: string): string {
  return id.length > MAX_ID_LENGTH ? `${id.slice(0, MAX_ID_LENGTH).toWellFormed()}…` : id;
}
