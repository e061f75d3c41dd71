import { describe, expect, it } from "vitest";
import type { Format } from "../../support/sdk-calls.ts";
import { MODEL } from "../../support/sdk-fixture.ts";
import { UPSTREAM_KINDS, type UpstreamKind } from "../../support/upstream-frames.ts";
import { useHardCases } from "./hard-case.ts";

const cases = useHardCases();

async function received(format: Format, kind: UpstreamKind, members: object): Promise<Record<string, unknown>> {
  cases().script(kind, "text");
  const { status } = await cases().post(format, { model: MODEL[kind], ...members });
  expect(status).toBe(200);
  return cases().lastBody();
}

const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown) => ({ role: "assistant", content });

describe("turns out of the ordinary", () => {
  it("case 32: neighbouring turns of the user stay at their own format, and nothing of them is lost elsewhere", async () => {
    const messages = [user("one"), user("two")];
    expect((await received("messages", "messages", { messages }))["messages"]).toEqual(messages);
    expect((await received("chat", "chat", { messages }))["messages"]).toEqual(messages);
    const merged = (await received("chat", "messages", { messages }))["messages"];
    expect(JSON.stringify(merged)).toMatch(/one.*two/);
  });

  it.each(["chat", "messages"] as const)(
    "case 32: no content in a turn of %s is refused by its place at a Messages upstream",
    async (format) => {
      const before = cases().upstream.received.length;
      const answer = await cases().post(format, { model: MODEL.messages, messages: [user([])] });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain("messages[0].content");
      expect(cases().upstream.received).toHaveLength(before);
    },
  );

  it("case 32: no content in a turn of Chat reaches a Chat upstream as it is", async () => {
    expect((await received("chat", "chat", { messages: [user([])] }))["messages"]).toEqual([user([])]);
  });

  it.each(UPSTREAM_KINDS)("case 32: content null beside calls reaches a %s upstream", async (kind) => {
    const messages = [
      user("x"),
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c", content: "y" },
    ];
    const body = await received("chat", kind, { messages });
    if (kind === "chat") expect(body["messages"]).toEqual(messages);
    if (kind === "messages") {
      expect(body["messages"]).toEqual([
        user("x"),
        assistant([{ type: "tool_use", id: "c", name: "f", input: {} }]),
        user([{ type: "tool_result", tool_use_id: "c", content: "y" }]),
      ]);
    }
    if (kind === "responses") {
      expect(body["input"]).toMatchObject([
        { role: "user" },
        { type: "function_call" },
        { type: "function_call_output" },
      ]);
    }
  });

  it.each(UPSTREAM_KINDS)("case 32: the assistant's beginning comes last at a %s upstream", async (kind) => {
    const body = await received("messages", kind, { messages: [user("x"), assistant("It is")] });
    const list = (body["messages"] ?? body["input"]) as { role: string; content: unknown }[];
    expect(list.at(-1)?.role).toBe("assistant");
    expect(JSON.stringify(list.at(-1)?.content)).toContain("It is");
  });

  it.each(UPSTREAM_KINDS)("case 32: a refusal in the assistant's history reaches a %s upstream", async (kind) => {
    const messages = [user("x"), assistant([{ type: "refusal", refusal: "I will not." }]), user("y")];
    const body = await received("chat", kind, { messages });
    expect(JSON.stringify(body)).toContain("I will not.");
    if (kind === "responses") expect(JSON.stringify(body)).toContain('"type":"refusal"');
  });
});

describe("what the system says", () => {
  it("case 33: as a string and as blocks is the same", async () => {
    const messages = [user("x")];
    for (const kind of UPSTREAM_KINDS) {
      const one = await received("messages", kind, { system: "Be brief.", messages });
      expect(await received("messages", kind, { system: [{ type: "text", text: "Be brief." }], messages })).toEqual(
        one,
      );
      expect(JSON.stringify(one)).toContain("Be brief.");
    }
  });

  it("case 33: a developer who speaks after the user stays there, in the role that a Chat server takes", async () => {
    const messages = [user("x"), { role: "developer", content: "Be brief." }];
    const sent = (await received("chat", "chat", { messages }))["messages"];
    expect(sent).toEqual([user("x"), { role: "system", content: "Be brief." }]);
    const items = (await received("chat", "responses", { messages }))["input"] as { role: string }[];
    expect(items.map(({ role }) => role)).toEqual(["user", "developer"]);
    const turns = (await received("chat", "messages", { messages }))["messages"] as { role: string }[];
    expect(turns.map(({ role }) => role)).toEqual(["user", "system"]);
  });

  it("case 33: as the first message of Messages is a 400 that says where it belongs", async () => {
    const answer = await cases().post("messages", { messages: [{ role: "system", content: "a" }, user("x")] });
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({
      type: "error",
      error: { type: "invalid_request_error", message: expect.stringContaining("messages[0].role") },
    });
  });
});
