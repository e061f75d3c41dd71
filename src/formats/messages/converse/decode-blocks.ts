import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import { decodeCitation } from "./citations.ts";

/**
 * Returns a block of an answer as Messages has it. One that Messages has no form for is returned as it is, and so is a
 * call of a tool that AWS runs itself: to a caller it would be one to make.
 */
export function decodeBlock(block: JsonObject): JsonObject {
  const { text, toolUse, reasoningContent, citationsContent, ...others } = block;
  if (typeof text === "string") return { ...others, type: "text", text };
  const decoded =
    (isJsonObject(toolUse) ? decodeCall(toolUse) : undefined) ??
    (isJsonObject(citationsContent) ? decodeCited(citationsContent) : undefined) ??
    (isJsonObject(reasoningContent) ? decodeReasoning(reasoningContent) : undefined);
  return decoded === undefined ? block : { ...others, ...decoded };
}

/** Returns a call as Messages has it; undefined for one that is not the caller's. */
export function decodeCall({ toolUseId: id, name, input = {}, type, ...others }: JsonObject): JsonObject | undefined {
  return type === undefined || type === null ? { ...others, type: "tool_use", id, name, input } : undefined;
}

/** The text that was generated from sources is the model's words. */
function decodeCited({ content, citations: cited, ...others }: JsonObject): JsonObject | undefined {
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : [];
  const texts = parts.flatMap(({ text }) => (typeof text === "string" ? text : []));
  if (texts.length === 0) return undefined;
  const isAll = texts.length === parts.length && parts.every((part) => Object.keys(part).length === 1);
  const citations = Array.isArray(cited) ? cited.map((one) => (isJsonObject(one) ? decodeCitation(one) : one)) : cited;
  const beside = { ...(cited !== undefined && { citations }), ...(!isAll && { content }) };
  return { ...others, ...beside, type: "text", text: texts.join("") };
}

function decodeReasoning({ reasoningText, redactedContent: data, ...others }: JsonObject): JsonObject | undefined {
  if (isJsonObject(reasoningText)) {
    const { text, signature, ...ofText } = reasoningText;
    return { ...others, ...ofText, type: "thinking", thinking: text ?? "", signature: signature ?? "" };
  }
  return typeof data === "string" ? { ...others, type: "redacted_thinking", data } : undefined;
}

/** A piece of a block as Messages has it. */
interface DecodedDelta {
  /** The block that it belongs to, where that has not begun. */
  readonly block: JsonObject;
  /** Absent where the block has all of it. */
  readonly delta?: JsonObject;
  /** The rest of it, which Messages has no form for. */
  readonly others: JsonObject;
}

/** Returns a piece of a block; undefined for one that Messages has no form for. */
export function decodeDelta(blockDelta: JsonObject): DecodedDelta | undefined {
  const { text, toolUse, reasoningContent, citation, ...others } = blockDelta;
  const ofText = { type: "text", text: "" };
  if (typeof text === "string") return { block: ofText, delta: { type: "text_delta", text }, others };
  if (isJsonObject(citation)) {
    const delta = { type: "citations_delta", citation: decodeCitation(citation) };
    return { block: ofText, delta, others };
  }
  if (isJsonObject(toolUse)) {
    const { toolUseId: id, name, input = "", ...ofCall } = toolUse;
    const block = { type: "tool_use", id, name, input: {} };
    return { block, delta: { type: "input_json_delta", partial_json: input }, others: { ...others, ...ofCall } };
  }
  return isJsonObject(reasoningContent) ? decodeReasoningDelta(reasoningContent, others) : undefined;
}

function decodeReasoningDelta(delta: JsonObject, beside: JsonObject): DecodedDelta | undefined {
  const { text: thinking, signature, redactedContent: data, ...ofReasoning } = delta;
  const others = { ...beside, ...ofReasoning };
  const block = { type: "thinking", thinking: "", signature: "" };
  if (typeof thinking === "string") return { block, delta: { type: "thinking_delta", thinking }, others };
  if (typeof signature === "string") return { block, delta: { type: "signature_delta", signature }, others };
  return typeof data === "string" ? { block: { type: "redacted_thinking", data }, others } : undefined;
}
