import { join } from "node:path";
import {
  brotliCompressSync,
  brotliDecompressSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateSync,
  zstdCompressSync,
  zstdDecompressSync,
} from "node:zlib";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import type { Compression } from "@connectrpc/connect/protocol";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { ErrorDetailSchema, ErrorReason } from "../../gen/attune/error/v1/error_pb.ts";
import { FeedbackService } from "../../gen/attune/feedback/v1/feedback_pb.ts";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { ModelService } from "../../gen/attune/model/v1/model_pb.ts";
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

const question = "What do you say?";
const messages = [{ role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: question } } }] }];

const transports: readonly (readonly [string, () => Transport])[] = [
  ["Connect over HTTP/1.1", () => createConnectTransport({ baseUrl: service.url, httpVersion: "1.1" })],
  ["Connect over HTTP/2", () => createConnectTransport({ baseUrl: service.url, httpVersion: "2" })],
  ["gRPC", () => createGrpcTransport({ baseUrl: service.url })],
  ["gRPC-Web", () => createGrpcWebTransport({ baseUrl: service.url, httpVersion: "1.1" })],
];

async function answerOverJson(): Promise<string> {
  const response = await fetch(`${service.url}/v1/chat/completions`, {
    method: "POST",
    headers: service.headers,
    body: JSON.stringify({ model, messages: [{ role: "user", content: question }] }),
  });
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
  return choices[0]?.message.content ?? "";
}

describe("reads that Connect sends as GET", () => {
  const headers = () => ({ authorization: `Bearer ${service.key}` });
  const GET_MODEL = "/attune.model.v1.ModelService/GetModel";

  it("are not those that hold a prompt", async () => {
    const path = "/attune.inference.v1.InferenceService/CountTokens?connect=v1&encoding=json&message=%7B%7D";
    expect((await fetch(`${service.url}${path}`, { headers: headers() })).status).toBe(405);
  });

  it("need a key, and may come compressed", async () => {
    const message = encodeURIComponent(JSON.stringify({ id: model }));
    const path = `${service.url}${GET_MODEL}?connect=v1&encoding=json&message=${message}`;
    expect((await fetch(path)).status).toBe(401);
    expect((await fetch(path, { headers: headers() })).status).toBe(200);
    expect((await fetch(`${path}&%63ompression=identity`, { headers: headers() })).status).toBe(200);
    const ask = async (text: string, compression = "gzip", encoding = "base64=1") => {
      const packed = gzipSync(text).toString("base64url");
      const query = `connect=v1&encoding=json&${encoding}&compression=${compression}&message=${packed}`;
      const response = await fetch(`${service.url}${GET_MODEL}?${query}`, { headers: headers() });
      return [response.status, ((await response.json()) as { message?: string }).message];
    };
    expect(await ask(JSON.stringify({ id: model }))).toEqual([200, undefined]);
    expect(await ask("{}", "br")).toEqual([400, "the message in the URL is not br"]);
    expect(await ask("{}", "lz4")).toEqual([400, expect.stringContaining("gzip, br, deflate, zstd or identity")]);
    expect(await ask("{}", "gzip", "base64=0")).toEqual([400, expect.stringContaining("base64")]);
    expect(await ask(" ".repeat(65_537))).toEqual([400, expect.stringContaining("65536 bytes")]);
  });
});

describe("messages that come compressed", () => {
  it.each<
    [string, (bytes: string | Uint8Array) => Uint8Array<ArrayBuffer>, (bytes: Uint8Array) => Uint8Array<ArrayBuffer>]
  >([
    ["gzip", gzipSync, gunzipSync],
    ["br", brotliCompressSync, brotliDecompressSync],
    ["deflate", deflateSync, inflateSync],
    ["zstd", zstdCompressSync, zstdDecompressSync],
  ])("are taken as %s, and answered so", async (name, compress, decompress) => {
    const said = [{ role: "ROLE_USER", content: [{ text: { text: question } }] }];
    const asked = JSON.stringify({ input: { model, messages: said } });
    const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
      fetch(`${service.url}/attune.inference.v1.InferenceService/CountTokens`, {
        method: "POST",
        headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json", ...headers },
        body,
      });
    const plain = await post(asked, {});
    const packed = await post(compress(asked), { "content-encoding": name });
    expect([packed.status, await packed.json()]).toEqual([200, await plain.json()]);
    const compression: Compression = {
      name,
      compress: async (bytes) => compress(bytes),
      decompress: async (bytes) => decompress(bytes),
    };
    const client = createClient(
      InferenceService,
      createGrpcTransport({
        baseUrl: service.url,
        compressMinBytes: 0,
        sendCompression: compression,
        acceptCompression: [compression],
      }),
    );
    const headers = { authorization: `Bearer ${service.key}` };
    const { content } = await client.generate({ input: { model, messages } }, { headers });
    expect(content[0]?.kind.value).toMatchObject({ text: await answerOverJson() });
  });
});

