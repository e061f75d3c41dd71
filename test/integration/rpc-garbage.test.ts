import { connect as connectHttp2, type IncomingHttpHeaders } from "node:http2";
import { create, fromJsonString, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { ErrorDetailSchema, ErrorReason } from "../../gen/attune/error/v1/error_pb.ts";
import { CreateFeedbackRequestSchema, type FeedbackEntrySchema } from "../../gen/attune/feedback/v1/feedback_pb.ts";
import { GenerateRequestSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { sendRaw } from "../support/send-raw.ts";
import { startTestService, type TestService } from "../support/service.ts";

const GENERATE = "/attune.inference.v1.InferenceService/Generate";
const STREAM = "/attune.inference.v1.InferenceService/StreamGenerate";
const FEEDBACK = "/attune.feedback.v1.FeedbackService/CreateFeedback";

let service: TestService;
let good: Buffer;
const consoleError = vi.spyOn(console, "error");

beforeAll(async () => {
  service = await startTestService();
  const listing = await fetch(`${service.url}/v1/models`, { headers: service.headers });
  const { data } = (await listing.json()) as { data: { id: string }[] };
  const messages = [{ role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: "Hi" } } }] }];
  const request = create(GenerateRequestSchema, { input: { model: data[0]?.id ?? "", messages } });
  good = Buffer.from(toBinary(GenerateRequestSchema, request));
});

afterAll(async () => {
  await service.close();
  // Connect's plugin writes there what it cannot answer.
  expect(consoleError).not.toHaveBeenCalled();
});

interface Ended {
  /** Name of the status, as Connect writes it, or "ok". */
  readonly code: string;
  readonly message: string;
  /** Reason in the error's detail; undefined if there is none. */
  readonly reason?: ErrorReason | undefined;
}

/** What gRPC calls the codes that are expected here. */
const GRPC_CODES: Readonly<Record<string, string>> = {
  "0": "ok",
  "2": "unknown",
  "3": "invalid_argument",
  "5": "not_found",
  "8": "resource_exhausted",
  "12": "unimplemented",
  "13": "internal",
};

/** Puts bytes into the envelope that streams and gRPC have. */
function enveloped(bytes: Buffer, flags = 0): Buffer {
  const head = Buffer.alloc(5);
  head[0] = flags;
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

type Send = (body: Buffer, headers?: Record<string, string>, path?: string) => Promise<Ended>;

function fromConnectJson(json: string): Ended {
  const {
    code,
    message,
    details = [],
  } = JSON.parse(json) as {
    code: string;
    message: string;
    details?: { debug: object }[];
  };
  const [detail] = details.map(({ debug }) => fromJsonString(ErrorDetailSchema, JSON.stringify(debug)));
  return { code, message, reason: detail?.reason };
}

async function post(path: string, contentType: string, body: Buffer, headers: Record<string, string> = {}) {
  const all = { authorization: `Bearer ${service.key}`, "content-type": contentType, ...headers };
  return await sendRaw(service.url, { method: "POST", path, headers: all, body });
}

const connectUnary: Send = async (body, headers, path = GENERATE) => {
  const { status, text } = await post(path, "application/proto", body, headers);
  return status === 200 ? { code: "ok", message: "" } : fromConnectJson(text);
};

const connectStream: Send = async (body, headers) => {
  const { text } = await post(STREAM, "application/connect+proto", enveloped(body), headers);
  const { error } = JSON.parse(text.slice(text.indexOf('{"error"'))) as { error: object };
  return fromConnectJson(JSON.stringify(error));
};

const grpcWeb: Send = async (body, headers, path = GENERATE) => {
  const { text } = await post(path, "application/grpc-web+proto", enveloped(body), headers);
  return fromGrpcStatus((name) => new RegExp(`${name}: (.*)\r\n`).exec(text)?.[1]);
};

const grpc: Send = (body, headers, path) => sendGrpc(enveloped(body), headers, path);

function sendGrpc(frames: Buffer, headers: Record<string, string> = {}, path = GENERATE): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const session = connectHttp2(service.url);
    const fixed = { ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" };
    const stream = session.request({ ...fixed, authorization: `Bearer ${service.key}`, ...headers });
    let found: IncomingHttpHeaders = {};
    stream.on("response", (head) => {
      found = head;
    });
    stream.on("trailers", (trailers) => {
      found = { ...found, ...trailers };
    });
    stream.on("error", reject);
    stream.on("close", () => {
      session.close();
      resolve(fromGrpcStatus((name) => found[name]?.toString()));
    });
    stream.resume().end(frames);
  });
}

function fromGrpcStatus(read: (name: string) => string | undefined): Ended {
  const status = read("grpc-status") ?? "none";
  const hasDetails = read("grpc-status-details-bin") !== undefined;
  return {
    code: GRPC_CODES[status] ?? status,
    message: decodeURIComponent(read("grpc-message") ?? ""),
    reason: hasDetails ? ErrorReason.INVALID_REQUEST : undefined,
  };
}

const PROTOCOLS: readonly (readonly [string, Send])[] = [
  ["Connect", connectUnary],
  ["a Connect stream", connectStream],
  ["gRPC-Web", grpcWeb],
  ["gRPC", grpc],
];

