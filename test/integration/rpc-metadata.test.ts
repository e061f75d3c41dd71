import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { Health } from "../../gen/grpc/health/v1/health_pb.ts";
import { readWhenWritten } from "../support/read-when-written.ts";
import { sendRaw } from "../support/send-raw.ts";
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
  ["Connect over HTTP/1.1", () => createConnectTransport({ baseUrl: service.url, httpVersion: "1.1" })],
  ["Connect over HTTP/2", () => createConnectTransport({ baseUrl: service.url, httpVersion: "2" })],
  ["gRPC", () => createGrpcTransport({ baseUrl: service.url })],
  ["gRPC-Web", () => createGrpcWebTransport({ baseUrl: service.url, httpVersion: "1.1" })],
];

const ID = /^[0-9a-f-]{36}$/;

function inputOf(
  more: {
    readonly strict?: boolean;
    readonly plain?: boolean;
    readonly workload?: string;
    readonly candidates?: number;
    readonly maxCostNanos?: bigint;
  } = {},
) {
  const messages = [{ role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: "Hello" } } }] }];
  return { input: { model, messages, ...more } };
}

async function failureOf(call: Promise<unknown>): Promise<ConnectError> {
  return await call.then(
    () => expect.unreachable("it should have failed"),
    (thrown: unknown) => ConnectError.from(thrown),
  );
}

describe.each(transports)("%s", (_name, createTransport) => {
  const client = () => createClient(InferenceService, createTransport());
  const auth = () => ({ authorization: `Bearer ${service.key}` });

  it("has the id of the request in what it answers", async () => {
    let id: string | null = null;
    const onHeader = (headers: Headers): void => {
      id = headers.get("x-request-id");
    };
    await client().generate(inputOf(), { headers: auth(), onHeader });
    expect(id).toMatch(ID);
    id = null;
    for await (const _events of client().streamGenerate(inputOf(), { headers: auth(), onHeader }));
    expect(id).toMatch(ID);
    id = null;
    await createClient(Health, createTransport()).check({}, { onHeader });
    expect(id).toMatch(ID);
  });

  it("has the id of the request in its errors", async () => {
    const unknown = await failureOf(
      client().generate({ input: { ...inputOf().input, model: "x" } }, { headers: auth() }),
    );
    const unauthenticated = await failureOf(client().generate(inputOf()));
    for (const { metadata } of [unknown, unauthenticated]) expect(metadata.get("x-request-id")).toMatch(ID);
  });

  it("takes strictness, workload and plainness from its metadata", async () => {
    const headers = {
      ...auth(),
      "attune-strict": "true",
      "attune-workload": "from-metadata",
      "attune-optimize": "off",
    };
    const { id } = await client().generate(inputOf(), { headers });
    const { row, content } = await readWhenWritten(service.store, id);
    expect([row.workload, content?.input]).toMatchObject([
      "from-metadata",
      { strict: true, workload: "from-metadata", plain: true },
    ]);
  });

  it("takes them twice where they are the same", async () => {
    const headers = { ...auth(), "attune-strict": "true", "attune-workload": "same" };
    const { id } = await client().generate(inputOf({ strict: true, workload: "same" }), { headers });
    expect((await readWhenWritten(service.store, id)).row.workload).toBe("same");
  });

  it.each([
    ["attune-strict", "yes", {}, "the header 'attune-strict' must be 'true' or 'false'"],
    ["attune-workload", "x".repeat(257), {}, "the header 'attune-workload' must have at most 256 characters, not 257"],
    [
      "attune-workload",
      "one",
      { workload: "two" },
      "input.workload: differs from the header 'attune-workload': send one",
    ],
    ["attune-strict", "false", { strict: true }, "input.strict: differs from the header 'attune-strict': send one"],
    ["attune-optimize", "never", {}, "the header 'attune-optimize' must be 'on' or 'off'"],
    ["attune-optimize", "on", { plain: true }, "input.plain: differs from the header 'attune-optimize': send one"],
    [
      "attune-max-usd",
      "0",
      {},
      "the header 'attune-max-usd' must be a decimal above 0 with at most 9 places, such as 0.05",
    ],
    [
      "attune-max-usd",
      "0.05",
      { maxCostNanos: 1n },
      "input.max_cost_nanos: differs from the header 'attune-max-usd': send one",
    ],
    ["attune-candidates", "5", {}, "the header 'attune-candidates' must be a number from 1 to 4"],
    [
      "attune-candidates",
      "1",
      { candidates: 2 },
      "input.candidates: differs from the header 'attune-candidates': send one",
    ],
  ])("refuses a wrong %s (%#)", async (name, value, more, message) => {
    const headers = { ...auth(), [name]: value };
    const whole = failureOf(client().generate(inputOf(more), { headers }));
    const counted = failureOf(client().countTokens(inputOf(more), { headers }));
    const streamed = failureOf(
      (async () => {
        for await (const _events of client().streamGenerate(inputOf(more), { headers }));
      })(),
    );
    for (const { code, rawMessage } of await Promise.all([whole, counted, streamed])) {
      expect([code, rawMessage]).toEqual([Code.InvalidArgument, message]);
    }
  });
});

describe("answers that no method gives", () => {
  it.each(["/attune.inference.v1.InferenceService/Nope", "/attune.inference.v1.InferenceService/Generate"])(
    "have the id of the request: %s",
    async (path) => {
      const headers = { host: "a b", "content-type": "application/json" };
      const answer = await sendRaw(service.url, { method: "POST", path, headers, body: "{}" });
      expect(answer.headers["x-request-id"]).toMatch(ID);
    },
  );
});
