import { create } from "@bufbuild/protobuf";
import { type Message, MessageSchema, Role } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { HubInput } from "../../../hub/input.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { opaqueMessage } from "../opaque-message.ts";
import { readResponsesJson, responsesJson } from "../responses-json.ts";
import type { RewrittenInput } from "./rewritten-input.ts";
import { areToolsOwn, type ToolRules } from "./tool-rules.ts";

const TYPE = "agent_message";

/** Sealed state has no blanks. A model of another server wrote its message where Codex expects such state. */
const SEALED = /^[\w+/=.:-]{64,}$/;

/**
 * Has the user say what agents of a Responses conversation tell each other, for upstreams that have no item for that:
 * Codex gives subagents their tasks so. Upstreams that have one get unsealed words as text. Undefined where there is
 * nothing to do.
 */
export function tellAgents(input: HubInput, rules: ToolRules): RewrittenInput | undefined {
  const isOwn = areToolsOwn(input, rules);
  const losses: string[] = [];
  let isChanged = false;
  const messages = input.messages.map((message, index) => {
    const item = getItem(message);
    if (item === undefined) return message;
    const { content } = item;
    const parts: readonly unknown[] = Array.isArray(content) ? content : [];
    if (isOwn && !parts.some((part) => isUnsealed(part))) return message;
    isChanged = true;
    if (isOwn) return opaqueMessage(responsesJson({ ...item, content: parts.map(unseal) }), message.id);
    const place = `messages[${index}].extension.content`;
    const texts = parts.map((part, at) => readText(part) ?? losses.push(`${place}[${at}]`));
    return userMessage(texts.filter((text) => typeof text === "string"));
  });
  return isChanged ? { input: { ...input, messages }, losses, placeOf: (place) => place } : undefined;
}

function getItem({ role, content: [block] }: Message): JsonObject | undefined {
  if (role !== Role.UNSPECIFIED || block?.kind.case !== "opaque") return undefined;
  if (!block.kind.value.json.includes(`"${TYPE}"`)) return undefined;
  const item = readResponsesJson(block.kind.value);
  return item?.["type"] === TYPE ? item : undefined;
}

function isUnsealed(part: unknown): part is { readonly encrypted_content: string } {
  if (!isJsonObject(part) || part["type"] !== "encrypted_content") return false;
  const words = part["encrypted_content"];
  return typeof words === "string" && !SEALED.test(words);
}

function unseal(part: unknown): unknown {
  return isUnsealed(part) ? { type: "input_text", text: part.encrypted_content } : part;
}

/** The words of a part; undefined for a sealed one and for pictures and files. */
function readText(part: unknown): string | undefined {
  const plain = unseal(part);
  return isJsonObject(plain) && typeof plain["text"] === "string" ? plain["text"] : undefined;
}

function userMessage(texts: readonly string[]): Message {
  const content = texts.map((text) => ({ kind: { case: "text" as const, value: { text } } }));
  return create(MessageSchema, { role: Role.USER, content });
}
