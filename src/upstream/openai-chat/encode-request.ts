import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { UpstreamTarget } from "../../inference/ports.ts";
import { mergeMembers } from "../../wire/merge-members.ts";
import { checkReferences } from "../check-references.ts";
import type { EncodedRequest } from "../protocol.ts";
import { encodeMessages } from "./encode-messages.ts";
import { encodeOptions } from "./encode-options.ts";
import { encodeToolMembers } from "./encode-tools.ts";
import { createTranslation } from "./translation.ts";

/** Encodes a request, always as a stream that tells its usage. Throws INVALID_REQUEST for what must be refused by name. */
export function encodeRequest(input: InferenceInput, { deployment, ownReasoning }: UpstreamTarget): EncodedRequest {
  checkReferences(input);
  const translation = createTranslation(input, ownReasoning);
  const body = {
    model: deployment.model,
    messages: encodeMessages(translation),
    ...encodeToolMembers(translation),
    ...encodeOptions(translation),
    stream: true,
    stream_options: { include_usage: true },
  };
  mergeMembers(body, translation.losses.extension(input.extension, ""));
  return { body: JSON.stringify(body), losses: translation.losses.places };
}
