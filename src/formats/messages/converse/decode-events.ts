import type { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { GenerateEvent } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { brokenAnswer } from "../../shared/broken-answer.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../shared/json.ts";
import type { EventDecoder } from "../../shared/protocol.ts";
import type { SseMessage } from "../../shared/sse.ts";
import { createEventDecoder as createMessagesDecoder } from "../answer/decode-events.ts";

/** The events that say something of an answer. */
const EVENTS: ReadonlySet<string> = new Set([
  ...["messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata"],
]);

/** Creates the decoder of one answer, which reads it as the answer of the Messages format that says the same. */
export function createEventDecoder(caller: Dialect): EventDecoder {
  return new ConverseEventDecoder(createMessagesDecoder(caller));
}

class ConverseEventDecoder implements EventDecoder {
  readonly #inner: EventDecoder;
  /** Blocks that have begun and not ended: only calls are told to begin. */
  readonly #open = new Set<unknown>();
  #hasStopped = false;

  constructor(inner: EventDecoder) {
    this.#inner = inner;
  }

  decode({ event, data }: SseMessage): GenerateEvent[] {
    if (event === "error") return this.#inner.decode({ event, data });
    // Others, such as `initial-response`, may have no payload.
    if (event === undefined || !EVENTS.has(event)) return [];
    const payload = parseJsonObject(data);
    if (payload === undefined) throw brokenAnswer("an event must be a JSON object");
    return this.#read(event, payload).flatMap((message) =>
      this.#inner.decode({ event: undefined, data: JSON.stringify(message) }),
    );
  }

  close(): GenerateEvent[] {
    if (!this.#hasStopped) return this.#inner.close();
    const ended = this.#inner.decode({ event: undefined, data: '{"type":"message_stop"}' });
    return [...ended, ...this.#inner.close()];
  }

  decodeWhole(body: string): GenerateEvent[] {
    const json = parseJsonObject(body);
    const output = isJsonObject(json?.["output"]) ? json["output"]["message"] : undefined;
    const content = isJsonObject(output) ? output["content"] : undefined;
    if (json === undefined || !Array.isArray(content) || !content.every(isJsonObject)) {
      throw brokenAnswer("output.message.content must be a list of blocks");
    }
    const message = {
      ...{ type: "message", role: "assistant", content: content.flatMap(decodeBlock) },
      ...{ stop_reason: decodeReason(json["stopReason"]), usage: decodeUsage(json["usage"]) },
    };
    return this.#inner.decodeWhole(JSON.stringify(message));
  }

  /** Returns the events of Messages that say the same. */
  #read(event: string, payload: JsonObject): JsonObject[] {
    const { contentBlockIndex: index } = payload;
    switch (event) {
      case "messageStart":
        return [{ type: "message_start", message: { type: "message", role: "assistant", content: [] } }];
      case "contentBlockStart":
        return this.#begin(index, decodeBlock(startOf(payload))[0]);
      case "contentBlockDelta": {
        const delta = isJsonObject(payload["delta"]) ? payload["delta"] : {};
        const decoded = decodeDelta(delta);
        if (decoded === undefined) return [];
        const begun = this.#open.has(index) ? [] : this.#begin(index, decoded.block);
        return [...begun, { type: "content_block_delta", index, delta: decoded.delta }];
      }
      case "contentBlockStop":
        return this.#open.delete(index) ? [{ type: "content_block_stop", index }] : [];
      case "messageStop":
        this.#hasStopped = true;
        return [{ type: "message_delta", delta: { stop_reason: decodeReason(payload["stopReason"]) } }];
      case "metadata":
        return [{ type: "message_delta", delta: {}, usage: decodeUsage(payload["usage"]) }];
      default:
        return [];
    }
  }

  #begin(index: unknown, block: JsonObject | undefined): JsonObject[] {
    if (block === undefined) return [];
    this.#open.add(index);
    return [{ type: "content_block_start", index, content_block: block }];
  }
}

/** The beginning of a call lacks its input, which comes in pieces. */
function startOf({ start }: JsonObject): JsonObject {
  const call = isJsonObject(start) ? start["toolUse"] : undefined;
  return isJsonObject(call) ? { toolUse: { ...call, input: {} } } : {};
}

/** Returns a block as Messages has it; none for a kind that is not known. */
function decodeBlock({ text, toolUse, reasoningContent }: JsonObject): JsonObject[] {
  if (typeof text === "string") return [{ type: "text", text }];
  if (isJsonObject(toolUse)) {
    return [{ type: "tool_use", id: toolUse["toolUseId"], name: toolUse["name"], input: toolUse["input"] ?? {} }];
  }
  const reasoning = isJsonObject(reasoningContent) ? reasoningContent : {};
  const said = reasoning["reasoningText"];
  if (isJsonObject(said)) {
    return [{ type: "thinking", thinking: said["text"] ?? "", signature: said["signature"] ?? "" }];
  }
  const data = reasoning["redactedContent"];
  return typeof data === "string" ? [{ type: "redacted_thinking", data }] : [];
}

interface DecodedDelta {
  /** The block that it belongs to, where that has not begun. */
  readonly block: JsonObject;
  readonly delta: JsonObject;
}

function decodeDelta({ text, toolUse, reasoningContent }: JsonObject): DecodedDelta | undefined {
  if (typeof text === "string") return { block: { type: "text", text: "" }, delta: { type: "text_delta", text } };
  if (isJsonObject(toolUse)) {
    const block = { type: "tool_use", id: toolUse["toolUseId"], name: toolUse["name"], input: {} };
    return { block, delta: { type: "input_json_delta", partial_json: toolUse["input"] ?? "" } };
  }
  const { text: thinking, signature } = isJsonObject(reasoningContent) ? reasoningContent : {};
  const block = { type: "thinking", thinking: "", signature: "" };
  if (typeof thinking === "string") return { block, delta: { type: "thinking_delta", thinking } };
  return typeof signature === "string" ? { block, delta: { type: "signature_delta", signature } } : undefined;
}

/** A filter's word is a refusal in Messages; the others are alike, or known to nobody. */
function decodeReason(reason: unknown): unknown {
  return reason === "content_filtered" || reason === "guardrail_intervened" ? "refusal" : reason;
}

function decodeUsage(usage: unknown): JsonObject {
  if (!isJsonObject(usage)) return {};
  return {
    input_tokens: usage["inputTokens"],
    output_tokens: usage["outputTokens"],
    cache_read_input_tokens: usage["cacheReadInputTokens"],
    cache_creation_input_tokens: usage["cacheWriteInputTokens"],
  };
}
