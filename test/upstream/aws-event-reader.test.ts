import { describe, expect, it } from "vitest";
import { createAwsEventReader } from "../../src/upstream/aws-event-reader.ts";
import { awsFrame, bedrockChunk, bedrockException } from "../support/aws-frame.ts";

/** Messages as @smithy/eventstream-codec 4.5.2 writes them. */
const WRITTEN = {
  chunk:
    "AAAA6gAAAEvmSJgPCzpldmVudC10eXBlBwAFY2h1bmsNOmNvbnRlbnQtdHlwZQcAEGFwcGxpY2F0aW9uL2pzb24NOm1lc3NhZ2UtdHlwZQcABWV2ZW50eyJieXRlcyI6ImV5SjBlWEJsSWpvaVkyOXVkR1Z1ZEY5aWJHOWphMTlrWld4MFlTSXNJbWx1WkdWNElqb3dMQ0prWld4MFlTSTZleUowZVhCbElqb2lkR1Y0ZEY5a1pXeDBZU0lzSW5SbGVIUWlPaUpIY3NPOHc1OWxJbjE5IiwicCI6ImFiY2RlZmdoIn1/LZjH",
  exception:
    "AAAAsAAAAGFPUIazDzpleGNlcHRpb24tdHlwZQcAE3Rocm90dGxpbmdFeGNlcHRpb24NOmNvbnRlbnQtdHlwZQcAEGFwcGxpY2F0aW9uL2pzb24NOm1lc3NhZ2UtdHlwZQcACWV4Y2VwdGlvbnsibWVzc2FnZSI6IlRvbyBtYW55IHRva2VucywgcGxlYXNlIHdhaXQgYmVmb3JlIHRyeWluZyBhZ2Fpbi4iffcK5X8=",
  allTypes:
    "AAAAmQAAAGmNWkP0DTptZXNzYWdlLXR5cGUHAAVldmVudAF0AAFmAQFiAgEBcwMAAgFpBAAAAAMDYmluBgADeHl6AnRzCAAAAAAAAAAAAXUJAQIDBAUGBwgJCgsMDQ4PEAs6ZXZlbnQtdHlwZQcABWNodW5reyJieXRlcyI6ImV5SjBlWEJsSWpvaWNHbHVaeUo5In1NKyoM",
  error:
    "AAAAdwAAAGf9BhdNDTptZXNzYWdlLXR5cGUHAAVlcnJvcgs6ZXJyb3ItY29kZQcAD0ludGVybmFsRmFpbHVyZQ46ZXJyb3ItbWVzc2FnZQcAIUFuIGludGVybmFsIHNlcnZlciBlcnJvciBvY2N1cnJlZH4UgUs=",
};

const DELTA = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Grüße" } };
const THROTTLED = "Too many tokens, please wait before trying again.";

function read(...pieces: Uint8Array[]) {
  const reader = createAwsEventReader();
  return pieces.flatMap((piece) => reader.read(piece));
}

function failure(type: string, message: string) {
  return { event: "error", data: JSON.stringify({ type: "error", error: { type, message } }) };
}

describe("createAwsEventReader()", () => {
  it("reads what AWS's own codec writes", () => {
    const [chunk, exception, allTypes, error] = Object.values(WRITTEN).map((text) => Buffer.from(text, "base64"));
    expect(read(chunk ?? Buffer.alloc(0))).toEqual([{ event: undefined, data: JSON.stringify(DELTA) }]);
    expect(read(exception ?? Buffer.alloc(0))).toEqual([failure("ThrottlingException", THROTTLED)]);
    expect(read(allTypes ?? Buffer.alloc(0))).toEqual([{ event: undefined, data: '{"type":"ping"}' }]);
    expect(read(error ?? Buffer.alloc(0))).toEqual([failure("InternalFailure", "An internal server error occurred")]);
    // The tests of others write what it writes too.
    expect(bedrockChunk(DELTA).toString("base64")).toBe(WRITTEN.chunk);
    expect(bedrockException("throttlingException", THROTTLED).toString("base64")).toBe(WRITTEN.exception);
  });

  it("reads messages that are split anywhere, and several of one read", () => {
    const bytes = Buffer.concat([bedrockChunk({ a: 1 }), bedrockChunk({ a: 2 })]);
    const expected = ['{"a":1}', '{"a":2}'];
    expect(read(bytes).map(({ data }) => data)).toEqual(expected);
    for (let at = 1; at < bytes.length; at += 1) {
      expect(read(bytes.subarray(0, at), bytes.subarray(at)).map(({ data }) => data)).toEqual(expected);
    }
  });

  it("reads a message that comes byte by byte, joins its pieces once, and bounds their number", () => {
    const bytes = bedrockChunk({ text: "x".repeat(40_000) });
    const reader = createAwsEventReader();
    const messages = Array.from(bytes, (_byte, at) => reader.read(bytes.subarray(at, at + 1))).flat();
    expect(messages.map(({ data }) => data.length)).toEqual([40_011]);
    const many = createAwsEventReader();
    const long = bedrockChunk({ text: "x".repeat(80_000) });
    for (let at = 0; at < 65_600; at += 1) many.read(long.subarray(at, at + 1));
    expect(many.excess).toBe("pieces");
  });

  it("hands on events by their names, and passes over those without a name or a chunk's bytes", () => {
    const headers = { ":message-type": "event" };
    const named = awsFrame({ ...headers, ":event-type": "messageStop" }, '{"stopReason":"end_turn"}');
    expect(read(named)).toEqual([{ event: "messageStop", data: '{"stopReason":"end_turn"}' }]);
    expect(read(awsFrame(headers, "{}"), awsFrame({ ...headers, ":event-type": "chunk" }, "{}"))).toEqual([]);
  });

  it.each([0, 9, 13, 40, -1])("refuses a message whose byte %i is damaged", (at) => {
    const bytes = bedrockChunk({ a: 1 });
    const place = at < 0 ? bytes.length + at : at;
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    expect(() => read(bytes)).toThrow("a damaged message of its event stream");
  });

  it("refuses headers that are longer than their message", () => {
    const bytes = awsFrame({ ":message-type": "event" }, "");
    const broken = awsFrame({ ":message-type": "event" }, "");
    // The length of the last text.
    broken[12 + 1 + 13 + 2] = 200;
    expect(() => read(broken)).toThrow("damaged");
    expect(read(bytes)).toEqual([]);
  });

  it("reads no message that is longer than the limit, nor anything behind it", () => {
    const reader = createAwsEventReader(100);
    const long = bedrockChunk({ text: "x".repeat(100) });
    expect(reader.read(long.subarray(0, 12))).toEqual([]);
    expect(reader.excess).toBe("characters");
    expect(reader.read(bedrockChunk({}))).toEqual([]);
  });
});
