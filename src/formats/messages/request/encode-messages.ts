import { type ContentBlock, type Message, Role } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../../../hub/error.ts";
import { type JsonObject, mergeMembers } from "../../shared/json.ts";
import { resultsBehindCalls } from "../../shared/results-behind-calls.ts";
import { isBlankText } from "./blank-text.ts";
import { encodeBlock } from "./encode-block.ts";
import type { EncodeContext } from "./encode-context.ts";
import { arrangeTurns, type Turn, type TurnRole } from "./merge-turns.ts";

const TURN_ROLE: Record<Role, TurnRole> = {
  [Role.UNSPECIFIED]: "user",
  [Role.SYSTEM]: "system",
  [Role.DEVELOPER]: "system",
  [Role.USER]: "user",
  [Role.ASSISTANT]: "assistant",
  [Role.TOOL]: "user",
};

/** Role of a message's turn; over RPC a role may come that this version does not know. */
function turnRole({ role }: Message): TurnRole {
  return TURN_ROLE[role] ?? "user";
}

type EncodedMessage = JsonObject & { content: JsonObject[] };

/** A message that goes on as it came. */
export class WholeMessage {
  readonly json: JsonObject;

  constructor(json: JsonObject) {
    this.json = json;
  }
}

/** The prompt in blocks; content becomes a string only when the cache marks are settled. */
export interface EncodedPrompt {
  readonly system: JsonObject[];
  /** Messages whose content is an array of blocks, but for those of a role that the hub does not know. */
  readonly messages: readonly (EncodedMessage | WholeMessage)[];
}

/** Encodes the system prompt and the messages. Throws INVALID_REQUEST for what must be refused by name. */
export function encodePrompt(input: InferenceInput, context: EncodeContext): EncodedPrompt {
  const system = input.system
    .map((block, index) => encodeBlock(block, `system[${index}]`, context))
    .filter((json) => json !== undefined);
  return context.native ? encodeNative(input, system, context) : encodeTranslated(input, system, context);
}

/**
 * One message for each message, untouched. Only blank texts of the assistant, which a model of another format may have
 * said, are left out: a message of nothing else goes, and the format takes the turns of the user around it as one.
 */
function encodeNative(input: InferenceInput, system: JsonObject[], context: EncodeContext): EncodedPrompt {
  const messages = input.messages.flatMap((message, index): (EncodedMessage | WholeMessage)[] => {
    const path = `messages[${index}]`;
    const content = encodeContent(message, path, context);
    const [whole] = content;
    if (message.role === Role.UNSPECIFIED && whole !== undefined) return [new WholeMessage(whole)];
    const isLast = index === input.messages.length - 1;
    if (whole === undefined && (message.content.length > 0 || !isLast)) {
      context.losses.lose(message.extension, path);
      return [];
    }
    const extension = context.losses.own(message.extension);
    const json: EncodedMessage = { role: turnRole(message), content };
    mergeMembers(json, extension);
    return [json];
  });
  return { system, messages };
}

/** Leading system messages join the system prompt; neighbours of one role become one turn. */
function encodeTranslated(input: InferenceInput, system: JsonObject[], context: EncodeContext): EncodedPrompt {
  const leading = countLeading(input.messages);
  const turns: Turn[] = [];
  const all = input.messages.map((message, index) => ({ message, index }));
  for (const { message, index } of resultsBehindCalls(all)) {
    const path = `messages[${index}]`;
    checkNotEmpty(message, path);
    const content = encodeContent(message, path, context);
    // Neighbouring messages become one turn, whose members nobody could tell apart.
    context.losses.lose(message.extension, path);
    if (index < leading) system.push(...content);
    else if (content.length > 0) turns.push({ role: turnRole(message), content, paths: [path] });
  }
  const arranged = beginWithUser(arrangeTurns(turns, context.losses), context);
  trimLast(arranged, context);
  return { system, messages: arranged.map(({ role, content }) => ({ role, content })) };
}

/** System messages at the start. If there is nothing else, the last of them stays: the format needs a user turn. */
function countLeading(messages: readonly Message[]): number {
  const first = messages.findIndex((message) => turnRole(message) !== "system");
  return first === -1 ? messages.length - 1 : first;
}

function encodeContent(message: Message, path: string, context: EncodeContext): JsonObject[] {
  const encoded = message.content.map((block, index) => {
    // What has no role is an item of one dialect, and its block is the whole of it.
    const place = message.role === Role.UNSPECIFIED ? path : `${path}.content[${index}]`;
    if (context.native && message.role === Role.ASSISTANT && isBlankText(block)) return leaveOut(block, place, context);
    const isText = block.kind.case === "text" || block.kind.case === "opaque";
    if (turnRole(message) !== "system" || isText) return encodeBlock(block, place, context);
    context.losses.at(place);
    return undefined;
  });
  return encoded.filter((json) => json !== undefined);
}

function leaveOut({ cacheMark, extension }: ContentBlock, place: string, { losses }: EncodeContext): undefined {
  if (cacheMark !== undefined) losses.at(`${place}.cache_mark`);
  losses.lose(extension, place);
}

/** A turn of the user that went would leave the model to go on with its own words. */
function checkNotEmpty({ role, content }: Message, path: string): void {
  const isEmpty = content.every(isBlankText);
  if (role === Role.USER && isEmpty)
    throw InferenceError.invalid(`${path}.content`, "must not be empty for this model");
}

/**
 * Takes the white space from the end of an answer that the model is to go on with, as a loss: Anthropic refuses it
 * (tailcallhq/forgecode#1872).
 */
function trimLast(turns: readonly Turn[], { losses }: EncodeContext): void {
  const last = turns.at(-1);
  const block = last?.role === "assistant" ? last.content.at(-1) : undefined;
  if (block?.["type"] !== "text" || typeof block["text"] !== "string") return;
  const text = block["text"].trimEnd();
  if (text === block["text"]) return;
  block["text"] = text;
  losses.at(`${last?.paths.at(-1)}.content`);
}

/** The user message before a conversation that an assistant begins: the shortest that is accepted. */
const NOTHING_SAID = { type: "text", text: "." };

/**
 * The format's conversations begin with the user. One that does not, as histories that were cut short, is a loss of
 * what was added.
 */
function beginWithUser(turns: readonly Turn[], { losses }: EncodeContext): readonly Turn[] {
  const [first] = turns;
  if (first === undefined) throw InferenceError.invalid("messages", "must hold a message of the user for this model");
  if (first.role === "user") return turns;
  losses.at(`${first.paths[0] ?? "messages[0]"}.role`);
  return [{ role: "user", content: [{ ...NOTHING_SAID }], paths: [] }, ...turns];
}
