import { ContentBlockSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import type { UpstreamCall } from "../../hub/upstream.ts";
import { PREVIOUS_FIELD, type Prompt } from "./history.ts";
import { type OpenedInput, openInput, type TargetDeployment } from "./open-input.ts";

/** The place of a message, or of a block in it. */
const MESSAGE = /^messages\[(\d+)\](?:\.content\[(\d+)\])?/;

/**
 * Opens a prompt for a place and translates it, and names places in it as in the caller's own input: upstreams count
 * the messages of the conversation that is continued, and of recalled reasoning, which the caller did not send. A place
 * in the conversation begins with the field that named it.
 */
export function prepareAtPlaces<Call extends Pick<UpstreamCall, "losses">>(
  prompt: Prompt,
  place: TargetDeployment,
  prepare: (opened: OpenedInput) => Call,
): Call {
  const opened = openInput(prompt, place);
  const { inserted = [], repeated = [] } = opened;
  if (prompt.historyLength === 0 && inserted.length === 0) return prepare(opened);
  const rename = (name: string): string => renamePlace(withoutInserted(name, inserted), prompt);
  try {
    const call = prepare(opened);
    const losses = call.losses.filter((loss) => !inserted.includes(getMessage(loss)) && !repeated.includes(loss));
    return { ...call, losses: [...new Set(losses.map(rename))] };
  } catch (thrown) {
    throw thrown instanceof InferenceError ? thrown.atPlaces(rename) : thrown;
  }
}

/** Position of the message that a place is in; -1 for one elsewhere. */
function getMessage(place: string): number {
  return Number(MESSAGE.exec(place)?.[1] ?? -1);
}

/** Counts the caller's messages alone. */
function withoutInserted(place: string, inserted: readonly number[]): string {
  const index = getMessage(place);
  const before = inserted.filter((position) => position < index).length;
  return before === 0 ? place : place.replace(/\d+/, String(index - before));
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
