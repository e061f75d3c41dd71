import type Anthropic from "@anthropic-ai/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import { CALLS, SIGNATURE, TEXT, UPSTREAM_KINDS } from "../support/upstream-frames.ts";

let fixture: SdkFixture;

beforeAll(async () => {
  fixture = await startSdkFixture();
});

afterAll(() => fixture.close());

const lastText = (): string => fixture.upstream.received.at(-1)?.body ?? "";
const input_schema = { type: "object" as const, properties: { city: { type: "string" } } };
const user = (content: string) => ({ role: "user" as const, content });

interface Failure {
  readonly status: number;
  readonly error: { readonly error: { readonly type: string; readonly message: string; readonly details?: object } };
}

describe.each(UPSTREAM_KINDS)("threads on a model of a %s upstream", (kind) => {
  const begin = (more: object = {}) =>
    fixture.anthropic().beta.messages.thread({
      model: MODEL[kind],
      max_tokens: 50,
      system: "Be brief.",
      tools: [{ name: "get_weather", description: "Weather", input_schema }],
      ...more,
    });

  it.each(["send", "stream"] as const)(
    "go on with the whole conversation where the SDK sends the new turn (%s)",
    async (way) => {
      fixture.script(kind, "text", "text");
      const thread = begin();
      const turn = async (text: string): Promise<Anthropic.Beta.BetaMessage> =>
        way === "send" ? await thread.send(user(text)) : await thread.stream(user(text)).finalMessage();
      const first = await turn("One fish");
      expect(thread.previousMessageId).toBe(first.id);
      const second = await turn("Two fish");
      expect(second.content).toMatchObject([{ type: "text", text: TEXT }]);
      expect(second.id).not.toBe(first.id);
      // What the model is given: the beginning of the thread, its turns, and nothing of how they are kept.
      for (const part of ["Be brief.", "get_weather", "One fish", JSON.stringify(TEXT).slice(1, -1), "Two fish"]) {
        expect(lastText().split(part)).toHaveLength(2);
      }
      expect(lastText().indexOf("One fish")).toBeLessThan(lastText().indexOf("Two fish"));
      expect(lastText()).not.toContain("thread");
      expect(lastText()).not.toContain(first.id);
      expect(fixture.upstream.received.at(-1)?.headers["anthropic-beta"] ?? "").not.toContain("message-threads");
      expect(fixture.upstream.received.at(-2)?.body).not.toContain("thread");
    },
  );

  it("answer the calls of the SDK's tool runner", async () => {
    fixture.script(kind, "calls", "text");
    const asked: unknown[] = [];
    const run = async (args: unknown): Promise<string> => {
      asked.push(args);
      return `${asked.length} degrees`;
    };
    const thread = begin({
      tools: [{ type: "custom", name: "get_weather", input_schema, run, parse: (value: unknown) => value }],
    });
    thread.append(user("Weather in Oslo and in Rome?"));
    const last = await thread.toolRunner({});
    expect(last.content).toMatchObject([{ type: "text", text: TEXT }]);
    expect(asked).toEqual(CALLS.map((call) => JSON.parse(call.arguments)));
    for (const part of ["Weather in Oslo and in Rome?", "1 degrees", "2 degrees"]) {
      expect(lastText().split(part)).toHaveLength(2);
    }
  });

  it("give reasoning back to its maker as it was", async () => {
    fixture.script(kind, "thinking", "text");
    const thread = begin({ thinking: { type: "adaptive" } });
    await thread.send(user("Hello"));
    await thread.send(user("And?"));
    if (kind === "chat") expect(lastText()).toContain("Let me think.");
    else expect(lastText()).toContain(JSON.stringify(SIGNATURE));
  });

  it("begin again where the turn that they go on with is gone", async () => {
    fixture.script(kind, "text", "text");
    const thread = begin();
    const first = await thread.send(user("One fish"));
    const { service } = fixture;
    const deleted = await fetch(`${service.url}/v1/responses/${first.id}`, {
      method: "DELETE",
      headers: service.headers,
    });
    expect(deleted.status).toBe(200);
    const before = fixture.upstream.received.length;
    await thread.send(user("Two fish"));
    expect(fixture.upstream.received).toHaveLength(before + 1);
    expect(lastText()).toContain("One fish");
  });
});

