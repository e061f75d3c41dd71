import { describe, expect, it } from "vitest";
import { Dialect, Role } from "../../../../gen/attune/content/v1/content_pb.ts";
import { decodeRequest } from "../../../../src/formats/responses/request/decode-request.ts";
import { tellAgents } from "../../../../src/formats/shared/tool-forms/tell-agents.ts";
import type { ToolRules } from "../../../../src/formats/shared/tool-forms/tool-rules.ts";

const FUNCTIONS: ToolRules = { maxLength: 64, customTools: "none" };
const OWN: ToolRules = { maxLength: 64, ownDialect: Dialect.RESPONSES, customTools: "any" };

// As Codex 0.171.0 sends them for gpt-5.6-sol behind a model whose words no server seals.
const HEAD = "Message Type: NEW_TASK\nTask name: /root/look_around\nSender: /root\nPayload:\n";
const task = (encrypted_content: string) => ({
  type: "agent_message",
  id: "amsg_01a22cc9-56b8-70d3-aff1-677628267fb4",
  author: "/root",
  recipient: "/root/look_around",
  content: [
    { type: "input_text", text: HEAD },
    { type: "encrypted_content", encrypted_content },
  ],
});
const PLAIN = "List the files in src.";
const SEALED = `gAAAAABp${"Zm9v".repeat(30)}==`;

const ask = (...items: object[]) => decodeRequest({ model: "m", input: items }).input;
const user = { role: "user", content: "Hi" };

describe("tellAgents()", () => {
  it("has the user say what agents tell each other", () => {
    const rewritten = tellAgents(ask(user, task(PLAIN)), FUNCTIONS);
    expect(rewritten?.losses).toEqual([]);
    expect(rewritten?.input.messages).toMatchObject([
      { role: Role.USER },
      { role: Role.USER, content: [HEAD, PLAIN].map((text) => ({ kind: { case: "text", value: { text } } })) },
    ]);
  });

  it("loses what is sealed, and pictures, by name", () => {
    const picture = { type: "input_image", image_url: "data:image/png;base64,AA==" };
    const rewritten = tellAgents(ask(task(SEALED), { ...task(PLAIN), content: [picture] }), FUNCTIONS);
    expect(rewritten?.losses).toEqual(["messages[0].extension.content[1]", "messages[1].extension.content[0]"]);
    expect(rewritten?.input.messages.map(({ content }) => content.length)).toEqual([1, 0]);
  });

  it("gives the format's own upstreams words that nobody sealed as text", () => {
    const rewritten = tellAgents(ask(task(PLAIN)), OWN);
    const block = rewritten?.input.messages[0]?.content[0];
    const item = block?.kind.case === "opaque" ? JSON.parse(block.kind.value.json) : undefined;
    expect(item).toEqual({ ...task(PLAIN), content: [HEAD, PLAIN].map((text) => ({ type: "input_text", text })) });
  });

  it("leaves what is sealed to the format's own upstreams, and other items as they are", () => {
    expect(tellAgents(ask(task(SEALED)), OWN)).toBeUndefined();
    expect(tellAgents(ask(user, { type: "future_message", content: [] }), FUNCTIONS)).toBeUndefined();
  });
});
