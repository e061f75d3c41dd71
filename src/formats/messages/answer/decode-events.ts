import { create } from "@bufbuild/protobuf";
import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import {
  FinishReason,
  type GenerateEvent,
  GenerateEventSchema,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../../hub/error.ts";
import { blockDeltaEvent, blockEndEvent, blockStartEvent, finishedEvent, startedEvent } from "../../../hub/events.ts";
import { isErrorObject } from "../../shared/errors/is-error.ts";
import { EventList } from "../../shared/event-list.ts";
import { extraMembers, isJsonObject, type JsonObject, parseJsonObject } from "../../shared/json.ts";
import { LateMembers } from "../../shared/late-members.ts";
import { parseListedError } from "../../shared/parse-error-body.ts";
import type { AnswerContext, EventDecoder, KnownFacts } from "../../shared/protocol.ts";
import { readEnd, tookAllTokens } from "../../shared/read-end.ts";
import type { SseMessage } from "../../shared/sse.ts";
import { messagesJson } from "../raw-json.ts";
import { BlockOrder } from "./block-order.ts";
import { decodeErrorEvent } from "./decode-error.ts";
import { UsageSum } from "./decode-usage.ts";
import { impliedBlock, isEmptyDelta, OpenBlock } from "./open-block.ts";

const MESSAGE_KNOWN = new Set(["id", "type", "role", "model", "content", "stop_reason", "stop_sequence", "usage"]);
const END_KNOWN = new Set(["type", "delta", "usage"]);
const DELTA_KNOWN = new Set(["stop_reason", "stop_sequence"]);

/**
 * Creates the decoder of one answer. Callers of another format than Messages get the explanation of a refusal as a
 * block.
 */
export function createEventDecoder(caller: Dialect, context: AnswerContext = {}): EventDecoder {
  return new MessagesEventDecoder(caller === Dialect.MESSAGES, context);
}

class MessagesEventDecoder implements EventDecoder {
  readonly #isNative: boolean;
  readonly #profile: KnownFacts;
  readonly #context: AnswerContext;
  /** Members of the message that the hub does not know. */
  readonly #extension = new LateMembers();
  readonly #usage: UsageSum;
  /** Events that came before the start, which must be told first. */
  readonly #early: GenerateEvent[] = [];
  #started = false;
  #finished = false;
  #block: OpenBlock | undefined;
  readonly #order = new BlockOrder();
  #nextIndex = 0;
  #hasCalls = false;
  /** True if there is a block of a type that the hub does not know, which may be a call. */
  #hasOpaque = false;
  /** The content of a stream's start, which has no blocks of its own then. */
  #told: readonly unknown[] = [];
  #stopReason = "";
  #stopSequence: string | undefined;

  constructor(isNative: boolean, context: AnswerContext) {
    this.#isNative = isNative;
    this.#context = context;
    this.#profile = context.profile;
    this.#usage = new UsageSum(this.#extension, context.terms);
  }

  decode({ event: name, data }: SseMessage): GenerateEvent[] {
    // Some services that speak this format end their streams as Chat Completions does.
    if (this.#finished || data === "" || data === "[DONE]") return [];
    const event = parseJsonObject(data);
    if (event === undefined) throw this.#notAnObject(data, "an event");
    // llama.cpp sends the bare error, others one without the event's type, or by no event of this name.
    if (name === "error") throw decodeErrorEvent(event, this.#usage.told, this.#profile);
    if (event["type"] === undefined && name !== undefined) event["type"] = name;
    return this.#read(event);
  }

  #read(event: JsonObject): GenerateEvent[] {
    switch (event["type"]) {
      case "content_block_delta":
      case "content_block_start":
      case "content_block_stop":
        return this.#order.holds(event) ? [] : this.#readBlock(event);
      case "message_start":
        return this.#start(this.#object(event["message"], "message"));
      case "message_delta":
        return this.#takeEnd(event);
      case "message_stop":
        // Some bridges count only here.
        this.#usage.add(event["usage"]);
        return this.#finish();
      case "ping":
        return [];
      default:
        if (isErrorObject(event, false, this.#profile)) throw decodeErrorEvent(event, this.#usage.told, this.#profile);
        return this.#passThrough(event);
    }
  }

  #readBlock(event: JsonObject): GenerateEvent[] {
    switch (event["type"]) {
      case "content_block_delta":
        return this.#growBlock(this.#object(event["delta"] ?? {}, "delta"), event["index"]);
      case "content_block_start":
        return this.#startBlock(this.#object(event["content_block"], "content_block"), event["index"]);
      default:
        return [...this.#endBlock(), ...this.#release()];
    }
  }

  /** Text and thoughts by the number of another block begin their own if not empty (litellm#32357, sglang#24293). */
  #growBlock(delta: JsonObject, index: unknown): GenerateEvent[] {
    const type = impliedBlock(delta);
    if (type === undefined || this.#block?.takes(type) === true)
      return this.#openBlock("content_block_delta").grow(delta);
    if (isEmptyDelta(delta)) return [];
    const begun = this.#startBlock({ type }, index);
    return [...begun, ...this.#openBlock("content_block_delta").grow(delta)];
  }

  /** Reads what waits, block by block, until one of them is left open. */
  #release(): GenerateEvent[] {
    const events = new EventList();
    while (this.#block === undefined) {
      const waiting = this.#order.next();
      if (waiting === undefined) break;
      for (const event of waiting) events.addAll(this.#readBlock(event));
    }
    return events.take();
  }

  /** The reason ends an answer: some servers close the stream behind it. */
  close(): GenerateEvent[] {
    if (this.#finished) return [];
    if (this.#stopReason !== "") return this.#finish();
    throw new InferenceError(ErrorReason.STREAM_INTERRUPTED, "the upstream ended its answer before it was complete", {
      usage: this.#usage.told,
    });
  }

  decodeWhole(body: string): GenerateEvent[] {
    const message = parseJsonObject(body);
    if (message === undefined) throw this.#notAnObject(body, "it");
    const content = readContent(message["content"]);
    if (isErrorObject(message, content !== undefined, this.#profile))
      throw decodeErrorEvent(message, undefined, this.#profile);
    if (content === undefined && message["content"] != null) throw this.#broken("content is not a list");
    const isEnded = typeof message["stop_reason"] === "string" || (content !== undefined && content.length > 0);
    if (!isEnded) throw this.#broken("it has no stop_reason");
    const events = new EventList();
    events.addAll(this.#start(message, true));
    for (const block of content ?? []) events.addAll(this.#startBlock(this.#object(block, "a block")));
    this.#takeReason(message);
    events.addAll(this.#finish());
    return events.take();
  }

  #start(message: JsonObject, isWhole = false): GenerateEvent[] {
    if (this.#started && this.#nextIndex === 0) return [];
    if (this.#started) throw this.#broken("a second message_start");
    this.#started = true;
    if (typeof message["model"] === "string") this.#usage.model = message["model"];
    if (isWhole || typeof message["stop_reason"] === "string") this.#usage.add(message["usage"]);
    else this.#usage.begin(message["usage"]);
    if (!isWhole) {
      this.#told = readContent(message["content"]) ?? [];
      this.#takeReason(message);
    }
    this.#keep(extraMembers(message, MESSAGE_KNOWN));
    const { model } = message;
    const serving = typeof model === "string" ? { upstreamModel: model } : {};
    return [startedEvent({ serving, usage: this.#usage.usage }), ...this.#early];
  }

  #startBlock(content: JsonObject, index?: unknown): GenerateEvent[] {
    if (!this.#started) throw this.#broken("a block before message_start");
    const ended = this.#block === undefined ? [] : this.#endBlock();
    this.#block = new OpenBlock(content, { index: this.#nextIndex, isNative: this.#isNative });
    this.#order.begin(index);
    this.#hasCalls ||= this.#block.isCall;
    this.#hasOpaque ||= this.#block.isOpaque;
    this.#nextIndex += 1;
    return [...ended, ...this.#block.start()];
  }

  #endBlock(): GenerateEvent[] {
    const events = this.#openBlock("content_block_stop").end();
    this.#block = undefined;
    this.#order.end();
    return events;
  }

  #openBlock(what: string): OpenBlock {
    if (this.#block === undefined) throw this.#broken(`${what} outside of a block`);
    return this.#block;
  }

  #takeEnd(event: JsonObject): GenerateEvent[] {
    const delta = this.#object(event["delta"], "delta");
    this.#takeReason(delta);
    this.#usage.add(event["usage"]);
    this.#keep(extraMembers(delta, DELTA_KNOWN));
    this.#keep(extraMembers(event, END_KNOWN));
    return [];
  }

  #takeReason({ stop_reason: reason, stop_sequence: sequence }: JsonObject): void {
    if (typeof reason === "string") this.#stopReason = reason;
    if (typeof sequence === "string" && sequence !== "") this.#stopSequence = sequence;
  }

  #finish(): GenerateEvent[] {
    if (!this.#started) throw this.#broken("message_stop before message_start");
    const ended: GenerateEvent[] = [];
    if (this.#nextIndex === 0)
      for (const block of this.#told) ended.push(...this.#startBlock(this.#object(block, "a block")));
    while (this.#block !== undefined) ended.push(...this.#endBlock(), ...this.#release());
    this.#finished = true;
    if (!this.#isNative) ended.push(...this.#explain());
    const reason = this.#reason();
    // A word that the hub does not know is a member that only this format knows.
    if (reason === FinishReason.UNSPECIFIED) this.#extension.put("stop_reason", this.#stopReason);
    const finished = finishedEvent({
      reason,
      rawReason: this.#stopReason,
      stopSequence: this.#stopSequence,
      usage: this.#usage.final ?? {},
      extension: this.#extension.isEmpty ? undefined : messagesJson(this.#extension.all),
    });
    return [...ended, finished];
  }

  /**
   * Returns why the answer ended. Some servers say `end_turn` beside calls, or `tool_use` without one, on which agents
   * end their loop or wait: what counts is what is there. A block that only this format knows may be a call to its own
   * callers.
   */
  #reason(): FinishReason {
    const word = this.#stopReason;
    const reason = word === "" ? FinishReason.STOP : readEnd(word, this.#profile, this.#usage.usage);
    if (reason === FinishReason.STOP && this.#hasCalls) return FinishReason.TOOL_USE;
    // llama.cpp says `end_turn` beside the sequence.
    if (reason === FinishReason.STOP && this.#stopSequence !== undefined) return FinishReason.STOP_SEQUENCE;
    if (reason === FinishReason.STOP && tookAllTokens(this.#context, this.#usage.usage, word))
      return FinishReason.LENGTH;
    const mayCall = this.#hasCalls || (this.#isNative && this.#hasOpaque);
    return reason === FinishReason.TOOL_USE && !mayCall ? FinishReason.STOP : reason;
  }

  /** Turns the upstream's explanation of a refusal into a refusal in words, as other formats have it. */
  #explain(): GenerateEvent[] {
    const details = this.#extension.get("stop_details");
    if (!isJsonObject(details) || details["type"] !== "refusal") return [];
    const { explanation, ...rest } = details;
    if (typeof explanation !== "string" || explanation === "") return [];
    this.#extension.put("stop_details", rest);
    const index = this.#nextIndex;
    this.#nextIndex += 1;
    const kind = { case: "refusal" as const, value: {} };
    const text = blockDeltaEvent(index, { case: "text", value: explanation });
    return [blockStartEvent(index, { kind }), text, blockEndEvent(index)];
  }

  #keep(members: JsonObject | undefined): void {
    for (const [name, value] of Object.entries(members ?? {})) this.#extension.put(name, value);
  }

  #passThrough(event: JsonObject): GenerateEvent[] {
    const value = messagesJson(event);
    if (value === undefined || typeof event["type"] !== "string") return [];
    const raw = create(GenerateEventSchema, { event: { case: "raw", value } });
    if (this.#started) return [raw];
    this.#early.push(raw);
    return [];
  }

  #object(value: unknown, what: string): JsonObject {
    if (isJsonObject(value)) return value;
    throw this.#broken(`${what} is not an object`);
  }

  /** Some servers send an error as a list of one. */
  #notAnObject(text: string, what: string): InferenceError {
    const listed = parseListedError(text);
    return listed === undefined
      ? this.#broken(`${what} is not a JSON object`)
      : decodeErrorEvent(listed, this.#usage.told, this.#profile);
  }

  #broken(what: string): InferenceError {
    return new InferenceError(ErrorReason.STREAM_INTERRUPTED, `the upstream's answer broke its format: ${what}`, {
      usage: this.#usage.told,
    });
  }
}

/** Returns the blocks of a whole answer; some servers write one text in their place, as in a request. */
function readContent(content: unknown): readonly unknown[] | undefined {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content : undefined;
}