const GARBAGE: readonly (readonly [what: string, bytes: () => Buffer, message: RegExp])[] = [
  ["a number without an end", () => Buffer.alloc(12, 0xff), /not the message .*Request in protobuf's binary form/],
  ["a message cut off", () => good.subarray(0, good.length - 3), /premature EOF/],
  ["plain text", () => Buffer.from("hello world, no proto"), /protobuf's binary form/],
  ["JSON", () => Buffer.from('{"input":{}}'), /protobuf's binary form/],
  ["a wire type that is none", () => Buffer.from([0x0f]), /illegal tag/],
  ["a field 0", () => Buffer.from([0, 0]), /illegal tag/],
  ["groups without an end", () => Buffer.alloc(1000, 0x0b), /protobuf's binary form/],
  ["a text that is not UTF-8", () => Buffer.from([10, 6, 10, 4, 0xff, 0xfe, 0xc0, 0x80]), /utf-8/],
  ["half a surrogate pair", () => Buffer.from([10, 5, 10, 3, 0xed, 0xa0, 0x80]), /utf-8/],
  ["a length of 4 GB", () => Buffer.from([10, 0xff, 0xff, 0xff, 0xff, 0x0f]), /premature EOF/],
];

describe.each(PROTOCOLS)("bytes that are no message, over %s", (_name, send) => {
  it.each(GARBAGE)("%s", async (_what, bytes, message) => {
    expect(await send(bytes())).toEqual({
      code: "invalid_argument",
      message: expect.stringMatching(message),
      reason: ErrorReason.INVALID_REQUEST,
    });
  });
});

describe("JSON that is no message", () => {
  const user = '"messages":[{"role":"ROLE_USER"}]';
  it.each([
    ["an end too early", "{", /JSON/],
    ["an array", "[]", /cannot decode message/],
    ["a long text", `"${"x".repeat(1_000_000)}"`, /^.{0,600}$/],
    ["a number for a message", '{"input":5}', /InferenceInput/],
    ["the name of an enum that is none", '{"input":{"messages":[{"role":"ROLE_NOBODY"}]}}', /Role.*ROLE_NOBODY/],
    ["an object for an enum", '{"input":{"messages":[{"role":{}}]}}', /enum .*Role/],
    ["a field that is none", `{"input":{"model":"m",${user},"tepmerature":1}}`, /"tepmerature" is unknown/],
    ["a number too large", `{"input":{"model":"m",${user},"maxOutputTokens":1e30}}`, /max_output_tokens/],
    ["half a surrogate pair", '{"input":{"model":"\\ud800"}}', /model .*UTF8/],
    ["brackets without end", "[".repeat(100_000), /nested deeper than 256 levels/],
  ])("%s", async (_what, body, message) => {
    const { status, text } = await post(GENERATE, "application/json", Buffer.from(body));
    expect([status, fromConnectJson(text)]).toEqual([
      400,
      { code: "invalid_argument", message: expect.stringMatching(message), reason: ErrorReason.INVALID_REQUEST },
    ]);
  });
});

describe("frames and headers that are none", () => {
  it.each([
    ["an end in the middle of a frame", () => Buffer.from([0, 0]), {}, "invalid_argument"],
    ["a frame shorter than it says", () => enveloped(good).subarray(0, 20), {}, "invalid_argument"],
    ["a frame of 4 GB", () => Buffer.alloc(12, 0xff), {}, "resource_exhausted"],
    ["compression that is not named", () => enveloped(good, 1), {}, "invalid_argument"],
    ["what is not gzip", () => enveloped(good, 1), { "grpc-encoding": "gzip" }, "invalid_argument"],
    ["no frame", () => Buffer.alloc(0), {}, "unimplemented"],
    ["two frames", () => Buffer.concat([enveloped(good), enveloped(good)]), {}, "unimplemented"],
    ["a timeout without a unit", () => enveloped(good), { "grpc-timeout": "1" }, "invalid_argument"],
    ["a negative timeout", () => enveloped(good), { "grpc-timeout": "-1S" }, "invalid_argument"],
    ["a timeout of 11,000 years", () => enveloped(good), { "grpc-timeout": "99999999H" }, "ok"],
  ])("gRPC: %s", async (_what, frames, headers, code) => {
    expect((await sendGrpc(frames(), headers as Record<string, string>)).code).toBe(code);
  });

  it.each([
    ["a timeout that is none", { "connect-timeout-ms": "soon" }, "invalid_argument"],
    ["a timeout of 115 days", { "connect-timeout-ms": "9999999999" }, "ok"],
    ["what is not gzip", { "content-encoding": "gzip" }, "invalid_argument"],
    ["a host that is none", { host: "a b" }, "invalid_argument"],
    ["a port that is none", { host: "x:99999" }, "invalid_argument"],
  ])("Connect: %s", async (_what, headers, code) => {
    expect((await connectUnary(good, headers as Record<string, string>)).code).toBe(code);
  });
});

describe("methods of HTTP that no RPC is called by", () => {
  it.each(["QUERY", "PUT", "DELETE", "PATCH"])("refuses %s without a body of an error", async (method) => {
    const answer = await fetch(`${service.url}${GENERATE}`, {
      method,
      headers: { authorization: `Bearer ${service.key}` },
    });
    expect([answer.status, await answer.text()]).toEqual([405, ""]);
    expect(answer.headers.get("x-request-id")).not.toBeNull();
  });
});

describe("feedback that is nested too deep", () => {
  function nested(depth: number): MessageInitShape<typeof FeedbackEntrySchema> {
    if (depth === 0) return { name: "a", value: { case: "boolean", value: true } };
    return { name: "g", value: { case: "group", value: { entries: [nested(depth - 1)] } } };
  }

  it.each([
    ["Connect", connectUnary],
    ["gRPC", grpc],
    ["gRPC-Web", grpcWeb],
  ])("is refused by its depth, over %s", async (_name, send) => {
    const request = create(CreateFeedbackRequestSchema, { events: [{ inferenceId: "x", feedback: [nested(200)] }] });
    const ended = await send(Buffer.from(toBinary(CreateFeedbackRequestSchema, request)), {}, FEEDBACK);
    expect(ended).toMatchObject({
      code: "invalid_argument",
      message: "the message is nested deeper than 100 levels: send a flatter one",
    });
  });
});
