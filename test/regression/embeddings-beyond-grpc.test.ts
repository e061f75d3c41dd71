import { Code, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EmbeddingEncoding, InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { startTestService, type TestService } from "../support/service.ts";

const model = (name: string): string => `
  - name: ${name}
    family: chat
    embeddings: true
    contextWindow: 8192
    maxOutputTokens: 1
    price: { input: 0.02, output: 0 }
    deployments: [ { upstream: sandbox, model: sandbox } ]`;

describe("embeddings that a client of gRPC cannot take as one answer", () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ yaml: `models:${model("embedder")}${model("unknown")}` });
  });
  afterAll(() => service.close());

  const texts = (count: number): string[] => Array.from({ length: count }, (_, at) => `text ${at}`);
  const ask = async (asked: object, transport: "gRPC" | "Connect" = "gRPC") => {
    const options = { baseUrl: service.url, readMaxBytes: 4 * 2 ** 20 };
    const client = createClient(
      InferenceService,
      transport === "gRPC"
        ? createGrpcTransport(options)
        : createConnectTransport({ ...options, httpVersion: "1.1", readMaxBytes: 2 ** 30 }),
    );
    return await client.createEmbeddings({ model: "attune/embedder", ...asked }, { headers: service.headers });
  };

  it("are refused before they are made, with what fits", async () => {
    const fits = await ask({ texts: texts(339), dimensions: 1536 });
    expect(fits.embeddings).toHaveLength(339);
    await expect(ask({ texts: texts(340), dimensions: 1536 })).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage:
        "texts: 340 vectors of 1536 numbers may be longer than the 4194304 bytes that the caller accepts as one answer: " +
        "send 339 at most, ask for fewer 'dimensions' or for EMBEDDING_ENCODING_BASE64, or say in 'max_answer_bytes' " +
        "what your client accepts",
    });
    await service.stop();
    const rows = await service.store.query().selectFrom("Inference").select("id").execute();
    expect(rows).toHaveLength(1);
    service = await startTestService({ yaml: `models:${model("embedder")}${model("unknown")}` });
  });

  it("are made where the caller says that it takes them, asks for bytes, or comes over Connect", async () => {
    const asked = { texts: texts(341), dimensions: 1536 };
    expect((await ask({ ...asked, texts: texts(341), encoding: EmbeddingEncoding.BASE64 })).embeddings).toHaveLength(
      341,
    );
    expect((await ask(asked, "Connect")).embeddings).toHaveLength(341);
    await expect(ask({ ...asked, maxAnswerBytes: 2 ** 23 })).rejects.toMatchObject({ code: Code.ResourceExhausted });
    await expect(ask({ texts: texts(2), dimensions: 1536, maxAnswerBytes: 2 ** 15 })).rejects.toMatchObject({
      code: Code.InvalidArgument,
    });
  });

  it("are known by the first answer of a model where nobody says how long its vectors are", async () => {
    const many = { model: "attune/unknown", texts: texts(200) };
    await expect(ask(many)).rejects.toMatchObject({ code: Code.InvalidArgument });
    await ask({ ...many, texts: texts(1) });
    expect((await ask(many)).embeddings).toHaveLength(200);
  });
});
