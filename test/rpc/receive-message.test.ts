import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CreateFeedbackRequestSchema } from "../../gen/attune/feedback/v1/feedback_pb.ts";
import { GenerateRequestSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { countFields } from "../../src/rpc/count-fields.ts";
import { checkMessage, type ReceivedBody } from "../../src/rpc/receive-message.ts";

const LIMITS = { bodyBytes: 1000, jsonDepth: 8, jsonValues: 50 };

const schema = GenerateRequestSchema;
const request = create(schema, { input: { model: "m", messages: [{ content: [] }], metadata: { a: "b" } } });
const message = Buffer.from(toBinary(schema, request));

function enveloped(bytes: Buffer, flags = 0): Buffer {
  const head = Buffer.alloc(5);
  head[0] = flags;
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/** Checks a body; resolves to its bytes, or to the code and the message of the refusal. */
async function check(bytes: Buffer, body: Partial<ReceivedBody> = {}): Promise<string> {
  const whole = { bytes, schema, contentType: "application/proto", encoding: undefined, ...body };
  try {
    return (await checkMessage(whole, LIMITS)).toString("hex");
  } catch (thrown) {
    return ConnectError.from(thrown).message;
  }
}

const grpc = { contentType: "application/grpc" };

describe("checkMessage()", () => {
  it.each([
    ["Connect", message, {}, message],
    ["gRPC", enveloped(message), grpc, enveloped(message)],
    ["gRPC, compressed", enveloped(gzipSync(message), 1), { ...grpc, encoding: "gzip" }, enveloped(message)],
    ["Connect, compressed", gzipSync(message), { encoding: "gzip" }, message],
    ["Connect's streams", enveloped(message), { contentType: "application/connect+proto" }, enveloped(message)],
    ["JSON", Buffer.from("{}"), { contentType: "application/json" }, Buffer.from("{}")],
    ["gRPC, half an envelope, for its own reader to refuse", Buffer.of(0, 0), grpc, Buffer.of(0, 0)],
  ])("hands on a message of %s", async (_what, bytes, body, expected) => {
    expect(await check(bytes, body)).toBe(expected.toString("hex"));
  });

  it.each([
    ["three million messages", Buffer.alloc(15_000_000), grpc, /\[unimplemented\] this method takes one message/],
    [
      "many empty fields",
      Buffer.alloc(1000, Buffer.of(0x0a, 0x00)),
      {},
      /\[invalid_argument\].* more than the 50 fields/,
    ],
    ["many unknown fields", Buffer.alloc(1000, Buffer.of(0x78, 0x00)), {}, /more than the 50 fields/],
    [
      "many values of JSON",
      Buffer.from(`[${"1,".repeat(60)}1]`),
      { contentType: "application/json" },
      /more than the 50 values/,
    ],
    ["JSON that is deep", Buffer.from("[".repeat(9)), { contentType: "application/json" }, /deeper than 8 levels/],
    ["JSON that is no UTF-8", Buffer.of(0x22, 0xff, 0x22), { contentType: "application/json" }, /not valid UTF-8/],
    ["a bomb", gzipSync(Buffer.alloc(1001)), { encoding: "gzip" }, /larger than 1000 bytes once it is decompressed/],
    ["a compression that it is not", message, { encoding: "br" }, /\[invalid_argument\] the message is not br/],
    ["a compression that is not known", message, { encoding: "zip" }, /\[unimplemented\] unknown compression 'zip'/],
  ])("refuses %s", async (_what, bytes, body, expected) => {
    expect(await check(bytes, body)).toMatch(expected);
  });
});

describe("countFields()", () => {
  it("counts every field at every level, and the items of lists and entries of maps", () => {
    // input; model, messages, metadata, of which an entry is one.
    expect(countFields(schema, message, 100)).toBe(4);
  });

  it("counts no further than it must", () => {
    expect(countFields(schema, Buffer.alloc(10_000_000, Buffer.of(0x0a, 0x00)), 10)).toBe(11);
  });

  it("ends for any bytes, with a count or an error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          expect(countFields(CreateFeedbackRequestSchema, bytes, 1000)).toBeGreaterThanOrEqual(0);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(Error);
        }
      }),
    );
  });
});
