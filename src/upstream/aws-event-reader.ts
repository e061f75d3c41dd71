import { crc32 } from "node:zlib";
import { isJsonObject, type JsonObject, parseJsonObject } from "../formats/shared/json.ts";
import { MAX_EVENT_PIECES, type SseMessage, type SseReader } from "../formats/shared/sse.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import { capitalize } from "../lib/letter-case.ts";

/** Bytes of lengths and their checksum, and of the checksum of a message. */
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;

const NOTHING = new Uint8Array();

/**
 * Creates a reader of AWS's event streams (application/vnd.amazon.eventstream), which returns its events, and those of
 * a model's own stream that are wrapped in its chunks. Throws UPSTREAM_ERROR for a message that is damaged.
 */
export function createAwsEventReader(maxBytes = Number.POSITIVE_INFINITY): SseReader {
  const begun = new BegunMessage();
  let excess: SseReader["excess"];
  return {
    get excess() {
      return excess;
    },
    end: () => [],
    read(bytes) {
      if (excess !== undefined) return [];
      let data = begun.add(bytes);
      const messages: SseMessage[] = [];
      while (data.length >= PRELUDE_BYTES) {
        const length = getLength(data);
        if (length > maxBytes) excess = "characters";
        if (length > maxBytes || length > data.length) break;
        messages.push(...toMessages(data.subarray(0, length)));
        data = data.subarray(length);
      }
      begun.keep(data);
      if (begun.pieces > MAX_EVENT_PIECES) excess ??= "pieces";
      return messages;
    },
  };
}

/** The pieces of a message that is not complete. They are joined when it is, and not with each that comes. */
class BegunMessage {
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #needed = PRELUDE_BYTES;

  get pieces(): number {
    return this.#pieces.length;
  }

  /** Returns all that has come where that may be a message; nothing while it cannot be. */
  add(piece: Uint8Array): Uint8Array {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes < this.#needed) return NOTHING;
    const data = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#bytes = 0;
    return data;
  }

  /** Keeps the rest of what add() returned. */
  keep(data: Uint8Array): void {
    if (data.length === 0) {
      if (this.#bytes === 0) this.#needed = PRELUDE_BYTES;
      return;
    }
    this.#pieces = [data];
    this.#bytes = data.length;
    this.#needed = data.length < PRELUDE_BYTES ? PRELUDE_BYTES : getLength(data);
  }
}

function getView(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}

function getLength(data: Uint8Array): number {
  const view = getView(data);
  const length = view.getUint32(0);
  if (crc32(data.subarray(0, 8)) !== view.getUint32(8) || length < PRELUDE_BYTES + CHECKSUM_BYTES) throw damaged();
  return length;
}

function damaged(): InferenceError {
  return new InferenceError(ErrorReason.UPSTREAM_ERROR, "the upstream sent a damaged message of its event stream");
}

function toMessages(data: Uint8Array): SseMessage[] {
  const view = getView(data);
  const end = data.length - CHECKSUM_BYTES;
  const headersEnd = PRELUDE_BYTES + view.getUint32(4);
  if (crc32(data.subarray(0, end)) !== view.getUint32(end) || headersEnd > end) throw damaged();
  const headers = readHeaders(data.subarray(PRELUDE_BYTES, headersEnd));
  const payload = new TextDecoder().decode(data.subarray(headersEnd, end));
  const type = headers.get(":message-type");
  if (type === "exception") return [failure(headers.get(":exception-type"), messageIn(parseJsonObject(payload)))];
  if (type === "error") return [failure(headers.get(":error-code"), headers.get(":error-message"))];
  const event = headers.get(":event-type");
  if (event !== "chunk") return event === undefined ? [] : [{ event, data: payload }];
  const { bytes } = parseJsonObject(payload) ?? {};
  if (typeof bytes !== "string") return [];
  return [{ event: undefined, data: Buffer.from(bytes, "base64").toString("utf8") }];
}

/** Names that a failure by a status has begin with a capital. */
function failure(name = "UnknownException", message = ""): SseMessage {
  const type = capitalize(name);
  return { event: "error", data: JSON.stringify({ type: "error", error: { type, message } }) };
}

function messageIn(payload: JsonObject | undefined): string | undefined {
  const message = isJsonObject(payload) ? (payload["message"] ?? payload["Message"]) : undefined;
  return typeof message === "string" ? message : undefined;
}

/**
 * Bytes of values by their type: booleans, integers, a timestamp, a UUID. Texts (7) and bytes (6) tell their length.
 */
const VALUE_BYTES: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };

/** Returns the headers that are texts. */
function readHeaders(data: Uint8Array): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  const view = getView(data);
  const text = new TextDecoder();
  try {
    for (let at = 0; at < data.length; ) {
      const nameEnd = at + 1 + view.getUint8(at);
      const name = text.decode(data.subarray(at + 1, nameEnd));
      const type = view.getUint8(nameEnd);
      const fixed = VALUE_BYTES[type];
      const begin = nameEnd + (fixed === undefined ? 3 : 1);
      at = begin + (fixed ?? view.getUint16(nameEnd + 1));
      if (type === 7) headers.set(name, text.decode(data.subarray(begin, at)));
    }
  } catch {
    throw damaged();
  }
  return headers;
}
