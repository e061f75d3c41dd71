import { type DescMessage, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { ConversationService, GetItemResponseSchema } from "../../gen/attune/conversation/v1/conversation_pb.ts";
import { ErrorDetailSchema } from "../../gen/attune/error/v1/error_pb.ts";
import {
  type GenerateEvent,
  GetInferenceResponseSchema,
  InferenceService,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import { startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { startTestService, yamlFor } from "../support/service.ts";

const LENGTH = 5_000_000;
const LONG = "é".repeat(LENGTH / 2);

describe("answers that a client of gRPC cannot take as one message", () => {
  let upstream: Awaited<ReturnType<typeof startScriptedUpstream>>;
  let service: Awaited<ReturnType<typeof startTestService>>;
  beforeAll(async () => {
    upstream = await startScriptedUpstream();
    service = await startTestService({ yaml: yamlFor(upstream.url) });
  });
  afterAll(async () => {
    await service.close();
    await upstream.close();
  });

  const grpc = (readMaxBytes = 4 * 2 ** 20) => createGrpcTransport({ baseUrl: service.url, readMaxBytes });
  const connect = () => createConnectTransport({ baseUrl: service.url, httpVersion: "1.1", readMaxBytes: 2 ** 30 });
  const client = (transport = grpc()) => createClient(InferenceService, transport);
  const call = (more: Record<string, string> = {}) => ({
    headers: { authorization: service.headers["authorization"] ?? "", ...more },
  });
  const message = (text: string) => ({
    role: Role.USER,
    content: [{ kind: { case: "text" as const, value: { text } } }],
  });
  const input = { model: "attune/messenger", maxOutputTokens: 64_000, messages: [message("Draw")] };
  const join = async <Desc extends DescMessage>(
    schema: Desc,
    parts: AsyncIterable<{ part: Uint8Array }>,
  ): Promise<MessageShape<Desc>> => {
    const bytes: Uint8Array[] = [];
    for await (const { part } of parts) bytes.push(part);
    return fromBinary(schema, Buffer.concat(bytes));
  };
  const failure = async (work: Promise<unknown>): Promise<ConnectError> =>
    await work.then(
      () => expect.unreachable("it did not fail"),
      (thrown: unknown) => ConnectError.from(thrown),
    );
  const idOf = (error: ConnectError): string => error.findDetails(ErrorDetailSchema)[0]?.inferenceId ?? "";

  const whole = wholeAnswer(
    JSON.stringify({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "real-messenger",
      content: [{ type: "text", text: LONG }],
      stop_reason: "end_turn",
      usage: { input_tokens: 5, output_tokens: 7 },
    }),
  );
  const streamOf = (block: object, delta?: object) => ({
    headers: { "content-type": "text/event-stream" },
    steps: [
      {
        type: "message_start",
        message: {
          id: "msg_1",
          type: "message",
          role: "assistant",
          model: "real-messenger",
          content: [],
          usage: { input_tokens: 5, output_tokens: 1 },
        },
      },
      { type: "content_block_start", index: 0, content_block: block },
      ...(delta === undefined ? [] : [{ type: "content_block_delta", index: 0, delta }]),
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 7 } },
      { type: "message_stop" },
    ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
  });

  it("of Generate are told with their id, by which they are read in parts, and are paid for once", async () => {
    upstream.answer(whole);
    const before = upstream.received.length;
    const key = { "idempotency-key": "long-1" };
    const error = await failure(client().generate({ input }, call(key)));
    expect(error.code).toBe(Code.InvalidArgument);
    expect(error.rawMessage).toMatch(
      /^the answer has 50\d{5} bytes, more than the 4194304 that the caller accepts as one message, and is stored: read it by ReadInference with the id '[-0-9a-f]{36}', or say in 'max_answer_bytes' what your client accepts$/,
    );
    const read = await join(GetInferenceResponseSchema, client().readInference({ id: idOf(error) }, call()));
    expect(read.inference?.output?.content[0]?.kind.value).toMatchObject({ text: LONG });
    const again = await client(grpc(2 ** 30)).generate({ input, maxAnswerBytes: 2 ** 30 }, call(key));
    expect(again.id).toBe(idOf(error));
    expect(upstream.received.length - before).toBe(1);
  });

  it("of Generate are sent where they are not stored, and over Connect", async () => {
    upstream.answer(whole);
    const unstored = await client(grpc(2 ** 30)).generate({ input: { ...input, store: false } }, call());
    expect(unstored.content[0]?.kind.value).toMatchObject({ text: LONG });
    const connected = await client(connect()).generate({ input }, call());
    expect(connected.content[0]?.kind.value).toMatchObject({ text: LONG });
  });

  it("of StreamGenerate come in pieces", async () => {
    upstream.answer(streamOf({ type: "text", text: "" }, { type: "text_delta", text: LONG }));
    const events: GenerateEvent[] = [];
    for await (const message of client().streamGenerate({ input }, call())) events.push(...message.events);
    const texts = events.flatMap(({ event }) =>
      event.case === "blockDelta" && event.value.delta.case === "text" ? [event.value.delta.value] : [],
    );
    expect(texts.join("")).toBe(LONG);
    expect(events.at(-1)?.event.case).toBe("finished");
    const id = events[0]?.event.case === "started" ? events[0].event.value.id : "";
    const followed: GenerateEvent[] = [];
    for await (const message of client().followInference({ id }, call())) followed.push(...message.events);
    expect(followed.at(-1)?.event.case).toBe("finished");
    expect(
      followed
        .flatMap(({ event }) =>
          event.case === "blockDelta" && event.value.delta.case === "text" ? [event.value.delta.value] : [],
        )
        .join(""),
    ).toBe(LONG);
  });

  it("of StreamGenerate whose one event is longer end when the record holds them", async () => {
    const result = { type: "web_search_result", url: "https://a.example", title: "A", encrypted_content: LONG };
    upstream.answer(streamOf({ type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [result] }));
    const cases: (string | undefined)[] = [];
    const error = await failure(
      (async () => {
        for await (const { events } of client().streamGenerate({ input }, call()))
          cases.push(...events.map(({ event }) => event.case));
      })(),
    );
    expect(error.code).toBe(Code.InvalidArgument);
    expect(cases).toEqual(["started"]);
    const read = await join(GetInferenceResponseSchema, client().readInference({ id: idOf(error) }, call()));
    expect(read.inference?.output?.finished?.usage?.outputTokens).toBe(7);
    expect(JSON.stringify(read.inference?.output?.content[0]?.kind.value)).toContain("encrypted_content");
  });

  it("of BeginInference are refused before it begins", async () => {
    const before = upstream.received.length;
    const long = { ...input, messages: [message(LONG)] };
    const error = await failure(client().beginInference({ input: long }, call()));
    expect(error.rawMessage).toMatch(/^input: has 50\d{5} bytes, and the answer, which repeats it, may have 4194304/);
    expect(upstream.received.length).toBe(before);
  });

  it("of GetItem are read in parts", async () => {
    const [short, long] = [createClient(ConversationService, grpc()), createClient(ConversationService, connect())];
    const conversationId = (await short.createConversation({}, call())).conversation?.id ?? "";
    const { items } = await long.createItems({ conversationId, items: [message(LONG)] }, call());
    const item = { conversationId, itemId: items[0]?.id ?? "" };
    expect((await failure(short.getItem(item, call()))).code).toBe(Code.ResourceExhausted);
    const read = await join(GetItemResponseSchema, short.readItem(item, call()));
    expect(read.item?.message?.content[0]?.kind.value).toMatchObject({ text: LONG });
    const missing = join(GetItemResponseSchema, short.readItem({ conversationId, itemId: "x" }, call()));
    expect((await failure(missing)).code).toBe(Code.NotFound);
  });
});
