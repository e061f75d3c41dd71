import { toJson } from "@bufbuild/protobuf";
import { GenerateResponseSchema, InferenceInputSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { InferenceContent, InferenceWithFeedback } from "../../store/dashboard/history.ts";
import { describeFacts, describeFeedback } from "./describe-request.ts";

/** What of an inference is written as JSON. */
export type RawSide = "request" | "answer";

/** Writes what was asked or answered as JSON with line breaks: the messages of the RPC API. */
export function rawJson({ input, output }: InferenceContent, side: RawSide): string {
  const json = side === "request" ? toJson(InferenceInputSchema, input) : toJson(GenerateResponseSchema, output);
  return JSON.stringify(json, undefined, 2);
}

/** Writes a line of an export: what was asked and answered, null where it was not kept, the facts, and the feedback. */
export function exportLine({ row, content, feedback }: InferenceWithFeedback): string {
  const line = {
    id: row.id,
    facts: describeFacts(row),
    request: content === undefined ? null : toJson(InferenceInputSchema, content.input),
    answer: content === undefined ? null : toJson(GenerateResponseSchema, content.output),
    feedback: feedback.map(describeFeedback),
  };
  return `${JSON.stringify(line)}\n`;
}
