import { InferenceError } from "./error.ts";
import { type Prompt, previousField } from "./history.ts";
import type { UpstreamCall } from "./ports.ts";

/** The place of a message: `messages[2]`, or `input[2]`. */
const MESSAGE = /^(messages|input)\[(\d+)\]/;

/**
 * Translates a prompt, and names places in it as the caller knows them: upstreams count the messages of the conversation
 * that is continued, which the caller did not send. A place in those begins with the member that named the conversation.
 */
export function prepareAtPlaces<Call extends Pick<UpstreamCall, "losses">>(prompt: Prompt, prepare: () => Call): Call {
  if (prompt.historyLength === 0) return prepare();
  const rename = (place: string): string => renamePlace(place, prompt);
  try {
    const call = prepare();
    return { ...call, losses: [...new Set(call.losses.map(rename))] };
  } catch (thrown) {
    if (!(thrown instanceof InferenceError) || thrown.facts.param === undefined) throw thrown;
    throw new InferenceError(thrown.reason, rename(thrown.message), {
      ...thrown.facts,
      param: rename(thrown.facts.param),
    });
  }
}

function renamePlace(place: string, { input, historyLength }: Prompt): string {
  return place.replace(MESSAGE, (whole, name: string, digits: string) => {
    const own = Number(digits) - historyLength;
    return own >= 0 ? `${name}[${own}]` : `${previousField(input)}.${whole}`;
  });
}
