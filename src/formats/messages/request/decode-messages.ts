import { create } from "@bufbuild/protobuf";
import { type Message, MessageSchema, Role } from "../../../../gen/attune/content/v1/content_pb.ts";
import { ErrorReason, InferenceError } from "../../../hub/error.ts";
import {
  decodedMember,
  listMember,
  type Member,
  named,
  objectMember,
  required,
  type Source,
  textMember,
  typeMember,
  wordMember,
} from "../../shared/member.ts";
import { opaqueMessage } from "../../shared/opaque-message.ts";
import { readObject, readString, WireError } from "../../shared/read.ts";
import { oneOf } from "../../shared/schema.ts";
import { isNewWord, listWords } from "../../shared/words.ts";
import { messagesJson } from "../raw-json.ts";
import { checkToolResults } from "./check-tool-results.ts";
import { contentMember } from "./decode-block.ts";
import type { Marking } from "./decode-cache-control.ts";

/** The hub has one for each; a message of a role that is not known is kept whole, as an item of its format. */
const ROLES = { user: Role.USER, assistant: Role.ASSISTANT, system: Role.SYSTEM } as const;
const ROLE_WORDS = listWords(ROLES);

const CONTENTS = {
  user: contentMember("user"),
  assistant: contentMember("assistant"),
  system: contentMember("system"),
};

const FORM = named(
  "Message",
  decodedMember(
    {
      role: required(wordMember(ROLE_WORDS, "Role")),
      // It is read by the role.
      content: required({ ...CONTENTS.user, read: (value: unknown) => value }),
    },
    "A message",
    ({ role = "user", content: value }, { path, rest, context }: Source<Marking>) => {
      const content = CONTENTS[role].read(value, `${path}.content`, context);
      // Answers without a word come back in histories; none of them goes on to an upstream.
      if (content.length === 0 && role !== "assistant") {
        throw new WireError(`${path}.content`, "must not be empty; only an assistant message may be");
      }
      return create(MessageSchema, { role: ROLES[role], content, extension: messagesJson(rest) });
    },
  ),
);

export const MESSAGE: Member<Message, Marking> = {
  ...FORM,
  read: (value, path, context) => {
    const message = readObject(value, path);
    const isNew = isNewWord(message["role"], ROLE_WORDS);
    return isNew ? opaqueMessage(messagesJson(message)) : FORM.read(message, path, context);
  },
};

/** `messages`, one to one. */
export const MESSAGES = listMember(MESSAGE, "The conversation, which begins with the user");

/** Checks the order of messages; those that continue a thread may begin anywhere in a conversation, or be none. */
export function checkMessages(messages: readonly Message[], isContinued: boolean): void {
  if (messages.length === 0 && !isContinued) throw new WireError("messages", "must hold at least one message");
  if (messages[0]?.role === Role.SYSTEM && !isContinued) throw new WireError("messages[0].role", FIRST_ROLE_RULE);
  checkToolResults(messages, isContinued);
}

const FIRST_ROLE_RULE =
  "the first message must be of role 'user' or 'assistant', not 'system'; send the system prompt as 'system'";

const CREATE = objectMember({ type: required(typeMember("create")) }, "Stores the conversation");
const CONTINUE = objectMember(
  {
    type: required(typeMember("continue")),
    previous_message_id: required(textMember("Id of the response to continue")),
  },
  "Continues a stored conversation",
);

/**
 * `thread`: the state of the conversation is held here between its turns. Throws THREAD_UNSUPPORTED for a kind of
 * thread that is not known.
 */
export const THREAD: Member<{ readonly previous_message_id?: string }> = named("MessageThread", {
  read: (value: unknown, path: string) => {
    const thread = readObject(value, path);
    const type = readString(thread["type"], `${path}.type`);
    if (type === "create") return {};
    if (type === "continue") return CONTINUE.read(thread, path, undefined);
    const message =
      `${path}.type: must be 'create' or 'continue', not '${type.slice(0, 64)}'; send the whole conversation ` +
      "without 'thread'";
    throw new InferenceError(ErrorReason.THREAD_UNSUPPORTED, message, { param: `${path}.type` });
  },
  schema: oneOf([CREATE.schema, CONTINUE.schema], "A conversation stored in Attune"),
});
