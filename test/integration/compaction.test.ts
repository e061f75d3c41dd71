import { APIError, type OpenAI } from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isUuid } from "../../src/lib/ids.ts";
import { wholeAnswer } from "../support/scripted-upstream.ts";
import { answerOf, MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import { CALLS, FRAMES, TEXT, UPSTREAM_KINDS, type UpstreamKind } from "../support/upstream-frames.ts";
import { WHOLES } from "../support/upstream-wholes.ts";

type Item = OpenAI.Responses.ResponseInputItem;

let fixture: SdkFixture;

beforeAll(async () => {
  fixture = await startSdkFixture();
});

afterAll(() => fixture.close());

const [OSLO] = CALLS;
const user = (text: string): Item => ({ type: "message", role: "user", content: text });
const CONVERSATION: Item[] = [
  user("Weather in Oslo?"),
  { type: "function_call", call_id: OSLO.id, name: OSLO.name, arguments: OSLO.arguments },
  { type: "function_call_output", call_id: OSLO.id, output: "4 degrees" },
  { type: "message", role: "assistant", content: "It is cold." },
  user("And in Rome?"),
];
const tools = [{ type: "function", name: "get_weather", parameters: { type: "object" }, strict: false }];

/** What an upstream of the Responses format makes of a conversation, as its documentation has it. */
const NATIVE = {
  id: "resp_cmp_up",
  object: "response.compaction",
  created_at: 1,
  output: [
    { id: "msg_0", type: "message", role: "user", status: "completed", content: [{ type: "input_text", text: "Hi" }] },
    { id: "cmp_0", type: "compaction", encrypted_content: "gAAAAB-native-state==" },
  ],
  usage: {
    input_tokens: 120,
    input_tokens_details: { cached_tokens: 90, cache_write_tokens: 10 },
    output_tokens: 15,
    output_tokens_details: { reasoning_tokens: 4 },
    total_tokens: 135,
  },
};

const lastText = (): string => fixture.upstream.received.at(-1)?.body ?? "";
/** Upstreams that compact answer so; others answer with a text, which is their summary. */
const script = () =>
  fixture.upstream.answerBy((path, body) => {
    if (path.endsWith("/responses/compact")) return wholeAnswer(JSON.stringify(NATIVE), { "x-request-id": "req_cmp" });
    const kind: UpstreamKind = path.endsWith("/messages")
      ? "messages"
      : path.endsWith("/responses")
        ? "responses"
        : "chat";
    return JSON.parse(body).stream === true ? answerOf(FRAMES[kind].text) : wholeAnswer(WHOLES[kind].text);
  });
const compact = (kind: UpstreamKind, members: object = {}) =>
  fixture
    .openai()
    .responses.compact({ model: MODEL[kind], input: CONVERSATION, instructions: "Be brief.", ...members });
const sealOf = (items: readonly { type: string }[]): string => {
  const item = items.find(({ type }) => type === "compaction");
  return item !== undefined && "encrypted_content" in item ? String(item.encrypted_content) : "";
};

describe.each(UPSTREAM_KINDS)("POST /v1/responses/compact on a model of a %s upstream", (kind) => {
  const isNative = kind === "responses";

  it("answers with what stands for the conversation, and is billed", async () => {
    script();
    const compacted = await compact(kind, { tools });
    expect(compacted.object).toBe("response.compaction");
    expect(compacted.usage).toMatchObject({ input_tokens: 120, output_tokens: 15, total_tokens: 135 });
    expect(compacted.output.map(({ type }) => type)).toEqual([
      ...(isNative ? ["message"] : ["message", "message"]),
      "compaction",
    ]);
    expect(sealOf(compacted.output)).toMatch(/^att1\./);
    expect(lastText()).toContain("Weather in Oslo?");
    expect(fixture.upstream.received.at(-1)?.path.endsWith("/responses/compact")).toBe(isNative);
    if (isNative) {
      expect(JSON.parse(lastText())).toMatchObject({ model: "real-responder", instructions: "Be brief." });
      expect(JSON.parse(lastText())).not.toHaveProperty("store");
      expect(compacted.output[0]).toEqual(NATIVE.output[0]);
    } else {
      expect(lastText()).toContain("Summarize the conversation above.");
      expect(lastText()).toContain("get_weather");
      expect(JSON.parse(lastText()).tool_choice).toEqual(kind === "chat" ? "none" : { type: "none" });
    }
    await fixture.service.flush();
    const row = fixture.service.store.query().selectFrom("Inference").selectAll().where("id", "=", compacted.id);
    expect(await row.executeTakeFirst()).toMatchObject({
      status: "completed",
      dialect: "responses",
      outputTokens: 15,
      stored: false,
      costNanos: expect.any(Number),
      ...(isNative && { upstreamRequestId: "req_cmp" }),
    });
  });

  it("is gone on from", async () => {
    script();
    const { output } = await compact(kind);
    const input = [...(output as Item[]), user("Go on.")];
    const response = await fixture.openai().responses.create({ model: MODEL[kind], input });
    expect(response.output_text).toBe(TEXT);
    expect(lastText()).not.toContain("att1.");
    if (isNative) expect(JSON.parse(lastText()).input.slice(0, 2)).toEqual(NATIVE.output);
    else expect(lastText()).toContain(JSON.stringify(TEXT).slice(1, -1));
  });

  it("needs no more than the model", async () => {
    script();
    const compacted = await fixture.openai().responses.compact({ model: MODEL[kind] });
    expect(compacted).toMatchObject({ object: "response.compaction", usage: { total_tokens: 135 } });
    expect(compacted.output.at(-1)).toMatchObject({ type: "compaction" });
    if (isNative) expect(JSON.parse(lastText())).toEqual({ model: "real-responder" });
  });

  it("takes a stored conversation by its id", async () => {
    script();
    const first = await fixture.openai().responses.create({ model: MODEL[kind], input: "One fish" });
    const compacted = await fixture.openai().responses.compact({ model: MODEL[kind], previous_response_id: first.id });
    expect(lastText()).toContain("One fish");
    expect(lastText()).not.toContain(first.id);
    // A maker that has a compaction of its own says itself what stays of the user's messages.
    if (!isNative) expect(compacted.output[0]).toMatchObject({ role: "user", content: [{ text: "One fish" }] });
  });
});

describe("a compaction", () => {
  it.each(["responses", "messages"] as const)("that is a summary is read by every upstream (%s)", async (kind) => {
    script();
    const { output } = await compact("chat");
    const input = [...(output as Item[]), user("Go on.")];
    await fixture.openai().responses.create({ model: MODEL[kind], input });
    expect(lastText()).toContain(JSON.stringify(`This is a summary of our conversation so far:\n\n${TEXT}`));
    // Compacted again, it is part of what is summarised.
    await fixture.openai().responses.compact({ model: MODEL.messages, input });
    expect(lastText()).toContain("This is a summary of our conversation so far:");
  });

  it("of an upstream goes back to it alone, and is a named loss elsewhere", async () => {
    script();
    const { output } = await compact("responses");
    const input = [...(output as Item[]), user("Go on.")];
    const { response } = await fixture.openai().responses.create({ model: MODEL.chat, input }).withResponse();
    expect(lastText()).not.toContain("native-state");
    expect(response.headers.get("attune-translation-loss")).toBe("input[1]");
  });

  it("is asked for as a summary where a server of the Responses format has none", async () => {
    fixture.upstream.answerBy((path) =>
      path.endsWith("/compact")
        ? { status: 404, headers: { "content-type": "application/json" }, steps: ['{"detail":"Not Found"}'] }
        : wholeAnswer(WHOLES.responses.text),
    );
    const { output } = await compact("responses");
    expect(output.map(({ type }) => type)).toEqual(["message", "message", "compaction"]);
    expect(fixture.upstream.received.slice(-2).map(({ path }) => path)).toEqual([
      "/v1/responses/compact",
      "/v1/responses",
    ]);
    expect(lastText()).toContain("Summarize the conversation above.");
    script();
    await fixture.openai().responses.create({ model: MODEL.messages, input: [...(output as Item[]), user("Go on.")] });
    expect(lastText()).toContain("This is a summary of our conversation so far:");
  });

  it("that was changed is refused", async () => {
    script();
    for (const kind of ["chat", "responses"] as const) {
      const { output } = await compact(kind);
      const seal = sealOf(output);
      const changed = [{ type: "compaction" as const, encrypted_content: `${seal.slice(0, -4)}AAAA` }, user("Go on.")];
      await expect(fixture.openai().responses.create({ model: MODEL[kind], input: changed })).rejects.toMatchObject({
        status: 400,
        param: "input[0].encrypted_content",
      });
    }
  });

  it("is no compaction where the model gave no whole summary", async () => {
    for (const [scenario, words] of [
      ["length", "cut off"],
      ["refusal", "didn't return a summary"],
    ] as const) {
      fixture.script("chat", scenario);
      const failure: unknown = await compact("chat").catch((thrown: unknown) => thrown);
      if (!(failure instanceof APIError)) throw new Error("it did not fail");
      expect(failure).toMatchObject({ status: 502, message: expect.stringContaining(words) });
      // The inference took place, and feedback has to find it.
      expect(isUuid(failure.headers?.get("attune-inference-id") ?? "")).toBe(true);
    }
  });

  it("comes whole, and at once", async () => {
    for (const name of ["stream", "background"]) {
      await expect(compact("chat", { [name]: true })).rejects.toMatchObject({ status: 400, param: name });
    }
  });
});
