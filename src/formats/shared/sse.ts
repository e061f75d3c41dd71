import { createParser } from "eventsource-parser";
import { lookAtJsonObject } from "./json.ts";

/** One server-sent event. */
export interface SseMessage {
  /** Name of the event; undefined where the stream gives none. */
  readonly event: string | undefined;
  readonly data: string;
}

/** Turns the bytes of an SSE stream, split anywhere, into events. */
export interface SseReader {
  /** Returns the events that the bytes complete. */
  read(bytes: Uint8Array): SseMessage[];
  /** Returns the event that the end of the stream leaves without the blank line behind it, if there is one. */
  end(): SseMessage[];
  /** The limit that an event, or one of its lines, has exceeded; nothing more is read then. */
  readonly excess: "characters" | "pieces" | undefined;
}

/** Most lines of one event, and reads that brought them: the parser holds an object for each, however short it is. */
export const MAX_EVENT_PIECES = 65_536;

/** Creates a reader; it keeps what is incomplete, also half a UTF-8 character, up to `maxCharacters` of one event. */
export function createSseReader(maxCharacters?: number): SseReader {
  const decoder = new TextDecoder("utf-8");
  const open = new OpenEvent();
  let messages: SseMessage[] = [];
  let excess: SseReader["excess"];
  const add = (message: SseMessage): void => {
    // One that grows has room for seventeen, and most reads bring one.
    if (messages.length === 0) messages = [message];
    else messages.push(message);
  };
  const parser = createParser({
    maxBufferSize: maxCharacters,
    onError: ({ type, line = "" }) => {
      if (type === "max-buffer-size-exceeded") excess = "characters";
      // Errors of servers and proxies come bare, without `data:`, behind what was streamed.
      else if (line.startsWith("{") && lookAtJsonObject(line) !== undefined) add({ event: undefined, data: line });
    },
    onEvent: ({ event, data }) => {
      if (data.charCodeAt(0) !== BRACE) {
        if (!saysNothing(event, data)) add({ event, data: readText(event, data) });
      } else if (data.includes("\n") && lookAtJsonObject(data.slice(0, data.indexOf("\n"))) !== undefined) {
        // Some servers leave out the blank line between events.
        for (const line of data.split("\n")) add({ event, data: END.test(line) ? "[DONE]" : line });
      } else add({ event, data });
    },
  });
  return {
    get excess() {
      return excess;
    },
    end() {
      if (excess !== undefined) return [];
      parser.feed(`${decoder.decode()}\n\n`);
      const read = messages;
      messages = [];
      return read;
    },
    read(bytes) {
      if (excess !== undefined) return [];
      parser.feed(decoder.decode(bytes, { stream: true }));
      open.add(bytes);
      if (open.pieces > MAX_EVENT_PIECES) excess ??= "pieces";
      const read = messages;
      messages = [];
      return read;
    },
  };
}

const LF = 10;
const CR = 13;
const BRACE = 0x7b;

/** The mark of the end, as servers spell it. */
const END = /^"?\[?done\]?"?$/i;
/** The names and the texts by which servers keep a connection alive, where comments would do. */
const KEEP_ALIVE_NAME = /^(?:ping|pong|keep[-_]?alive|heartbeat)$/i;
const KEEP_ALIVE_TEXT = /^(?:null|:.*|"?\[?(?:ping|pong|keep[-_]?alive|heartbeat)\]?"?)$/i;

/** Returns a text as the formats have it: the mark of the end, or an error of no more than its words. */
function readText(event: string | undefined, text: string): string {
  if (END.test(text)) return "[DONE]";
  return event === "error" && !/^["[]/.test(text) ? JSON.stringify({ error: { message: text } }) : text;
}

/** An event without data keeps a connection alive, as comments do. */
function saysNothing(event: string | undefined, data: string): boolean {
  return data === "" || KEEP_ALIVE_TEXT.test(data) || (event !== undefined && KEEP_ALIVE_NAME.test(event));
}

/** Counts the lines that have come since the last blank one, and the reads that brought them. */
class OpenEvent {
  pieces = 0;
  #isLineEmpty = true;
  #isAfterCr = false;

  add(bytes: Uint8Array): void {
    const last = bytes.length - 1;
    // Nearly every read ends with an event, and what comes before its end need not be looked at.
    if (bytes[last] === LF && bytes[last - 1] === LF) {
      this.pieces = 0;
      this.#isLineEmpty = true;
      this.#isAfterCr = false;
      return;
    }
    this.pieces += 1;
    for (const byte of bytes) this.#addByte(byte);
  }

  #addByte(byte: number): void {
    const isRestOfCrLf = byte === LF && this.#isAfterCr;
    this.#isAfterCr = byte === CR;
    if (isRestOfCrLf) return;
    const endsLine = byte === LF || byte === CR;
    if (endsLine) this.pieces = this.#isLineEmpty ? 0 : this.pieces + 1;
    this.#isLineEmpty = endsLine;
  }
}

/** Frames an event without a name; `data` has no line break. */
export function sseData(data: string): string {
  return `data: ${data}\n\n`;
}

/** Frames an event with a name; `data` has no line break. */
export function sseEvent(event: string, data: string): string {
  return `event: ${event}\ndata: ${data}\n\n`;
}

/** Frames a comment, which clients skip: it keeps the connection alive. */
export function sseComment(text: string): string {
  return `: ${text}\n\n`;
}
