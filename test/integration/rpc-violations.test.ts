import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ErrorDetailSchema, ErrorReason } from "../../gen/attune/error/v1/error_pb.ts";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { BadRequestSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.close());

const transports: readonly (readonly [string, () => Transport])[] = [
  ["Connect", () => createConnectTransport({ baseUrl: service.url, httpVersion: "1.1" })],
  ["gRPC", () => createGrpcTransport({ baseUrl: service.url })],
  ["gRPC-Web", () => createGrpcWebTransport({ baseUrl: service.url, httpVersion: "1.1" })],
];

describe.each(transports)("a request that breaks several rules, over %s", (_name, createTransport) => {
  async function failureOf(input?: object): Promise<ConnectError> {
    const headers = { authorization: `Bearer ${service.key}` };
    return await createClient(InferenceService, createTransport())
      .generate(input === undefined ? {} : { input }, { headers })
      .then(
        () => expect.unreachable("it should have failed"),
        (thrown: unknown) => ConnectError.from(thrown),
      );
  }

  const fieldsOf = (error: ConnectError) =>
    error.findDetails(BadRequestSchema).flatMap(({ fieldViolations }) => fieldViolations.map(({ field }) => field));

  it("is told all of them, from the root of the request", async () => {
    const error = await failureOf({ model: "", messages: [], temperature: 3, topP: -1 });
    expect(error.code).toBe(Code.InvalidArgument);
    expect(error.findDetails(ErrorDetailSchema)[0]?.reason).toBe(ErrorReason.INVALID_REQUEST);
    expect(fieldsOf(error)).toEqual(["input.model", "input.temperature", "input.top_p", "input.messages"]);
    const [violation] = error.findDetails(BadRequestSchema)[0]?.fieldViolations ?? [];
    expect(violation?.description).not.toBe("");
  });

  it("is told as many as a header can hold", async () => {
    const betas = Array.from({ length: 500 }, () => "a b");
    const fields = fieldsOf(await failureOf({ model: "attune/x", messages: [{ role: 2 }], betas }));
    expect(fields.length).toBeGreaterThan(5);
    expect(fields.join("").length).toBeLessThan(2000);
  });

  it("is told of the result of a tool that answers no call", async () => {
    const content = [{ kind: { case: "toolResult", value: { toolUseId: "call_1" } } }];
    const error = await failureOf({ model: "attune/gpt-6-astra", messages: [{ role: 4, content }] });
    expect(error.code).toBe(Code.InvalidArgument);
    expect(fieldsOf(error)).toEqual(["input.messages[0].content[0].tool_use_id"]);
    expect(error.rawMessage).toContain("No tool call found for function call output with call_id call_1.");
  });

  it("is told of a message that is not there", async () => {
    expect(fieldsOf(await failureOf())).toEqual(["input"]);
  });

  it("has no such detail where no field is wrong", async () => {
    const error = await failureOf({ model: "attune/x", messages: [{ role: 2, content: [] }] });
    expect([error.code, fieldsOf(error)]).toEqual([Code.NotFound, []]);
  });
});
