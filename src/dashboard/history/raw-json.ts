import { type JsonObject, toJson } from "@bufbuild/protobuf";
import { GenerateResponseSchema, StoredInferenceSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { HubInput } from "../../hub/input.ts";
import { requestToMessage } from "../../hub/request-bytes.ts";
import type { InferenceContent } from "../../store/types/inference-body.ts";

/** The side of an inference that is written as JSON. */
export type RawSide = "request" | "answer";

/** Returns a request as JSON: its message of the RPC API, and beside the members of that how it came in. */
export function requestJson(input: HubInput): JsonObject {
  const { input: asked, ...ingress } = toJson(StoredInferenceSchema, requestToMessage(input)) as JsonObject;
  return { ...(asked as JsonObject), ...ingress };
}

/** Writes what was asked or answered as JSON with line breaks: the messages of the RPC API. */
export function rawJson({ input, output }: InferenceContent, side: RawSide): string {
  const json = side === "request" ? requestJson(input) : toJson(GenerateResponseSchema, output);
  return JSON.stringify(json, undefined, 2);
}
