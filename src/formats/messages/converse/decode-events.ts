import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { GenerateEvent } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { brokenAnswer } from "../../shared/broken-answer.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../shared/json.ts";
import type { AnswerContext, EventDecoder } from "../../shared/protocol.ts";
import type { SseMessage } from "../../shared/sse.ts";
import { createEventDecoder as createMessagesDecoder } from "../answer/decode-events.ts";
import { decodeBlock, decodeCall, decodeDelta } from "./decode-blocks.ts";
import { decodeUsage } from "./decode-usage.ts";
import { disownJson } from "./disown-json.ts";

/** The event that AWS's framing begins with; the member of events that hides how long they are. */
const FRAMING = "initial-response";
const PADDING = "p";

/**
 * Creates the decoder of one answer, which reads it as the answer of the Messages format that says the same. It is the
 * same for callers of Messages: what that format does not know is no member of theirs.
 */
export function createEventDecoder(_caller: Dialect, { profile }: AnswerContext = {}): EventDecoder {
  return new ConverseEventDecoder(createMessagesDecoder(Dialect.UNSPECIFIED, { profile }));
}

class ConverseEventDecoder implements EventDecoder {
  readonly #inner: EventDecoder;
  /** Blocks that have begun and not ended: only calls are told to begin. */
  readonly #open = new Set<unknown>();
  /** Pieces of blocks that Messages has no form for, by their blocks and then their names. */
  readonly #foreign = new Map<unknown, Map<string, unknown[]>>();
  #reason: unknown;

  constructor(inner: EventDecoder) {
    this.#inner = inner;
  }

  decode({ event, data }: SseMessage): GenerateEvent[] {
    if (event === "error") return this.#inner.decode({ event, data });
    if (event === undefined || event === FRAMING) return [];
    const payload = parseJsonObject(data);
    if (payload === undefined) throw brokenAnswer("an event must be a JSON object");
    const { [PADDING]: _padding, ...members } = payload;
    return this.#tell(this.#read(event, members));
  }

  close(): GenerateEvent[] {
    if (this.#reason === undefined) return this.#inner.close();
    const left = [...this.#foreign.keys()].flatMap((index) => this.#end(index));
    return [...this.#tell([...left, { type: "message_stop" }]), ...this.#inner.close()];
  }

  decodeWhole(body: string): GenerateEvent[] {
    const { output, stopReason, usage, metrics, ...others } = parseJsonObject(body) ?? {};
    const { message: answer, ...ofOutput } = getObject(output);
    const { content, role: _role, ...ofMessage } = getObject(answer);
    if (!Array.isArray(content) || !content.every(isJsonObject)) {
      throw brokenAnswer("output.message.content must be a list of blocks");
    }
    const message = {
      ...others,
      ...ofOutput,
      ...ofMessage,
      ...metricsOf(metrics),
      type: "message",
      role: "assistant",
      content: content.map(decodeBlock),
      stop_reason: this.#takeReason(stopReason),
      usage: decodeUsage(usage),
    };
    return this.#inner.decodeWhole(JSON.stringify(message)).map((event) => this.#own(event));
  }

  /** Returns the events of Messages that say the same; one that is not known here Messages has not either. */
  #read(event: string, payload: JsonObject): JsonObject[] {
    const { contentBlockIndex: index, ...members } = payload;
    switch (event) {
      case "messageStart": {
        const { role: _role, ...others } = members;
        return [{ type: "message_start", message: { ...others, type: "message", role: "assistant", content: [] } }];
      }
      case "contentBlockStart":
        return this.#start(index, getObject(members["start"]));
      case "contentBlockDelta":
        return this.#grow(index, getObject(members["delta"]));
      case "contentBlockStop":
        return this.#end(index);
      case "messageStop": {
        const { stopReason, ...others } = members;
        return [{ ...others, type: "message_delta", delta: { stop_reason: this.#takeReason(stopReason) } }];
      }
      case "metadata": {
        const { usage, metrics, ...others } = members;
        return [{ ...others, ...metricsOf(metrics), type: "message_delta", delta: {}, usage: decodeUsage(usage) }];
      }
      default:
        return [{ ...payload, type: event }];
    }
  }

  /** The beginning of a call lacks its input, which comes in pieces. */
  #start(index: unknown, start: JsonObject): JsonObject[] {
    const { toolUse, ...others } = start;
    const call = isJsonObject(toolUse) ? decodeCall({ ...others, ...toolUse, input: {} }) : undefined;
    return call === undefined ? this.#gather(index, start) : this.#begin(index, call);
  }

  #grow(index: unknown, members: JsonObject): JsonObject[] {
    if (Object.keys(members).length === 0) return [];
    const decoded = this.#foreign.has(index) ? undefined : decodeDelta(members);
    const isOpen = this.#open.has(index);
    if (decoded === undefined && !isOpen) return this.#gather(index, members);
    const begun = isOpen || decoded === undefined ? [] : this.#begin(index, decoded.block);
    const deltas = decoded?.delta === undefined ? [isOpen ? members : {}] : [decoded.delta, decoded.others];
    const nonEmpty = deltas.filter((delta) => Object.keys(delta).length > 0);
    return [...begun, ...nonEmpty.map((delta) => ({ type: "content_block_delta", index, delta }))];
  }

  #begin(index: unknown, block: JsonObject): JsonObject[] {
    this.#open.add(index);
    return [{ type: "content_block_start", index, content_block: block }];
  }

  /** Keeps pieces as they are until their block ends: nobody knows here how they are put together. */
  #gather(index: unknown, piece: JsonObject): JsonObject[] {
    for (const [name, value] of Object.entries(piece)) {
      const pieces = this.#foreign.get(index) ?? new Map<string, unknown[]>();
      this.#foreign.set(index, pieces);
      const list = pieces.get(name);
      if (list === undefined) pieces.set(name, [value]);
      else list.push(value);
    }
    return [];
  }

  #end(index: unknown): JsonObject[] {
    const pieces = this.#foreign.get(index);
    this.#foreign.delete(index);
    const begun = pieces === undefined ? [] : this.#begin(index, Object.fromEntries(pieces));
    return this.#open.delete(index) ? [...begun, { type: "content_block_stop", index }] : [];
  }

  #takeReason(reason: unknown): unknown {
    this.#reason = reason;
    return reason;
  }

  #tell(messages: readonly JsonObject[]): GenerateEvent[] {
    const events = messages.flatMap((one) => this.#inner.decode({ event: undefined, data: JSON.stringify(one) }));
    return events.map((event) => this.#own(event));
  }

  #own(made: GenerateEvent): GenerateEvent {
    const { event } = disownJson(made);
    if (event.case === "finished" && typeof this.#reason === "string") event.value.rawReason = this.#reason;
    return made;
  }
}

/** The time that an answer took is measured here too. */
function metricsOf(value: unknown): JsonObject {
  const { latencyMs: _time, ...metrics } = getObject(value);
  return Object.keys(metrics).length > 0 ? { metrics } : {};
}

function getObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