describe("a request with a thread", () => {
  const ask = (body: object): Promise<Anthropic.Beta.BetaMessage> =>
    fixture.anthropic().beta.messages.create({ model: MODEL.messages, max_tokens: 5, ...body } as never);
  const refusal = async (body: object): Promise<Failure> =>
    await ask(body).then(
      () => Promise.reject(new Error("it was answered")),
      (error: unknown) => error as Failure,
    );
  const gone = { type: "continue", previous_message_id: "0192f0c8-0000-7000-8000-000000000000" };

  it("that is not known is refused with the details on which the SDKs send the whole conversation", async () => {
    const { status, error } = await refusal({ thread: gone, messages: [user("x")] });
    expect(status).toBe(404);
    expect(error.error).toEqual({
      type: "not_found_error",
      message: expect.stringContaining("thread.previous_message_id: no stored response has the id"),
      details: { error_code: "thread_not_found" },
    });
  });

  it("of a kind that is not known is refused with the details on which the SDKs do without", async () => {
    const { status, error } = await refusal({ thread: { type: "fork" }, messages: [user("x")] });
    expect(status).toBe(400);
    expect(error.error).toMatchObject({
      type: "invalid_request_error",
      details: { error_code: "thread_unsupported_request", unsupported: ["thread"] },
    });
  });

  it.each<[string, object, string]>([
    [
      "a system prompt again",
      { thread: gone, messages: [user("x")], system: "y" },
      "system: is taken from the beginning",
    ],
    ["tools again", { thread: gone, messages: [user("x")], tools: [] }, "tools: is taken from the beginning"],
    ["no id", { thread: { type: "continue" }, messages: [user("x")] }, "thread.previous_message_id: is required"],
    ["no type", { thread: {}, messages: [user("x")] }, "thread.type: is required"],
    ["something else than an object", { thread: "create", messages: [user("x")] }, "thread: must be an object"],
    ["no messages at its beginning", { thread: { type: "create" }, messages: [] }, "messages: must hold at least one"],
  ])("and %s is refused by name", async (_what, body, message) => {
    const { status, error } = await refusal(body);
    expect(status).toBe(400);
    expect(error.error).toMatchObject({ type: "invalid_request_error", message: expect.stringContaining(message) });
  });

  it("may go on with an unfinished answer, without a message of its own", async () => {
    fixture.script("messages", "text", "text");
    const first = await ask({ thread: { type: "create" }, messages: [user("One fish")] });
    await ask({ thread: { type: "continue", previous_message_id: first.id }, messages: [] });
    const { messages } = fixture.lastBody() as { messages: { role: string }[] };
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  it("has the marks of its own turn, and none of earlier ones: together they would be too many", async () => {
    fixture.script("messages", "text", "text", "text");
    const marked = (text: string) => ({
      role: "user" as const,
      content: ["a", "b"].map((part) => ({
        type: "text",
        text: `${text} ${part}`,
        cache_control: { type: "ephemeral" },
      })),
    });
    const headers = { headers: { "attune-strict": "true" } };
    const anthropic = fixture.anthropic(headers);
    let thread: object = { type: "create" };
    for (const text of ["One", "Two", "Three"]) {
      const body = { model: MODEL.messages, max_tokens: 5, thread, messages: [marked(text)] };
      const { id } = (await anthropic.beta.messages.create(body as never)) as Anthropic.Beta.BetaMessage;
      thread = { type: "continue", previous_message_id: id };
    }
    const [before = "", ...marks] = lastText().split("cache_control");
    expect(marks).toHaveLength(2);
    expect(before).toContain("Three a");
  });
});
