import { create } from "@bufbuild/protobuf";
import { type Message, MessageSchema, Role } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../../hub/error.ts";
import { knownMembers } from "../../../hub/field-names.ts";
import { extraMembers, type JsonObject } from "../../shared/json.ts";
import { opaqueMessage } from "../../shared/opaque-message.ts";
import { optional, readArray, readChoice, readObject, readString, WireError } from "../../shared/read.ts";
import { isNewWord, listWords } from "../../shared/words.ts";
import { messagesJson } from "../raw-json.ts";
import { checkToolResults } from "./check-tool-results.ts";
import type { BlockDecoder } from "./decode-block.ts";

const KNOWN = knownMembers("messages", [MessageSchema]);
/** The hub has one for each; a message of a role that is not known is kept whole, as an item of its format. */
const ROLES = { user: Role.USER, assistant: Role.ASSISTANT, system: Role.SYSTEM } as const;
const ROLE_WORDS = listWords(ROLES);

/** Decodes `messages`, one to one; those that continue a thread may begin anywhere in a conversation, or be none. */
export function decodeMessages(value: unknown, blocks: BlockDecoder, isContinued = false): Message[] {
  const list = readArray(value, "messages");
  if (list.length === 0 && !isContinued) throw new WireError("messages", "must hold at least one message");
  const messages = list.map((item, index) => {
    const path = `messages[${index}]`;
    const message = readObject(item, path);
    if (isNewWord(message["role"], ROLE_WORDS)) return opaqueMessage(messagesJson(message));
    const role = readChoice(message["role"], `${path}.role`, ROLE_WORDS);
    if (index === 0 && role === "system" && !isContinued) throw new WireError(`${path}.role`, FIRST_ROLE_RULE);
    const content = blocks.decodeContent(message["content"], `${path}.content`, role);
    // Answers without a word come back in histories; none of them goes on to an upstream.
    if (content.length === 0 && role !== "assistant") {
      throw new WireError(`${path}.content`, "must not be empty; only an assistant message may be");
    }
    return create(MessageSchema, {
      role: ROLES[role],
      content,
      extension: messagesJson(extraMembers(message, KNOWN)),
    });
  });
  checkToolResults(messages, isContinued);
  return messages;
}

const FIRST_ROLE_RULE =
  "the first message must be of role 'user' or 'assistant', not 'system'; send the system prompt as 'system'";

/** Said once, at the beginning of a thread. */
const BEGINNING = ["system", "tools"] as const;

/**
 * Decodes `thread`: the state of the conversation is held here between its turns. Throws WireError, and
 * THREAD_UNSUPPORTED for a kind of thread that is not known.
 */
export function decodeThread(body: JsonObject, input: InferenceInput): void {
  const thread = optional(body["thread"], "thread", readObject);
  if (thread === undefined) return;
  const type = readString(thread["type"], "thread.type");
  if (type !== "create" && type !== "continue") {
    const message =
      `thread.type: must be 'create' or 'continue', not '${type.slice(0, 64)}'; send the whole conversation ` +
      "without 'thread'";
    throw new InferenceError(ErrorReason.THREAD_UNSUPPORTED, message, { param: "thread.type" });
  }
  input.thread = true;
  if (type === "create") return;
  input.previousId = readString(thread["previous_message_id"], "thread.previous_message_id");
  for (const name of BEGINNING) {
    if (body[name] === undefined || body[name] === null) continue;
    throw new WireError(name, "is taken from the beginning of the thread: leave it out, or begin another thread");
  }
}
