import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { ErrorDetailSchema, ErrorReason } from "../../gen/attune/error/v1/error_pb.ts";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { newId } from "../../src/lib/ids.ts";
import { Inference } from "../../src/store/entities/inference.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream.ts";
import { startTestService, type TestService, yamlFor } from "../support/service.ts";
import { waitFor, waitUntil } from "../support/wait.ts";

const PIECE = 'data: {"id":"1","choices":[{"index":0,"delta":{"role":"assistant","content":"Once"}}]}\n\n';

let upstream: ScriptedUpstream;
let service: TestService;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  upstream.answer({ steps: [PIECE], hang: true });
  service = await startTestService({ yaml: yamlFor(upstream.url) });
});

afterAll(async () => {
  await service.close();
  await upstream.close();
});

const PROTOCOLS: readonly (readonly [string, () => Transport, (ms: number) => Record<string, string>])[] = [
  ["Connect", () => createConnectTransport({ baseUrl: service.url, httpVersion: "1.1" }), connectTimeout],
  ["Connect over HTTP/2", () => createConnectTransport({ baseUrl: service.url, httpVersion: "2" }), connectTimeout],
  ["gRPC", () => createGrpcTransport({ baseUrl: service.url }), grpcTimeout],
  ["gRPC-Web", () => createGrpcWebTransport({ baseUrl: service.url, httpVersion: "1.1" }), grpcTimeout],
];

function connectTimeout(ms: number): Record<string, string> {
  return { "connect-timeout-ms": String(ms) };
}

function grpcTimeout(ms: number): Record<string, string> {
  return { "grpc-timeout": `${ms}m` };
}

function inputOf(workload: string) {
  const messages = [{ role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: "Tell" } } }] }];
  return { input: { model: "attune/chatty", messages, workload } };
}

/** How an inference ended that only its workload names, once that is recorded. */
async function recorded(workload: string) {
  return await waitFor(async () => {
    await service.flush();
    const [row] = await service.store.fork().find(Inference, { workload });
    if (row === undefined) throw new Error("it is not recorded");
    return { status: row.status, reason: row.errorReason, message: row.errorMessage };
  });
}

const LATE = {
  status: "failed",
  reason: "deadline_exceeded",
  message: "the caller's deadline passed before the answer was complete",
};

type Options = { readonly headers: Record<string, string>; readonly timeoutMs?: number; readonly signal?: AbortSignal };

const METHODS: readonly (readonly [
  string,
  (transport: Transport, workload: string, options: Options) => Promise<void>,
])[] = [
  [
    "whole",
    async (transport, workload, options) => {
      await createClient(InferenceService, transport).generate(inputOf(workload), options);
    },
  ],
  [
    "streamed",
    async (transport, workload, options) => {
      for await (const _events of createClient(InferenceService, transport).streamGenerate(inputOf(workload), options));
    },
  ],
];

async function failureOf(call: Promise<void>): Promise<ConnectError> {
  return await call.then(
    () => expect.unreachable("the upstream never ends"),
    (thrown: unknown) => ConnectError.from(thrown),
  );
}

describe.each(PROTOCOLS)("%s", (_name, createTransport, timeout) => {
  const auth = () => ({ authorization: `Bearer ${service.key}` });

  describe.each(METHODS)("an answer, %s", (_method, call) => {
    it("ends at its deadline, which the caller and the record are told", async () => {
      const workload = newId();
      const headers = { ...auth(), ...timeout(400) };
      const error = await failureOf(call(createTransport(), workload, { headers }));
      expect([error.code, error.rawMessage]).toEqual([Code.DeadlineExceeded, LATE.message]);
      expect(error.findDetails(ErrorDetailSchema)[0]).toMatchObject({ reason: ErrorReason.DEADLINE_EXCEEDED });
      expect(await recorded(workload)).toEqual(LATE);
    });

    it("is recorded as late where the caller's own clock was first", async () => {
      const workload = newId();
      const error = await failureOf(call(createTransport(), workload, { headers: auth(), timeoutMs: 400 }));
      expect(error.code).toBe(Code.DeadlineExceeded);
      expect(await recorded(workload)).toEqual(LATE);
    });

    it("is canceled where the caller leaves before its deadline", async () => {
      const workload = newId();
      const leave = new AbortController();
      const sent = upstream.received.length;
      const failure = failureOf(
        call(createTransport(), workload, { headers: auth(), timeoutMs: 60_000, signal: leave.signal }),
      );
      await waitUntil(() => upstream.received.length > sent);
      leave.abort();
      expect((await failure).code).toBe(Code.Canceled);
      expect(await recorded(workload)).toMatchObject({ status: "canceled" });
    });

    it("is not begun when there is no time for it", async () => {
      const sent = upstream.received.length;
      const error = await failureOf(call(createTransport(), newId(), { headers: { ...auth(), ...timeout(0) } }));
      expect(error.code).toBe(Code.DeadlineExceeded);
      expect(error.findDetails(ErrorDetailSchema)[0]).toMatchObject({ reason: ErrorReason.DEADLINE_EXCEEDED });
      expect(upstream.received.length).toBe(sent);
    });
  });
});
