import { createParser } from "eventsource-parser";

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
  const parser = createParser({
    maxBufferSize: maxCharacters,
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") excess = "characters";
    },
    onEvent: ({ event, data }) => {
      // An event without data keeps a connection alive, as comments do.
      if (data === "") return;
      // One that grows has room for seventeen, and most reads bring one.
      if (messages.length === 0) messages = [{ event, data }];
      else messages.push({ event, data });
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
