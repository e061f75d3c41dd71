import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import type { BlockEncoder } from "./encode-blocks.ts";

/** A message of Converse. */
export interface ConverseMessage extends JsonObject {
  readonly role: string;
  readonly content: JsonObject[];
}

/**
 * Encodes the messages of a body of the Messages format. Converse has two roles, which take turns: a message of another
 * role becomes one of the user, which is a loss, and neighbours of one role become one.
 */
export function encodeMessages({ messages }: JsonObject, blocks: BlockEncoder): readonly ConverseMessage[] {
  const encoded: ConverseMessage[] = [];
  for (const [index, message] of (Array.isArray(messages) ? messages : []).entries()) {
    if (!isJsonObject(message)) continue;
    const path = `messages[${index}]`;
    const { role: sentRole, content: sentContent, ...others } = message;
    const role = sentRole === "assistant" ? "assistant" : "user";
    if (role !== sentRole) blocks.losses.at(`${path}.role`);
    for (const name of Object.keys(others)) blocks.losses.member(path, name);
    const content = blocks.list(sentContent, `${path}.content`);
    if (content.length === 0) continue;
    const last = encoded.at(-1);
    if (last?.role === role) last.content.push(...content);
    else encoded.push({ role, content });
  }
  return encoded;
}
