import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { GenerateEvent } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../../hub/error.ts";
import { brokenAnswer } from "../../shared/broken-answer.ts";
import { isErrorObject } from "../../shared/errors/is-error.ts";
import { isJsonObject, type JsonObject, parseJsonObject, toObject, toText } from "../../shared/json.ts";
import { parseListedError } from "../../shared/parse-error-body.ts";
import type { AnswerContext, EventDecoder, KnownFacts } from "../../shared/protocol.ts";
import { responsesJson } from "../../shared/responses-json.ts";
import type { SseMessage } from "../../shared/sse.ts";
import { BlockSink, type ItemReader } from "./block-sink.ts";
import { CallReader } from "./call-reader.ts";
import { decodeFailedResponse, decodeStreamError } from "./decode-error.ts";
import { decodeFinish } from "./decode-finish.ts";
import { ItemIndexes } from "./item-indexes.ts";
import { MessageReader } from "./message-reader.ts";
import { ReasoningReader } from "./reasoning-reader.ts";

/**
 * Reads an item that only this format knows, such as a hosted tool's call. Its announcement and its progress go on as
 * they come, so that a client of this format sees them live; the item is a block when it is whole.
 */
class OpaqueReader implements ItemReader {
  readonly #added: JsonObject;
  readonly #sink: BlockSink;

  constructor(added: JsonObject, sink: BlockSink, announcement: string | undefined) {
    this.#added = added;
    this.#sink = sink;
    if (announcement !== undefined) sink.raw(announcement);
  }

  read(): boolean {
    return false;
  }

  close(item: JsonObject | undefined): void {
    this.#sink.start({ kind: { case: "opaque", value: responsesJson(item ?? this.#added) } });
    this.#sink.end();
  }
}

/** An event and its JSON text, which goes on unchanged where only this format knows the event. */
interface ErrorFacts {
  readonly event: JsonObject;
  readonly json: string;
  /** Item that the event belongs to. */
  readonly index: number;
}

const INCOMPLETE = "the upstream ended its answer before it was complete";

interface OpenItem {
  readonly index: number;
  readonly id: string;
  readonly reader: ItemReader;
}

/**
 * Creates the decoder of one answer. For callers of another format, raw reasoning that its maker did not encrypt gets
 * an empty encrypted form: with its origin it comes back here, where it can be read, and goes nowhere else. A call that
 * callers of several formats share is read for the first of them: with that form or without it, the answer is the same.
 */
export function createEventDecoder(caller: Dialect, context: AnswerContext = {}): EventDecoder {
  return new ResponsesEventDecoder(caller === Dialect.RESPONSES, context);
}

class ResponsesEventDecoder implements EventDecoder {
  readonly #sink = new BlockSink();
  readonly #isNative: boolean;
  readonly #context: AnswerContext;
  #open: OpenItem | undefined;
  /** Events of items that began before the open one was done, by item: the hub's blocks come one after another. */
  readonly #waiting = new Map<number, ErrorFacts[]>();
  /** Items in the order in which they began to wait; those before `#nextWaiting` were read. */
  readonly #order: number[] = [];
  #nextWaiting = 0;
  readonly #indexes = new ItemIndexes();
  readonly #seenIndexes = new Set<number>();
  readonly #seenIds = new Set<string>();
  /** The first event of each item that has not begun. */
  readonly #unread = new Map<number, string>();
  #isStarted = false;
  #isFinished = false;

  constructor(isNative: boolean, context: AnswerContext) {
    this.#isNative = isNative;
    this.#context = context;
  }

