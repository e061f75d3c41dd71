import { toJson } from "@bufbuild/protobuf";
import { GenerateResponseSchema, InferenceInputSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { decodeMessages, type EncodedContent } from "../../store/types/inference-body.ts";

/** Writes two members of a line of an export, what was asked and answered, from bodies that are not compressed. */
export function contentJson({ request, response }: EncodedContent): string {
  const { input, output } = decodeMessages(request, response);
  const [asked, answered] = [toJson(InferenceInputSchema, input), toJson(GenerateResponseSchema, output)];
  return `"request":${JSON.stringify(asked)},"answer":${JSON.stringify(answered)}`;
}
