import { describe, expect, it } from "vitest";
import { createSseReader, MAX_EVENT_PIECES, type SseReader } from "../../../src/formats/shared/sse.ts";

/** Reads a text again and again; returns how often that was, until the reader took no more or `most` were read. */
function readOften(reader: SseReader, text: string, most: number): number {
  const bytes = Buffer.from(text);
  let count = 0;
  while (reader.excess === undefined && count < most) {
    reader.read(bytes);
    count += 1;
  }
  return count;
}

const MANY = 4 * MAX_EVENT_PIECES;

describe("a reader of an event that never ends", () => {
  it.each([
    ["short lines", "data: z\n"],
    ["empty lines of data", "data:\n"],
    ["lines that end with CR", "data: z\r"],
    ["lines that end with CRLF", "data: z\r\n"],
    ["names", "event: e\n"],
    ["ids", "id: 1\n"],
    ["times", "retry: 1\n"],
    ["comments", ": c\n"],
    ["unknown fields", "x: y\n"],
    ["single characters of one line", "data:xx"],
    ["parts of a name", "event:xx"],
  ])("takes no more than %s than an event may have pieces", (_name, text) => {
    const reader = createSseReader(1 << 24);
    expect(readOften(reader, text, MANY)).toBeLessThanOrEqual(MAX_EVENT_PIECES + 1);
    expect(reader.excess).toBe("pieces");
    expect(reader.read(Buffer.from("data: late\n\n"))).toEqual([]);
  });

  it("takes no more lines of one read either", () => {
    const reader = createSseReader(1 << 24);
    reader.read(Buffer.from(`${"data: z\n".repeat(MAX_EVENT_PIECES)}data: z`));
    expect(reader.excess).toBe("pieces");
  });

  it("takes no more characters than it may have", () => {
    const reader = createSseReader(1000);
    reader.read(Buffer.from(`data: ${"x".repeat(2000)}`));
    expect(reader.excess).toBe("characters");
  });
});

describe("a reader of many events", () => {
  it.each([
    ["data: z\n\n"],
    ["data: z\n\ndata"],
    ["data: z\r\n\r\n"],
    ["data: z\r\r"],
    ["event: e\r\ndata: z\r\n\r\n: c\r\n"],
    [": keep-alive\n\n"],
  ])("goes on with %j for ever", (text) => {
    const reader = createSseReader(1000);
    expect(readOften(reader, text, MANY)).toBe(MANY);
  });

  it("reads them alike wherever they are split", () => {
    const text = "event: e\r\ndata: a\r\ndata: é\r\n\r\n: c\n\ndata: b\n\nid: 1\rdata: c\r\r";
    const whole = createSseReader().read(Buffer.from(text));
    expect(whole).toEqual([
      { event: "e", data: "a\né" },
      { event: undefined, data: "b" },
      { event: undefined, data: "c" },
    ]);
    const bytes = createSseReader();
    expect([...Buffer.from(text)].flatMap((byte) => bytes.read(Uint8Array.of(byte)))).toEqual(whole);
  });
});

describe("createSseReader()", () => {
  it("reads nothing of events without data, which keep a connection alive", () => {
    const text = "event: keepalive\n\nevent: keepalive\ndata:\n\ndata: \n\nevent: e\ndata: 1\n\n";
    expect(createSseReader().read(Buffer.from(text))).toEqual([{ event: "e", data: "1" }]);
  });
});

describe("createSseReader()", () => {
  const read = (text: string) => {
    const reader = createSseReader();
    return [...reader.read(Buffer.from(text)), ...reader.end()];
  };
  const event = (data: string, name?: string) => ({ event: name, data });

  it.each([
    ["a text", "data: ping\n\n"],
    ["a quoted text", 'data: "keep-alive"\n\n'],
    ["null", "data: null\n\n"],
    ["a comment in the data", "data: : OPENROUTER PROCESSING\n\n"],
    ["a time, by its event", "event: heartbeat\ndata: 2026-12-01T03:00:00Z\n\n"],
  ])("skips %s that keeps the connection alive", (_name, text) => {
    expect(read(`${text}data: {"a":1}\n\n`)).toEqual([event('{"a":1}')]);
  });

  it.each(['"[DONE]"', "[done]", "done"])("reads %s as the mark of the end", (text) => {
    expect(read(`data: ${text}\n\n`)).toEqual([event("[DONE]")]);
  });

  it("hands on the event of a ping that is an object, and a text that nobody knows", () => {
    expect(read('event: ping\ndata: {"type":"ping"}\n\ndata: oops\n\n')).toEqual([
      event('{"type":"ping"}', "ping"),
      event("oops"),
    ]);
  });

  it("reads an error that is no more than its words, or that comes without data:", () => {
    expect(read("event: error\ndata: out of memory\n\n")).toEqual([
      event('{"error":{"message":"out of memory"}}', "error"),
    ]);
    expect(read('data: {"a":1}\n\n{"error":{"message":"m"}}\n')).toEqual([
      event('{"a":1}'),
      event('{"error":{"message":"m"}}'),
    ]);
  });

  it("reads each line as an event where no blank line stands between them", () => {
    expect(read('data: {"a":1}\ndata: {"a":2}\ndata: [DONE]\n')).toEqual([
      event('{"a":1}'),
      event('{"a":2}'),
      event("[DONE]"),
    ]);
  });

  it("reads an object that stands on several lines as one event", () => {
    expect(read('data: {"a":\ndata: 1}\n\n')).toEqual([event('{"a":\n1}')]);
  });
});