describe.each(transports)("%s", (_name, createTransport) => {
  const call = () => ({ headers: { authorization: `Bearer ${service.key}` } });

  it("answers whole as the JSON API does", async () => {
    const client = createClient(InferenceService, createTransport());
    const { content, serving } = await client.generate({ input: { model, messages } }, call());
    expect(content.map(({ kind }) => kind.case)).toEqual(["text"]);
    expect(content[0]?.kind.value).toMatchObject({ text: await answerOverJson() });
    expect(serving?.upstream).toBe("sandbox");
  });

  it("streams the same answer, with the id first and the end last", async () => {
    const client = createClient(InferenceService, createTransport());
    const cases: (string | undefined)[] = [];
    let text = "";
    for await (const { events } of client.streamGenerate({ input: { model, messages } }, call())) {
      for (const { event } of events) {
        cases.push(event.case);
        if (event.case === "blockDelta" && event.value.delta.case === "text") text += event.value.delta.value;
      }
    }
    expect([cases[0], cases.at(-1)]).toEqual(["started", "finished"]);
    expect(text).toBe(await answerOverJson());
  });

  it("lists models and takes feedback", async () => {
    const { models } = await createClient(ModelService, createTransport()).listModels({}, call());
    expect(models.map(({ id }) => id)).toContain(model);
    const { id } = await createClient(InferenceService, createTransport()).generate(
      { input: { model, messages } },
      call(),
    );
    const feedback = [{ name: "helpful", value: { case: "boolean" as const, value: true } }];
    const { results } = await createClient(FeedbackService, createTransport()).createFeedback(
      {
        events: [
          { inferenceId: id, feedback },
          { inferenceId: "nonsense", feedback },
        ],
      },
      call(),
    );
    expect(results.map(({ outcome }) => outcome.case)).toEqual(["stored", "error"]);
  });

  it("lists models in pages", async () => {
    const client = createClient(ModelService, createTransport());
    const whole = await client.listModels({}, call());
    expect(whole.nextPageToken).toBe("");
    const pageSize = whole.models.length - 1;
    const first = await client.listModels({ pageSize }, call());
    expect(first.models).toEqual(whole.models.slice(0, pageSize));
    const second = await client.listModels({ pageSize, pageToken: first.nextPageToken }, call());
    expect(second).toEqual({ ...whole, models: whole.models.slice(pageSize) });
    for (const wrong of [{ pageSize: -1 }, { pageSize: 1001 }, { pageToken: "attune/gone" }]) {
      const thrown = await client.listModels(wrong, call()).catch((error: unknown) => ConnectError.from(error));
      expect(thrown).toMatchObject({ code: Code.InvalidArgument });
    }
  });

  it.each([
    ["no key", undefined, { model: "attune/x", messages }, Code.Unauthenticated, ErrorReason.UNAUTHENTICATED],
    [
      "a wrong key",
      "att_000000000000_00000000000000000000000000000000",
      { model: "attune/x", messages },
      Code.Unauthenticated,
      ErrorReason.UNAUTHENTICATED,
    ],
    ["an unknown model", "good", { model: "attune/x", messages }, Code.NotFound, ErrorReason.MODEL_NOT_FOUND],
    ["no messages", "good", { model: "attune/x", messages: [] }, Code.InvalidArgument, ErrorReason.INVALID_REQUEST],
  ])("tells of %s by code and detail", async (_what, key, input, code, reason) => {
    const secret = key === "good" ? service.key : key;
    const headers: Record<string, string> = secret === undefined ? {} : { "x-api-key": secret };
    const client = createClient(InferenceService, createTransport());
    const error = await client.generate({ input }, { headers }).catch((thrown: unknown) => ConnectError.from(thrown));
    expect(error).toBeInstanceOf(ConnectError);
    if (!(error instanceof ConnectError)) return;
    expect(error.code).toBe(code);
    expect(error.findDetails(ErrorDetailSchema)[0]?.reason).toBe(reason);
  });
});

describe("@grpc/grpc-js", () => {
  it("streams the same answer", async () => {
    const root = join(import.meta.dirname, "..", "..");
    const definition = loadSync("attune/inference/v1/inference.proto", {
      includeDirs: [join(root, "proto")],
      keepCase: true,
      enums: String,
      oneofs: true,
    });
    const loaded = grpc.loadPackageDefinition(definition) as unknown as {
      attune: { inference: { v1: { InferenceService: grpc.ServiceClientConstructor } } };
    };
    const { InferenceService: Client } = loaded.attune.inference.v1;
    const client = new Client(new URL(service.url).host, grpc.credentials.createInsecure());
    const metadata = new grpc.Metadata();
    metadata.set("authorization", `Bearer ${service.key}`);
    const input = { model, messages: [{ role: "ROLE_USER", content: [{ text: { text: question } }] }] };
    const stream = client["StreamGenerate"]?.({ input }, metadata) as unknown as AsyncIterable<{
      events: { event: string; block_delta?: { text?: string } }[];
    }>;
    let text = "";
    for await (const { events } of stream) {
      for (const { block_delta } of events) text += block_delta?.text ?? "";
    }
    client.close();
    expect(text).toBe(await answerOverJson());
  });
});
