import { create } from "@bufbuild/protobuf";
import { type Message, MessageSchema, Role } from "../../../../gen/attune/content/v1/content_pb.ts";
import { knownMembers } from "../../../hub/field-names.ts";
import { extraMembers } from "../../shared/json.ts";
import { opaqueMessage } from "../../shared/opaque-message.ts";
import { isNewWord } from "../../shared/open-words.ts";
import { readArray, readChoice, readObject, WireError } from "../../shared/read.ts";
import { wordsOf } from "../../shared/words.ts";
import { messagesJson } from "../raw-json.ts";
import { checkToolResults } from "./check-tool-results.ts";
import type { BlockDecoder } from "./decode-block.ts";

const KNOWN = knownMembers("messages", [MessageSchema]);
/** The hub has one for each; a message of a role that is not known is kept whole, as an item of its format. */
const ROLES = { user: Role.USER, assistant: Role.ASSISTANT, system: Role.SYSTEM } as const;
const ROLE_WORDS = wordsOf(ROLES);

/** Decodes `messages`, one to one; those that continue a thread may begin anywhere in a conversation, or be none. */
export function decodeMessages(value: unknown, blocks: BlockDecoder, isContinued = false): Message[] {
  const list = readArray(value, "messages");
  if (list.length === 0 && !isContinued) throw new WireError("messages", "must hold at least one message");
  const messages = list.map((item, index) => {
    const path = `messages[${index}]`;
    const message = readObject(item, path);
    if (isNewWord(message["role"], ROLE_WORDS)) return opaqueMessage(messagesJson(message));
    const role = readChoice(message["role"], `${path}.role`, ROLE_WORDS);
    if (index === 0 && role !== "user" && !isContinued) throw new WireError(`${path}.role`, firstRoleProblem(role));
    const content = blocks.decodeContent(message["content"], `${path}.content`, role);
    const mayBeEmpty = role === "assistant" && index === list.length - 1;
    if (content.length === 0 && !mayBeEmpty) {
      throw new WireError(`${path}.content`, "must not be empty; only a last assistant message may be");
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

function firstRoleProblem(role: "assistant" | "system"): string {
  const remedy = role === "system" ? "send the system prompt as 'system'" : "start with what the user says";
  return `the first message must be of role 'user', not '${role}'; ${remedy}`;
}
