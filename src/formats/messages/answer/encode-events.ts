import { type ContentBlock, Dialect, type RawJson } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { BlockDelta, Finished, GenerateEvent, Started } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import type { InferenceError } from "../../../hub/error.ts";
import { estimateInputTokens } from "../../../hub/tokens/estimate-tokens.ts";
import type { DecodedRequest, EventEncoder } from "../../shared/codec.ts";
import { parseJsonObject } from "../../shared/json.ts";
import { sseEvent } from "../../shared/sse.ts";
import { encodeCitation } from "../citations.ts";
import { encodeStopReason } from "../stop-reason.ts";
import { encodeBlockStart, ownMembers } from "./encode-answer-block.ts";
import { encodeErrorBody } from "./encode-error.ts";
import { encodeSearch, type SearchBlocks } from "./encode-search.ts";
import { encodeDeltaUsage, encodeStartUsage } from "./encode-usage.ts";
import { ThinkingDeltas } from "./thinking-deltas.ts";

const PING = sseEvent("ping", '{"type":"ping"}');

/** Creates the encoder of one stream. */
export function createEventEncoder({ input }: Pick<DecodedRequest, "input">): EventEncoder {
  const encoder = new MessagesEventEncoder(() => estimateInputTokens(input));
  return {
    encode(events) {
      let frames = "";
      for (const event of events) frames += encoder.encodeEvent(event);
      return frames;
    },
    fail: (error: InferenceError, requestId: string) =>
      sseEvent("error", JSON.stringify(encodeErrorBody(error, requestId))),
    heartbeat: () => PING,
  };
}

class MessagesEventEncoder {
  readonly #estimate: () => number;
  /** Position of the open or the next block. Blocks that the format has no form for are not counted. */
  #index = 0;
  #inferenceId = "";
  /** Beginning of each delta of the open block; empty while there is none. */
  #deltaHead = "";
  #thinking: ThinkingDeltas | undefined;
  #hasRefusal = false;
  #hasCalls = false;
  /** True if the arguments of the open call begin as an object does; undefined while only white space has come. */
  #isObject: boolean | undefined;

  constructor(estimate: () => number) {
    this.#estimate = estimate;
  }

  encodeEvent({ event }: GenerateEvent): string {
    switch (event.case) {
      case "blockDelta":
        return this.#deltaHead === "" ? "" : this.#encodeDelta(event.value.delta);
      case "started":
        this.#inferenceId = event.value.id;
        return encodeStarted(event.value, this.#estimate);
      case "blockStart":
        return event.value.block === undefined ? "" : this.#startBlock(event.value.block, event.value.index);
      case "blockEnd":
        return this.#endBlock();
      case "finished":
        return encodeFinished(event.value, { hasRefusal: this.#hasRefusal, hasCalls: this.#hasCalls });
      case "raw":
        return event.value.dialect === Dialect.MESSAGES ? passThrough(event.value.json) : "";
      // Callers of this format do not ask for several.
      case "choiceEvent":
      case undefined:
        return "";
      default:
        event satisfies never;
        return "";
    }
  }

  #startBlock(block: ContentBlock, position: number): string {
    const json = encodeBlockStart(block);
    if (json === undefined)
      return this.#writeSearch(encodeSearch(block, { inferenceId: this.#inferenceId, index: position }));
    const { kind } = block;
    this.#hasRefusal ||= kind.case === "refusal";
    this.#hasCalls ||= kind.case === "toolUse";
    this.#isObject = undefined;
    this.#thinking = kind.case === "thinking" ? new ThinkingDeltas(kind.value) : undefined;
    return this.#open(json) + this.#firstDelta(kind);
  }

  #open(json: string): string {
    const index = this.#index;
    this.#deltaHead = `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":`;
    const start = `{"type":"content_block_start","index":${index},"content_block":${json}}`;
    return sseEvent("content_block_start", start);
  }

  /** Writes a whole search: it comes when it is done. */
  #writeSearch(search: SearchBlocks | undefined): string {
    if (search === undefined) return "";
    const call = this.#open(JSON.stringify(search.call)) + this.#inputDelta(JSON.stringify(search.input));
    return call + this.#endBlock() + this.#open(JSON.stringify(search.result)) + this.#endBlock();
  }