  decode({ event: name, data }: SseMessage): GenerateEvent[] {
    if (this.#isFinished || data === "[DONE]") return [];
    const event = parseJsonObject(data);
    if (event === undefined) throw notAnObject(data, "an event", this.#context.profile);
    const isBare = typeof event.type !== "string";
    const isEvent = toText(event.type).startsWith("response.");
    if (name === "error" || (!isEvent && isErrorObject(event, hasOutput(event), this.#context.profile)))
      throw decodeStreamError(event, this.#context.profile);
    if (isBare) event.type = name ?? "";
    this.#event(toText(event.type), event, data);
    return this.#sink.take();
  }

  close(): GenerateEvent[] {
    if (!this.#isFinished) throw interrupted(INCOMPLETE);
    return [];
  }

  decodeWhole(body: string): GenerateEvent[] {
    const response = parseJsonObject(body);
    if (response === undefined) throw notAnObject(body, "an answer", this.#context.profile);
    if (response.status === "failed" || response.status === "cancelled")
      throw decodeFailedResponse(response, this.#context.profile);
    if (isErrorObject(response, hasOutput(response), this.#context.profile))
      throw decodeStreamError(response, this.#context.profile);
    const { status, output } = response;
    const isEnded = status === undefined || status === null || status === "completed" || status === "incomplete";
    if (!isEnded || !Array.isArray(output)) throw interrupted(INCOMPLETE);
    this.#start(response);
    for (const [index, item] of output.entries()) {
      if (!isJsonObject(item)) throw brokenAnswer(`output[${index}] is not an object`);
      this.#end(index, item);
    }
    this.#endText(response);
    this.#sink.finished(decodeFinish(response, this.#sink.hasCalls, this.#context));
    return this.#sink.take();
  }

  #event(type: string, event: JsonObject, json: string): void {
    switch (type) {
      case "error":
        throw decodeStreamError(event, this.#context.profile);
      case "response.error":
      case "response.cancelled":
      case "response.failed":
        throw decodeFailedResponse(isJsonObject(event.response) ? event.response : event, this.#context.profile);
      case "keepalive":
        return;
      case "response.created":
      case "response.queued":
      case "response.in_progress":
        this.#start(toObject(event.response));
        return;
      case "response.completed":
      case "response.incomplete":
      // OpenRouter ended its first Responses streams so.
      case "response.done":
        this.#start(toObject(event.response));
        this.#finish(endedResponse(type, toObject(event.response), this.#context.profile));
        return;
      default:
        this.#start({});
        this.#itemEvent(event, json);
    }
  }

  #start(response: JsonObject): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#sink.started(toText(response.model));
  }

  #itemEvent(event: JsonObject, json: string): void {
    const index = this.#indexes.find(event);
    if (index === undefined) this.#sink.raw(json);
    else if (this.#open !== undefined && this.#open.index !== index) this.#wait({ event, json, index });
    else {
      this.#readItem({ event, json, index });
      this.#release();
    }
  }

  /** Reads an event of the open item, or of any while none is open. */
  #readItem({ event, json, index }: ErrorFacts): void {
    if (event.type === "response.output_item.added") this.#begin(index, toObject(event.item), json);
    else if (event.type === "response.output_item.done") this.#end(index, toObject(event.item));
    else this.#readPiece({ event, json, index });
  }

  /** An item of text that was never announced begins with its first piece; any other comes whole when it is done. */
  #readPiece({ event, json, index }: ErrorFacts): void {
    const implied = this.#open === undefined && !this.#seenIndexes.has(index) ? impliedItem(event) : undefined;
    if (implied !== undefined) this.#begin(index, implied, undefined);
    if (this.#open !== undefined) {
      if (!this.#open.reader.read(event)) this.#sink.raw(json);
    } else if (this.#seenIndexes.has(index)) this.#sink.raw(json);
    else if (!this.#unread.has(index)) this.#unread.set(index, json);
  }

  #wait(waitingItem: ErrorFacts): void {
    const waiting = this.#waiting.get(waitingItem.index);
    if (waiting !== undefined) waiting.push(waitingItem);
    else {
      this.#waiting.set(waitingItem.index, [waitingItem]);
      this.#order.push(waitingItem.index);
    }
  }

  /** Reads what waits, the item that began first before the others, until one of them is left open. */
  #release(): void {
    while (this.#open === undefined && this.#nextWaiting < this.#order.length) {
      const index = this.#order[this.#nextWaiting++] ?? 0;
      const waiting = this.#waiting.get(index) ?? [];
      this.#waiting.delete(index);
      for (const waitingItem of waiting) this.#readItem(waitingItem);
    }
  }

  #begin(index: number, item: JsonObject, announcement: string | undefined): void {
    if (this.#seenIndexes.has(index)) return;
    this.#seenIndexes.add(index);
    this.#seenIds.add(toText(item.id));
    this.#open = { index, id: toText(item.id), reader: this.#openItem(item, announcement) };
  }

  /** Creates the reader of an item. `announcement` is the event that added it, if there was one. */
  #openItem(item: JsonObject, announcement: string | undefined): ItemReader {
    const sink = this.#sink;
    switch (item.type) {
      case "message":
        return new MessageReader(item, sink);
      case "function_call":
      case "custom_tool_call":
        return new CallReader(item, item.type, sink);
      case "reasoning":
        return new ReasoningReader(item, { sink, seals: !this.#isNative });
      default:
        return new OpaqueReader(item, sink, announcement);
    }
  }

  #end(index: number, item: JsonObject | undefined): void {
    if (this.#open === undefined && item !== undefined) this.#begin(index, item, undefined);
    this.#open?.reader.close(item);
    this.#open = undefined;
  }

  /** Reads the text that some servers say beside an output of no items. */
  #endText({ output_text: text }: JsonObject): void {
    const isAlone = this.#seenIndexes.size === 0 && typeof text === "string" && text !== "";
    if (isAlone) this.#end(0, { type: "message", content: text });
  }

  /** Ends what the upstream left open, and takes items that it names only now. */
  #finish(response: JsonObject): void {
    const output = Array.isArray(response.output) ? response.output.map(toObject) : [];
    const named = new Map(output.toReversed().map((item) => [item.id, item] as const));
    while (this.#open !== undefined) {
      const { index, id } = this.#open;
      this.#end(index, id === "" ? output[index] : named.get(id));
      this.#release();
    }
    for (const [index, item] of output.entries()) {
      const id = toText(item.id);
      if (!this.#seenIndexes.has(index) && (id === "" || !this.#seenIds.has(id))) this.#end(index, item);
    }
    this.#endText(response);
    // What was said of an item that never came is a loss.
    for (const [index, json] of this.#unread) if (!this.#seenIndexes.has(index)) this.#sink.raw(json);
    this.#sink.finished(decodeFinish(response, this.#sink.hasCalls, this.#context));
    this.#isFinished = true;
  }
}

/**
 * Returns the Response of an event that ends a stream: where one of both says that it was cut or failed, it was (vLLM
 * 0.32 has `response.completed` with an incomplete Response).
 */
function endedResponse(type: string, response: JsonObject, facts: KnownFacts): JsonObject {
  const { status } = response;
  if (status === "failed" || status === "cancelled") throw decodeFailedResponse(response, facts);
  const isCut = type === "response.incomplete" || status === "incomplete";
  return { ...response, status: isCut ? "incomplete" : "completed" };
}

function impliedItem({ type, item_id: id }: JsonObject): JsonObject | undefined {
  if (type === "response.output_text.delta") return { type: "message", id };
  return type === "response.reasoning_text.delta" ? { type: "reasoning", id, summary: [] } : undefined;
}

function hasOutput({ output, response }: JsonObject): boolean {
  return isJsonObject(response) || (output !== undefined && output !== null);
}

/** Some servers send an error as a list of one. */
function notAnObject(text: string, what: string, facts: KnownFacts): InferenceError {
  const listed = parseListedError(text);
  return listed === undefined
    ? interrupted(`the upstream sent ${what} that is not a JSON object`)
    : decodeStreamError(listed, facts);
}

function interrupted(message: string): InferenceError {
  return new InferenceError(ErrorReason.STREAM_INTERRUPTED, message);
}
