import type { HubInput } from "../../../hub/input.ts";
import { namedFor } from "../../shared/cache-key.ts";
import { checkReferences } from "../../shared/check-references.ts";
import { type JsonObject, mergeMembers } from "../../shared/json.ts";
import type { EncodedRequest, EncodeTarget } from "../../shared/protocol.ts";
import { checkNotEmpty } from "../../shared/require-content.ts";
import { encodeExtension } from "./encode-extension.ts";
import { encodeMessages } from "./encode-messages.ts";
import { encodeOptions } from "./encode-options.ts";
import { encodeToolMembers } from "./encode-tools.ts";
import { createTranslation, type Translation } from "./translation.ts";

/**
 * Encodes a request; a stream is to tell its usage, as a whole answer does. Throws INVALID_REQUEST for what must be
 * refused by name.
 */
export function encodeRequest(input: HubInput, target: EncodeTarget): EncodedRequest {
  checkReferences(input);
  const translation = createTranslation(input, target);
  const messages = encodeMessages(translation);
  if (!translation.isNative) checkNotEmpty(messages);
  const body = {
    model: target.deployment.model,
    messages,
    ...encodeToolMembers(translation),
    ...encodeOptions(translation),
    ...(target.choices !== undefined && target.choices > 1 ? { n: target.choices } : {}),
    ...(target.streamed ? streamMembers(translation) : {}),
  };
  mergeMembers(body, encodeExtension(translation));
  return { body, losses: translation.losses.places, ...namedFor(input, target) };
}

function streamMembers({ profile }: Translation): JsonObject {
  return { stream: true, ...(profile.streamOptions && { stream_options: { include_usage: true } }) };
}
