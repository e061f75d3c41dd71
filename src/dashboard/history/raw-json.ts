import { toJson } from "@bufbuild/protobuf";
import { GenerateResponseSchema, InferenceInputSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { InferenceContent } from "../../store/dashboard/history.ts";

/** What of an inference is written as JSON. */
export type RawSide = "request" | "answer";

/** Writes what was asked or answered as JSON with line breaks: the messages of the RPC API. */
export function rawJson({ input, output }: InferenceContent, side: RawSide): string {
  const json = side === "request" ? toJson(InferenceInputSchema, input) : toJson(GenerateResponseSchema, output);
  return JSON.stringify(json, undefined, 2);
}
