import { describe, expect, it } from "vitest";
import { seal } from "../../../src/inference/history/seal.ts";
import { answerOf, MODEL } from "../../support/sdk-fixture.ts";
import { testSigner } from "../../support/test-signer.ts";
import {
  CALLS,
  callBlock,
  callItem,
  FRAMES,
  messagesFrames,
  responsesFrames,
  SIGNATURE,
  THOUGHT,
  textBlock,
  UPSTREAM_KINDS,
} from "../../support/upstream-frames.ts";
import { useHardCases } from "./hard-case.ts";
import { toolsIn } from "./tool-members.ts";

const cases = useHardCases();
const [OSLO] = CALLS;
const REDACTED = "EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlxh0L5L8rLVyIw+/==";

const thinkingBlock = (text: string, signature: string) =>
  [
    { type: "thinking", thinking: "", signature: "" },
    { type: "thinking_delta", thinking: text },
    { type: "signature_delta", signature },
  ] as const;
const redactedBlock = [{ type: "redacted_thinking", data: REDACTED }] as const;

interface Message {
  readonly content: { readonly type: string; readonly [name: string]: unknown }[];
}
interface Response {
  readonly output: { readonly type: string; readonly id: string; readonly encrypted_content?: string }[];
}

/** Answers the call of what was said, and sends all back. */
async function goOn(model: string, { content }: Message) {
  const tools = toolsIn("messages", OSLO.name);
  const results = content.flatMap(({ type, id }) =>
    type === "tool_use" ? [{ type: "tool_result", tool_use_id: id, content: "rain" }] : [],
  );
  const messages = [
    { role: "user", content: "Weather?" },
    { role: "assistant", content },
    { role: "user", content: results },
  ];
  return cases().post("messages", { model, tools, messages });
}

describe("thinking before a call", () => {
  it("case 3: comes back to a Messages upstream byte for byte, redacted thinking and order included", async () => {
    const frames = messagesFrames(
      [thinkingBlock(THOUGHT, SIGNATURE), redactedBlock, callBlock(OSLO, OSLO.arguments)],
      "tool_use",
    );
    cases().upstream.answer(answerOf(frames), answerOf(FRAMES.messages.text));
    const first = (await cases().post("messages", { model: MODEL.messages })).json() as Message;
    expect(first.content.map(({ type }) => type)).toEqual(["thinking", "redacted_thinking", "tool_use"]);
    const second = await goOn(MODEL.messages, first);
    expect(second.status).toBe(200);
    expect(cases().upstream.received.at(-1)?.body).toContain(
      '{"role":"assistant","content":[' +
        `{"type":"thinking","thinking":"${THOUGHT}","signature":"${SIGNATURE}"},` +
        `{"type":"redacted_thinking","data":"${REDACTED}"},` +
        `{"type":"tool_use","id":"call_oslo","name":"get_weather","input":{"city":"Oslo"}}]}`,
    );
  });

  it("case 3: comes back to a Responses upstream as its encrypted reasoning", async () => {
    const reasoning = {
      added: { id: "rs_1", type: "reasoning", summary: [] },
      events: [],
      done: { id: "rs_1", type: "reasoning", summary: [], encrypted_content: SIGNATURE },
    };
    const frames = responsesFrames([reasoning, callItem("fc_1", OSLO, [OSLO.arguments])]);
    cases().upstream.answer(answerOf(frames), answerOf(FRAMES.responses.text));
    const first = (await cases().post("messages", { model: MODEL.responses })).json() as Message;
    expect((await goOn(MODEL.responses, first)).status).toBe(200);
    expect(cases().lastBody()["input"]).toMatchObject([
      { role: "user" },
      { type: "reasoning", summary: [], encrypted_content: SIGNATURE },
      { type: "function_call", call_id: "call_oslo" },
      { type: "function_call_output", call_id: "call_oslo" },
    ]);
  });

  it("case 3: comes back to a Chat upstream as its reasoning, with its signature", async () => {
    cases().script("chat", "thinking", "text");
    const first = (await cases().post("messages", { model: MODEL.chat })).json() as Message;
    const messages = [
      { role: "user", content: "x" },
      { role: "assistant", content: first.content },
      { role: "user", content: "y" },
    ];
    expect((await cases().post("messages", { model: MODEL.chat, messages })).status).toBe(200);
    const sent = cases().lastBody()["messages"] as Record<string, unknown>[];
    expect(sent[1]).toMatchObject({ role: "assistant" });
    expect(JSON.stringify(sent[1])).toContain(THOUGHT);
    expect(JSON.stringify(sent[1])).toContain(SIGNATURE);
    expect(sent[1]?.["content"]).toBe('Grüße 🌍 — "ok"\n');
  });
});

