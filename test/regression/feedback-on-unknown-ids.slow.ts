import { connect } from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CreateFeedbackRequestSchema } from "../../gen/attune/feedback/v1/feedback_pb.ts";
import { newId } from "../../src/lib/ids.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { longestTurnOf } from "../support/watch-turns.ts";

/** What one iteration of the event loop may cost, in processor time of its thread. */
const MAX_TURN_MS = 250;
const EVENTS = 10_000;
const SENDERS = 4;
const RPC = "/attune.feedback.v1.FeedbackService/CreateFeedback";

const ids = Array.from({ length: EVENTS }, newId);
const inJson = Buffer.from(JSON.stringify(ids.map((id) => ({ id, feedback: { helpful: true } }))));
const value = { case: "boolean", value: true } as const;
const events = ids.map((inferenceId) => ({ inferenceId, feedback: [{ name: "helpful", value }] }));
const inProto = toBinary(CreateFeedbackRequestSchema, create(CreateFeedbackRequestSchema, { events }));
const inRpcJson = Buffer.from(
  JSON.stringify({
    events: ids.map((inferenceId) => ({ inferenceId, feedback: [{ name: "helpful", boolean: true }] })),
  }),
);

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.close());

async function post(path: string, type: string, body: Buffer | Uint8Array): Promise<number> {
  const headers = { ...service.headers, "content-type": type };
  const response = await fetch(`${service.url}${path}`, { method: "POST", headers, body });
  expect(response.status).toBe(200);
  return (await response.arrayBuffer()).byteLength;
}

/** Sends a message over gRPC; resolves to the bytes of the answer. */
async function postOverGrpc(): Promise<number> {
  const session = connect(service.url);
  const stream = session.request({
    ":method": "POST",
    ":path": RPC,
    "content-type": "application/grpc",
    te: "trailers",
    authorization: `Bearer ${service.key}`,
  });
  const head = Buffer.alloc(5);
  head.writeUInt32BE(inProto.length, 1);
  stream.end(Buffer.concat([head, inProto]));
  let bytes = 0;
  for await (const chunk of stream) bytes += chunk.length;
  session.close();
  return bytes;
}

// Each failure was several Errors with their stacks, and all were encoded in one turn: 546 ms for one batch in JSON.
describe("feedback on ids that do not exist", () => {
  it.each([
    ["JSON", () => post("/v1/feedback", "application/json", inJson)],
    ["Connect", () => post(RPC, "application/proto", inProto)],
    ["Connect in JSON", () => post(RPC, "application/json", inRpcJson)],
    ["gRPC", postOverGrpc],
  ])("lets others have their turn over %s", { timeout: 60_000 }, async (_name, send) => {
    await send();
    for (const senders of [1, SENDERS]) {
      const sendAll = async () => {
        const answers = await Promise.all(Array.from({ length: senders }, send));
        for (const bytes of answers) expect(bytes).toBeGreaterThan(EVENTS * 50);
      };
      expect(await longestTurnOf(sendAll, MAX_TURN_MS)).toBeLessThan(MAX_TURN_MS);
    }
  });
});
