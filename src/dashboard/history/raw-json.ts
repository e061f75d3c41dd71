import { toJson } from "@bufbuild/protobuf";
import { GenerateResponseSchema, InferenceInputSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { ExportedInference, InferenceContent } from "../../store/dashboard/history.ts";
import type { ContentWriter } from "./content-writer.ts";
import { describeFacts, describeFeedback } from "./describe-request.ts";

/** What of an inference is written as JSON. */
export type RawSide = "request" | "answer";

/** Writes what was asked or answered as JSON with line breaks: the messages of the RPC API. */
export function rawJson({ input, output }: InferenceContent, side: RawSide): string {
  const json = side === "request" ? toJson(InferenceInputSchema, input) : toJson(GenerateResponseSchema, output);
  return JSON.stringify(json, undefined, 2);
}

/**
 * Writes a line of an export, in parts: what was asked and answered, null where it was not kept, the facts, and the
 * feedback.
 */
export async function* exportLine(
  { row, body, feedback }: ExportedInference,
  writer: ContentWriter,
): AsyncGenerator<string | Uint8Array> {
  const head = `{"id":${JSON.stringify(row.id)},"facts":${JSON.stringify(describeFacts(row))},`;
  const tail = `,"feedback":${JSON.stringify(feedback.map(describeFeedback))}}\n`;
  const content = body === undefined ? '"request":null,"answer":null' : await writer.write(body);
  if (typeof content === "string") {
    yield `${head}${content}${tail}`;
    return;
  }
  yield head;
  yield content;
  yield tail;
}
