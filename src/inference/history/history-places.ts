import { ContentBlockSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import type { UpstreamCall } from "../../hub/upstream.ts";
import { PREVIOUS_FIELD, type Prompt } from "./history.ts";

/** The place of a message, or of a block in it. */
const MESSAGE = /^messages\[(\d+)\](?:\.content\[(\d+)\])?/;

/**
 * Translates a prompt, and names places in it as in the caller's own input: upstreams count the messages of the
 * conversation that is continued, which the caller did not send. A place in those begins with the field that named the
 * conversation.
 */
export function prepareAtPlaces<Call extends Pick<UpstreamCall, "losses">>(prompt: Prompt, prepare: () => Call): Call {
  if (prompt.historyLength === 0) return prepare();
  const rename = (place: string): string => renamePlace(place, prompt);
  try {
    const call = prepare();
    return { ...call, losses: [...new Set(call.losses.map(rename))] };
  } catch (thrown) {
    throw thrown instanceof InferenceError ? thrown.atPlaces(rename) : thrown;
  }
}

/**
 * Renames a path in the conversation so that it says what kind of block it means, since its reader does not have the
 * conversation.
 */
function renamePlace(place: string, { input, historyLength }: Prompt): string {
  return place.replace(MESSAGE, (whole, digits: string, block: string | undefined) => {
    const index = Number(digits);
    if (index >= historyLength) return whole.replace(digits, String(index - historyLength));
    const kind = input.messages[index]?.content[Number(block)]?.kind.case;
    const name = kind === undefined ? "" : `.${ContentBlockSchema.field[kind].name}`;
    return `${PREVIOUS_FIELD}.${whole}${name}`;
  });
}
