import { describe, expect, it } from "vitest";
import { MODEL } from "../../support/sdk-fixture.ts";
import { UPSTREAM_KINDS, type UpstreamKind } from "../../support/upstream-frames.ts";
import { SANDBOX, useHardCases } from "./hard-case.ts";
import { toolsIn } from "./tool-members.ts";

const cases = useHardCases();

const TWO_RESULTS = [
  { role: "user", content: "Weather in both?" },
  {
    role: "assistant",
    content: [
      { type: "tool_use", id: "toolu_1", name: "get_weather", input: { city: "Oslo" } },
      { type: "tool_use", id: "toolu_2", name: "get_weather", input: { city: "Rome" } },
    ],
  },
  {
    role: "user",
    content: [
      { type: "tool_result", tool_use_id: "toolu_2", content: "rain" },
      { type: "tool_result", tool_use_id: "toolu_1", content: "snow" },
      { type: "text", text: "And now?" },
    ],
  },
];

const PAIRED: Record<UpstreamKind, object> = {
  chat: {
    messages: [
      { role: "user", content: "Weather in both?" },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "toolu_1", type: "function", function: { name: "get_weather", arguments: '{"city":"Oslo"}' } },
          { id: "toolu_2", type: "function", function: { name: "get_weather", arguments: '{"city":"Rome"}' } },
        ],
      },
      { role: "tool", tool_call_id: "toolu_2", content: "rain" },
      { role: "tool", tool_call_id: "toolu_1", content: "snow" },
      { role: "user", content: "And now?" },
    ],
  },
  responses: {
    input: [
      { role: "user", content: "Weather in both?" },
      { type: "function_call", call_id: "toolu_1", name: "get_weather", arguments: '{"city":"Oslo"}' },
      { type: "function_call", call_id: "toolu_2", name: "get_weather", arguments: '{"city":"Rome"}' },
      { type: "function_call_output", call_id: "toolu_2", output: "rain" },
      { type: "function_call_output", call_id: "toolu_1", output: "snow" },
      { role: "user", content: "And now?" },
    ],
  },
  messages: { messages: TWO_RESULTS },
};

describe("two parallel calls and one message with their results", () => {
  it.each(UPSTREAM_KINDS)("case 1: reach a %s upstream paired by id, results before the text", async (kind) => {
    cases().script(kind, "text");
    const tools = toolsIn("messages", "get_weather");
    const { status } = await cases().post("messages", { model: MODEL[kind], tools, messages: TWO_RESULTS });
    expect(status).toBe(200);
    expect(cases().lastBody()).toMatchObject(PAIRED[kind]);
  });

  it("case 1: are quoted by the sandbox", async () => {
    const tools = toolsIn("messages", "get_weather");
    const { status, text } = await cases().post("messages", { tools, messages: TWO_RESULTS });
    expect(status).toBe(200);
    expect(text).toContain("rain");
    expect(text).toContain("snow");
  });
});

