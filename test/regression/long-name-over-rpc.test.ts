import * as http2 from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ErrorDetailSchema } from "../../gen/attune/error/v1/error_pb.ts";
import { GenerateRequestSchema, type InferenceInput } from "../../gen/attune/inference/v1/inference_pb.ts";
import { GetModelRequestSchema } from "../../gen/attune/model/v1/model_pb.ts";
import { ErrorReason, InferenceError } from "../../src/hub/error.ts";
import { encodeError } from "../../src/rpc/encode-error.ts";
import { frame } from "../attack/inputs/frames.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.close());

async function call(path: string, message: Uint8Array): Promise<Record<string, unknown>> {
  const session = http2.connect(service.url);
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    te: "trailers",
    "content-type": "application/grpc+proto",
    "x-api-key": service.key,
  });
  let all: Record<string, unknown> = {};
  const collect = (headers: http2.IncomingHttpHeaders): void => {
    all = { ...all, ...headers };
  };
  const closed = new Promise((resolve) => stream.once("close", resolve));
  stream.on("response", collect).on("trailers", collect).resume();
  stream.end(frame(Buffer.from(message)));
  await closed;
  session.destroy();
  return all;
}

const LONG = "m".repeat(1_000_000);

it("names a model that does not exist in a message that fits into a header", async () => {
  const bytes = toBinary(GetModelRequestSchema, create(GetModelRequestSchema, { id: LONG }));
  const headers = await call("/attune.model.v1.ModelService/GetModel", bytes);
  expect(headers["grpc-status"]).toBe("5");
  expect(decodeURIComponent(String(headers["grpc-message"]))).toMatch(/^the model 'm{50,500}…' does not exist$/);
});

it("names a place in a request that fits into a header", async () => {
  const text = { kind: { case: "image" as const, value: { source: { case: "url" as const, value: LONG } } } };
  const input = { model: "attune/gpt-6-astra", messages: [{ role: 3, content: [text] }] } as unknown as InferenceInput;
  const bytes = toBinary(GenerateRequestSchema, create(GenerateRequestSchema, { input }));
  const headers = await call("/attune.inference.v1.InferenceService/Generate", bytes);
  expect(headers["grpc-status"]).toBe("3");
});

it("tells of a failure in no more than fits into a header", () => {
  const error = new InferenceError(ErrorReason.UPSTREAM_ERROR, "é".repeat(300_000), { param: "p".repeat(300_000) });
  const encoded = encodeError(error);
  expect(encoded.rawMessage.length).toBeLessThan(5000);
  const [detail] = encoded.findDetails(ErrorDetailSchema);
  expect(detail?.param.length).toBeLessThan(2000);
});
