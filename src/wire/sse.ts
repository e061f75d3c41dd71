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
  /** Whether an event, or one of its lines, has become longer than it may be; nothing more is read then. */
  readonly isOverfull: boolean;
}

/** Creates a reader; it keeps what is incomplete, also half a UTF-8 character, up to `maxCharacters` of one event. */
export function createSseReader(maxCharacters?: number): SseReader {
  const decoder = new TextDecoder("utf-8");
  let messages: SseMessage[] = [];
  let isOverfull = false;
  const parser = createParser({
    maxBufferSize: maxCharacters,
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") isOverfull = true;
    },
    onEvent: ({ event, data }) => {
      // One that grows has room for seventeen, and most reads bring one.
      if (messages.length === 0) messages = [{ event, data }];
      else messages.push({ event, data });
    },
  });
  return {
    get isOverfull() {
      return isOverfull;
    },
    read(bytes) {
      if (isOverfull) return [];
      parser.feed(decoder.decode(bytes, { stream: true }));
      const read = messages;
      messages = [];
      return read;
    },
  };
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
