import { create } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Dialect, Role } from "../../gen/attune/content/v1/content_pb.ts";
import {
  type InferenceInput,
  InferenceInputSchema,
  InferenceService,
  InferenceStatus,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import { BadRequestSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
let model: string;

beforeAll(async () => {
  service = await startTestService();
  const listing = await fetch(`${service.url}/v1/models`, { headers: service.headers });
  const { data } = (await listing.json()) as { data: { id: string }[] };
  model = data[0]?.id ?? "";
});

afterAll(() => service.close());

const transports: readonly (readonly [string, () => Transport])[] = [
  ["Connect", () => createConnectTransport({ baseUrl: service.url, httpVersion: "1.1" })],
  ["gRPC", () => createGrpcTransport({ baseUrl: service.url })],
  ["gRPC-Web", () => createGrpcWebTransport({ baseUrl: service.url, httpVersion: "1.1" })],
];

const call = () => ({ headers: { authorization: `Bearer ${service.key}` } });
const text = { kind: { case: "text" as const, value: { text: "Hello" } } };
const notJson = { kind: { case: "opaque" as const, value: { dialect: Dialect.CHAT, json: "not JSON" } } };

/**
 * A message in which `dialect` is DIALECT_CHAT, `echo` is empty, and `background` is true, at the numbers that these
 * fields once had.
 */
function claiming(content: typeof text | typeof notJson): InferenceInput {
  const input = create(InferenceInputSchema, { model, messages: [{ role: Role.USER, content: [content] }] });
  input.$unknown = [
    { no: 2, wireType: WireType.Varint, data: Uint8Array.of(1) },
    { no: 26, wireType: WireType.LengthDelimited, data: Uint8Array.of(0) },
    { no: 29, wireType: WireType.Varint, data: Uint8Array.of(1) },
  ];
  return input;
}

describe("InferenceInput", () => {
  it("has no field for what only Attune knows of a request", () => {
    const names = InferenceInputSchema.fields.map(({ name }) => name);
    expect(names).toContain("model");
    for (const name of ["dialect", "echo", "background"]) expect(names).not.toContain(name);
  });
});

describe.each(transports)("a caller over %s who says how the request came in", (_name, createTransport) => {
  const rpc = () => createClient(InferenceService, createTransport());

  it("is held to the checks of RPC all the same", async () => {
    const error = await rpc()
      .generate({ input: claiming(notJson) }, call())
      .then(
        () => expect.unreachable("it should have failed"),
        (thrown: unknown) => ConnectError.from(thrown),
      );
    const fields = error.findDetails(BadRequestSchema).flatMap(({ fieldViolations }) => fieldViolations);
    expect([error.code, fields.map(({ field }) => field)]).toEqual([
      Code.InvalidArgument,
      ["input.messages[0].content[0].json"],
    ]);
  });

  it("is answered, and what is stored knows better", async () => {
    const { id } = await rpc().generate({ input: claiming(text) }, call());
    const { inference } = await rpc().getInference({ id }, call());
    expect(inference?.input?.messages).toHaveLength(1);
    expect([inference?.dialect, inference?.echo, inference?.background]).toEqual([
      Dialect.UNSPECIFIED,
      undefined,
      false,
    ]);
  });
});

describe("StoredInference", () => {
  const rpc = () => createClient(InferenceService, createGrpcTransport({ baseUrl: service.url }));

  it("says that it was begun with BeginInference, while it is made and when it has ended", async () => {
    const input = { model, messages: [{ role: Role.USER, content: [text] }] };
    const begun = (await rpc().beginInference({ input }, call())).inference;
    expect([begun?.background, begun?.dialect]).toEqual([true, Dialect.UNSPECIFIED]);
    const id = begun?.output?.id ?? "";
    for await (const { events } of rpc().followInference({ id }, call())) expect(events).toBeDefined();
    const { inference } = await rpc().getInference({ id }, call());
    expect([inference?.background, inference?.status]).toEqual([true, InferenceStatus.COMPLETED]);
  });

  it("says which members the answers of its format repeat", async () => {
    const response = await fetch(`${service.url}/v1/responses`, {
      method: "POST",
      headers: service.headers,
      body: JSON.stringify({ model, input: "Hello", metadata: { team: "a" } }),
    });
    const { id } = (await response.json()) as { id: string };
    const { inference } = await rpc().getInference({ id }, call());
    expect([inference?.dialect, inference?.background]).toEqual([Dialect.RESPONSES, false]);
    expect(JSON.parse(inference?.echo?.json ?? "null")).toMatchObject({ metadata: { team: "a" } });
  });
});