  /** Usually a block starts empty; what it starts with goes out as its first delta. */
  #firstDelta(kind: ContentBlock["kind"]): string {
    if (kind.case === "text" || kind.case === "refusal") {
      return kind.value.text === "" ? "" : this.#encodeDelta({ case: "text", value: kind.value.text });
    }
    if (kind.case === "toolUse") {
      return kind.value.arguments === "" ? "" : this.#encodeDelta({ case: "arguments", value: kind.value.arguments });
    }
    return this.#thinkingDelta(this.#thinking?.initial ?? "");
  }

  /** The hot path: only the text itself is encoded. */
  #encodeDelta(delta: BlockDelta["delta"]): string {
    switch (delta.case) {
      case "text":
        return `${this.#deltaHead}{"type":"text_delta","text":${JSON.stringify(delta.value)}}}\n\n`;
      case "arguments":
        return this.#argumentsDelta(delta.value);
      case "thinking":
        return this.#thinkingDelta(this.#thinking?.raw(delta.value) ?? "");
      case "summary":
        return this.#thinkingDelta(this.#thinking?.summary(delta.value) ?? "");
      case "opaque":
        this.#thinking?.sign(delta.value);
        return "";
      case "raw":
        return this.#citationDeltas(delta.value);
      case "annotation":
        return this.#citationDelta(encodeCitation(delta.value));
      case undefined:
        return "";
      default:
        delta satisfies never;
        return "";
    }
  }

  /**
   * Returns a delta of arguments. Text that does not begin as an object would make clients fail: the input stays empty,
   * as in a unary answer.
   */
  #argumentsDelta(text: string): string {
    this.#isObject ??= /\S/.exec(text)?.[0].startsWith("{");
    return this.#isObject === false ? "" : this.#inputDelta(text);
  }

  #inputDelta(text: string): string {
    return `${this.#deltaHead}{"type":"input_json_delta","partial_json":${JSON.stringify(text)}}}\n\n`;
  }

  /** A raw delta holds members to add to the block; citations are what the format streams in this way. */
  #citationDeltas(raw: RawJson): string {
    const citations = ownMembers(raw)?.["citations"];
    if (!Array.isArray(citations)) return "";
    return citations.map((citation) => this.#citationDelta(citation)).join("");
  }

  #citationDelta(citation: unknown): string {
    if (citation === undefined) return "";
    return `${this.#deltaHead}{"type":"citations_delta","citation":${JSON.stringify(citation)}}}\n\n`;
  }

  #thinkingDelta(text: string): string {
    return text === "" ? "" : `${this.#deltaHead}{"type":"thinking_delta","thinking":${JSON.stringify(text)}}}\n\n`;
  }

  #endBlock(): string {
    if (this.#deltaHead === "") return "";
    const signature = this.#thinking?.signature ?? "";
    const signed =
      signature === ""
        ? ""
        : `${this.#deltaHead}{"type":"signature_delta","signature":${JSON.stringify(signature)}}}\n\n`;
    const stop = sseEvent("content_block_stop", `{"type":"content_block_stop","index":${this.#index}}`);
    this.#index += 1;
    this.#deltaHead = "";
    return signed + stop;
  }
}

/**
 * The id stands inside the message, where the format has it, and on the event itself, where a reader may look first.
 */
function encodeStarted({ id, model, usage }: Started, estimate: () => number): string {
  const message = {
    id,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage: encodeStartUsage(usage, estimate),
  };
  return sseEvent("message_start", JSON.stringify({ type: "message_start", id, message }));
}

function encodeFinished(finished: Finished, said: Parameters<typeof encodeStopReason>[1]): string {
  const { stop_reason: _told, stop_details = null, container = null, ...rest } = ownMembers(finished.extension) ?? {};
  const delta = {
    stop_reason: encodeStopReason(finished, said),
    stop_sequence: finished.stopSequence ?? null,
    stop_details,
    container,
  };
  const end = { type: "message_delta", delta, usage: encodeDeltaUsage(finished.usage), ...rest };
  return sseEvent("message_delta", JSON.stringify(end)) + sseEvent("message_stop", '{"type":"message_stop"}');
}

/** Sends on an event that the hub does not know, under its own name. */
function passThrough(json: string): string {
  const type = parseJsonObject(json)?.["type"];
  return typeof type === "string" ? sseEvent(type, json) : "";
}