describe("reasoning items without a store", () => {
  const options = { store: false, include: ["reasoning.encrypted_content"], tools: toolsIn("responses", OSLO.name) };
  const question = { role: "user", content: "Weather?" };
  const result = { type: "function_call_output", call_id: OSLO.id, output: "rain" };
  const call = { type: "function_call", call_id: OSLO.id, name: OSLO.name, arguments: OSLO.arguments };

  it.each(UPSTREAM_KINDS)("case 4: go round a loop of tools with a %s upstream", async (kind) => {
    const reasoning = {
      added: { id: "rs_1", type: "reasoning", summary: [] },
      events: [],
      done: { id: "rs_1", type: "reasoning", summary: [], encrypted_content: SIGNATURE },
    };
    const asking = {
      chat: FRAMES.chat.thinking,
      responses: responsesFrames([reasoning, callItem("fc_1", OSLO, [OSLO.arguments])]),
      messages: messagesFrames([thinkingBlock(THOUGHT, SIGNATURE), callBlock(OSLO, OSLO.arguments)], "tool_use"),
    };
    cases().upstream.answer(answerOf(asking[kind]), answerOf(FRAMES[kind].text));
    const first = (await cases().post("responses", { model: MODEL[kind], ...options })).json() as Response;
    const [item] = first.output;
    expect(item?.type).toBe("reasoning");
    expect(item?.encrypted_content).not.toBe(SIGNATURE);
    const rest = kind === "chat" ? [call] : [];
    const input = [question, ...first.output, ...rest, result];
    expect((await cases().post("responses", { model: MODEL[kind], ...options, input })).status).toBe(200);
    expect(cases().upstream.received.at(-1)?.body).toContain(`"${SIGNATURE}"`);
  });

  const replay = (encrypted_content: string) => {
    const item = { type: "reasoning", id: "rs_1", summary: [], encrypted_content };
    return cases().post("responses", { model: MODEL.responses, ...options, input: [question, item, call, result] });
  };
  const sealed = seal(testSigner, { upstream: "responses", model: "real-responder" }, SIGNATURE);

  it("case 4: are taken as they were made", async () => {
    cases().script("responses", "text");
    expect((await replay(sealed)).status).toBe(200);
  });

  it.each([
    ["cut", sealed.slice(0, -6)],
    ["changed in the middle", `${sealed.slice(0, 20)}${sealed[20] === "A" ? "B" : "A"}${sealed.slice(21)}`],
  ])("case 4: are a clean 400 when they were %s", async (_what, blob) => {
    const before = cases().upstream.received.length;
    const answer = await replay(blob);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({
      error: { type: "invalid_request_error", param: expect.stringMatching(/^input\[1\]/) },
    });
    expect(cases().upstream.received).toHaveLength(before);
  });

  it("case 4: of another maker are left out by name, and never shown as text", async () => {
    cases().script("responses", "text");
    const answer = await replay(seal(testSigner, { upstream: "messages", model: "real-messenger" }, SIGNATURE));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("attune-translation-loss")).toMatch(/^input\[1\]/);
    expect(cases().upstream.received.at(-1)?.body).not.toContain(SIGNATURE);
  });
});

describe("thinking between other blocks", () => {
  const blocks = [
    thinkingBlock("first", "c2lnMQ=="),
    callBlock(OSLO, OSLO.arguments),
    redactedBlock,
    thinkingBlock("second", "c2lnMg=="),
    textBlock("Done."),
  ];
  const answer = () => answerOf(messagesFrames(blocks, "end_turn"));

  it.each([false, true])("case 42: keeps its place in Messages, in a stream: %s", async (stream) => {
    cases().upstream.answer(answer());
    const { messages } = cases().anthropic();
    const body = { model: MODEL.messages, max_tokens: 9, messages: [{ role: "user" as const, content: "x" }] };
    const { content } = stream ? await messages.stream(body).finalMessage() : await messages.create(body);
    const types = content.map((block) => (block.type === "thinking" ? block.thinking : block.type));
    expect(types).toEqual(["first", "tool_use", "redacted_thinking", "second", "text"]);
  });

  it.each([false, true])(
    "case 42: an item of reasoning directly precedes its call in Responses, in a stream: %s",
    async (stream) => {
      cases().upstream.answer(answer());
      const { responses } = cases().openai();
      const body = { model: MODEL.messages, input: "x" };
      const { output } = stream ? await responses.stream(body).finalResponse() : await responses.create(body);
      expect(output.map(({ type }) => type)).toEqual([
        "reasoning",
        "function_call",
        "reasoning",
        "reasoning",
        "message",
      ]);
    },
  );

  it("case 42: goes back in its order", async () => {
    cases().upstream.answer(answer(), answerOf(FRAMES.messages.text));
    const first = (await cases().post("messages", { model: MODEL.messages })).json() as Message;
    const { status } = await goOn(MODEL.messages, first);
    expect(status).toBe(200);
    const sent = cases().lastBody()["messages"] as Message[];
    expect(sent[1]?.content.map(({ type }) => type)).toEqual(first.content.map(({ type }) => type));
    expect(sent[1]?.content[3]).toEqual({ type: "thinking", thinking: "second", signature: "c2lnMg==" });
  });
});