describe("names and ids of calls", () => {
  const longName = "n".repeat(64);

  it("case 34: a call is paired by call_id, never by the item's id", async () => {
    const input = [
      { role: "user", content: "Weather?" },
      { type: "function_call", id: "call_b", call_id: "call_a", name: "f", arguments: "{}" },
      { type: "function_call", id: "call_a", call_id: "call_b", name: "g", arguments: "{}" },
      { type: "function_call_output", call_id: "call_b", output: "of g" },
      { type: "function_call_output", call_id: "call_a", output: "of f" },
    ];
    cases().script("messages", "text");
    const { status } = await cases().post("responses", { model: MODEL.messages, input });
    expect(status).toBe(200);
    expect(cases().lastBody()["messages"]).toEqual([
      { role: "user", content: "Weather?" },
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "call_a", name: "f", input: {} },
          { type: "tool_use", id: "call_b", name: "g", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "call_b", content: "of g" },
          { type: "tool_result", tool_use_id: "call_a", content: "of f" },
        ],
      },
    ]);
  });

  it.each([
    ["dots and unicode", "call.1/ü"],
    ["more than 64 characters", "c".repeat(80)],
  ])("case 34: an id of %s is mapped for Anthropic, alike in call and result", async (_what, id) => {
    const messages = [
      { role: "user", content: "Weather?" },
      { role: "assistant", tool_calls: [{ id, type: "function", function: { name: "f", arguments: "{}" } }] },
      { role: "tool", tool_call_id: id, content: "rain" },
    ];
    cases().script("messages", "text");
    expect((await cases().post("chat", { model: MODEL.messages, messages })).status).toBe(200);
    const sent = JSON.stringify(cases().lastBody());
    const [called, answered] = [/"id":"([^"]*)"/.exec(sent)?.[1], /"tool_use_id":"([^"]*)"/.exec(sent)?.[1]];
    expect(called).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(answered).toBe(called);
  });

  it("case 34: ids that differ only where they are mapped stay apart", async () => {
    const call = (id: string) => ({ id, type: "function", function: { name: "f", arguments: "{}" } });
    const messages = [
      { role: "user", content: "Weather?" },
      { role: "assistant", tool_calls: [call("call.1"), call("call/1")] },
      { role: "tool", tool_call_id: "call/1", content: "second" },
      { role: "tool", tool_call_id: "call.1", content: "first" },
    ];
    cases().script("messages", "text");
    await cases().post("chat", { model: MODEL.messages, messages });
    const [, turn, results] = cases().lastBody()["messages"] as { content: Record<string, unknown>[] }[];
    const [first, second] = (turn?.content ?? []).map(({ id }) => id);
    expect(first).not.toBe(second);
    expect(results?.content.map((block) => [block["tool_use_id"], block["content"]])).toEqual([
      [second, "second"],
      [first, "first"],
    ]);
  });

  it.each(UPSTREAM_KINDS)(
    "case 34: a tool's name of 64 characters reaches a %s upstream and comes back",
    async (kind) => {
      cases().says(kind, { calls: [{ id: "call_1", name: longName, pieces: ["{}"] }] });
      const answer = await cases().post("chat", { model: MODEL[kind], tools: toolsIn("chat", longName) });
      expect(answer.status).toBe(200);
      expect(JSON.stringify(cases().lastBody())).toContain(`"name":"${longName}"`);
      expect(answer.text).toContain(`"name":"${longName}"`);
    },
  );

  it.each(["get.weather", "wetter_für", "n".repeat(129)])(
    "case 34: a name that the upstream would refuse is another one there, and comes back as it was: %s",
    async (name) => {
      const tools = toolsIn("chat", name);
      cases().says("messages", { calls: [{ id: "call_1", name: "f", pieces: ["{}"] }] });
      await cases().post("chat", { model: MODEL.messages, tools });
      const [told] = (cases().lastBody() as unknown as { tools: { name: string }[] }).tools;
      expect(told?.name).toMatch(/^[a-zA-Z0-9_-]{1,128}$/);
      cases().says("messages", { calls: [{ id: "call_1", name: told?.name ?? "", pieces: ["{}"] }] });
      const { status, text } = await cases().post("chat", { model: MODEL.messages, tools });
      expect(status).toBe(200);
      expect(text).toContain(`"name":"${name}"`);
    },
  );
});

describe("results that hold more than a text", () => {
  const call = { type: "function_call", call_id: "call_1", name: "f", arguments: "{}" };
  const png = "iVBORw0KGgo=";
  const output = [
    { type: "input_text", text: "see" },
    { type: "input_image", image_url: `data:image/png;base64,${png}` },
  ];
  const input = [{ role: "user", content: "Look" }, call, { type: "function_call_output", call_id: "call_1", output }];

  it("case 35: parts of a function_call_output become blocks of a tool_result", async () => {
    cases().script("messages", "text");
    expect((await cases().post("responses", { model: MODEL.messages, input })).status).toBe(200);
    expect(cases().lastBody()["messages"]).toMatchObject([
      { role: "user" },
      { role: "assistant" },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "call_1",
            content: [
              { type: "text", text: "see" },
              { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
            ],
          },
        ],
      },
    ]);
  });

  it("case 35: the image of a result still reaches a Chat upstream, whose results are text", async () => {
    cases().script("chat", "text");
    expect((await cases().post("responses", { model: MODEL.chat, input })).status).toBe(200);
    const messages = cases().lastBody()["messages"] as { role: string; content: unknown }[];
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
    expect(messages[2]?.content).toContain("see");
    expect(JSON.stringify(messages[3])).toContain(`data:image/png;base64,${png}`);
  });

  const failed = [
    { role: "user", content: "Try" },
    { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "f", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", is_error: true, content: "disk full" }] },
  ];

  it("case 35: is_error is visible to the model of a Chat upstream", async () => {
    cases().script("chat", "text");
    await cases().post("messages", { model: MODEL.chat, messages: failed });
    const messages = cases().lastBody()["messages"] as { content: string }[];
    expect(messages[2]?.content).toMatch(/error.*disk full/is);
  });

  it("case 35: is_error is visible to the model of a Responses upstream", async () => {
    cases().script("responses", "text");
    await cases().post("messages", { model: MODEL.responses, messages: failed });
    const items = cases().lastBody()["input"] as { output?: string }[];
    expect(items[2]?.output).toMatch(/error.*disk full/is);
  });

  it("case 35: the sandbox quotes a result that failed", async () => {
    const { text } = await cases().post("messages", { model: SANDBOX, messages: failed });
    expect(text).toContain("disk full");
  });
});
