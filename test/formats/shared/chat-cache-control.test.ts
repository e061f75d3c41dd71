import { describe, expect, it } from "vitest";
import { decodeRequest } from "../../../src/formats/chat/request/decode-request.ts";
import { encodeRequest as encodeChat } from "../../../src/formats/chat/request/encode-request.ts";
import { encodeRequest as encodeMessages } from "../../../src/formats/messages/request/encode-request.ts";
import type { JsonObject } from "../../../src/formats/shared/json.ts";
import { target } from "../messages/request/target.ts";
import { asSent } from "./as-sent.ts";

const MARK = { type: "ephemeral" };
const FIVE = { type: "ephemeral", ttl: "5m" };
const user = (more: object = {}) => ({ role: "user", content: [{ type: "text", text: "Hi", ...more }] });

function send(members: JsonObject, encode = encodeMessages) {
  const { input } = decodeRequest({ model: "m", messages: [user()], ...members });
  const { body, losses } = asSent(encode(input, target));
  return { body: JSON.parse(body) as JsonObject, losses };
}

describe("cache_control of Chat callers", () => {
  const call = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };
  const schema = { type: "object", properties: {} };

  it.each([
    ["a part", { messages: [user({ cache_control: FIVE })] }, "messages", [user({ cache_control: FIVE })]],
    [
      "a message",
      { messages: [{ role: "user", content: "Hi", cache_control: MARK }] },
      "messages",
      [user({ cache_control: MARK })],
    ],
    [
      "a function",
      { tools: [{ type: "function", function: { name: "f", parameters: schema, cache_control: FIVE } }] },
      "tools",
      [{ name: "f", input_schema: schema, cache_control: FIVE }],
    ],
    [
      "the request",
      { cache_control: { type: "ephemeral", ttl: "1h" } },
      "cache_control",
      { type: "ephemeral", ttl: "1h" },
    ],
    [
      "a result",
      {
        messages: [
          user(),
          { role: "assistant", content: null, tool_calls: [call] },
          { role: "tool", tool_call_id: "c", content: "r", cache_control: MARK },
        ],
      },
      "messages",
      [
        { role: "user", content: "Hi" },
        { role: "assistant", content: [{ type: "tool_use", id: "c", name: "f", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: "r", cache_control: MARK }] },
      ],
    ],
  ])("of %s goes to Messages, and to Chat as it came", (_what, members, name, expected) => {
    const { body, losses } = send(members);
    expect(body[name]).toEqual(expected);
    expect(losses).toEqual([]);
    const own = send(members, encodeChat);
    expect(own.body).toMatchObject(name === "messages" && "messages" in members ? {} : members);
    expect(JSON.stringify(own.body)).not.toContain("prompt_cache_breakpoint");
    expect(JSON.stringify(own.body).split('"cache_control"')).toHaveLength(2);
    expect(own.losses).toEqual([]);
  });

  it("names a type, a lifetime and members that are not known", () => {
    const marks = [{ type: "forever" }, { type: "ephemeral", ttl: "2d", scope: "all" }];
    const content = marks.map((cache_control) => ({ type: "text", text: "x", cache_control }));
    expect(send({ messages: [{ role: "user", content }] }).losses).toEqual([
      "messages[0].content[0].extension.cache_control",
      "messages[0].content[1].extension.cache_control.ttl",
      "messages[0].content[1].extension.cache_control.scope",
    ]);
  });

  it("leaves five minutes that were asked for, and shortens the hour behind them", () => {
    const content = [FIVE, { type: "ephemeral", ttl: "1h" }].map((cache_control) => ({
      type: "text",
      text: "x",
      cache_control,
    }));
    const { body, losses } = send({ messages: [{ role: "user", content }] });
    expect(body["messages"]).toEqual([
      { role: "user", content: [FIVE, MARK].map((cache_control) => ({ type: "text", text: "x", cache_control })) },
    ]);
    expect(losses).toEqual(["messages[0].content[1].cache_mark.ttl"]);
  });
});
