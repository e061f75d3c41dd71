import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  GetModelResponseSchema,
  ListModelsResponseSchema,
  type Model,
  type ModelService as ModelRpc,
} from "../../gen/attune/model/v1/model_pb.ts";
import { ErrorReason, InferenceError } from "../inference/error.ts";
import type { ReadCaller } from "./caller.ts";
import { encodeError } from "./encode-error.ts";

/** The models that can be called. */
export interface ModelList {
  list(): readonly Model[];
  /** Finds a model by its id with prefix. */
  find(id: string): Model | undefined;
}

/** Implements the RPC service on the catalogue. */
export function createModelRpc(models: ModelList, callerOf: ReadCaller): ServiceImpl<typeof ModelRpc> {
  return {
    async listModels(_request, context) {
      try {
        await callerOf(context);
        return create(ListModelsResponseSchema, { models: [...models.list()] });
      } catch (thrown) {
        throw encodeError(thrown);
      }
    },
    async getModel({ id }, context) {
      try {
        await callerOf(context);
        const model = models.find(id);
        if (model === undefined) {
          throw new InferenceError(ErrorReason.MODEL_NOT_FOUND, `the model '${shorten(id)}' does not exist`, {
            param: "model",
          });
        }
        return create(GetModelResponseSchema, { model });
      } catch (thrown) {
        throw encodeError(thrown);
      }
    },
  };
}

/** Longer ones name no model; what is told of them has to fit into a header. */
const MAX_ID_LENGTH = 256;

function shorten(id: string): string {
  return id.length > MAX_ID_LENGTH ? `${id.slice(0, MAX_ID_LENGTH).toWellFormed()}…` : id;
}
