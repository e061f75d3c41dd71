import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  type InferenceInput,
  type InferenceService as InferenceRpc,
  StreamGenerateResponseSchema,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../inference/error.ts";
import type { InferenceService } from "../inference/service.ts";
import { callerOf } from "./caller.ts";
import { encodeError } from "./encode-error.ts";

/** Implements the RPC service on the inference service. */
export function createInferenceRpc(service: InferenceService): ServiceImpl<typeof InferenceRpc> {
  return {
    async generate({ input }, context) {
      try {
        return await service.generate(required(input), callerOf(context));
      } catch (thrown) {
        throw encodeError(thrown);
      }
    },
    async *streamGenerate({ input }, context) {
      try {
        for await (const events of service.stream(required(input), callerOf(context))) {
          yield create(StreamGenerateResponseSchema, { events });
        }
      } catch (thrown) {
        throw encodeError(thrown);
      }
    },
    async countTokens({ input }, context) {
      try {
        return await service.countTokens(required(input), callerOf(context));
      } catch (thrown) {
        throw encodeError(thrown);
      }
    },
  };
}

function required(input: InferenceInput | undefined): InferenceInput {
  if (input === undefined) throw InferenceError.invalid("input", "is required");
  return input;
}
