import { describe, expect, it } from "vitest";
import { type ContentBlock, Dialect, Role } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { ServerFacts } from "../../../../src/catalog/facts.ts";
import { findServerFacts } from "../../../../src/catalog/server-facts.ts";
import { decodeRequest } from "../../../../src/formats/chat/request/decode-request.ts";
import { encodeRequest } from "../../../../src/formats/chat/request/encode-request.ts";
import type { JsonObject } from "../../../../src/formats/shared/json.ts";
import { createHubInput, type HubInit } from "../../../../src/hub/input.ts";
import { stubModel } from "../../../support/stub-upstream.ts";

type Part = NonNullable<NonNullable<NonNullable<HubInit["messages"]>[number]>["content"]>[number];

/** Encodes for a server with a profile; a request from another format, all of whose reasoning the server made. */
function encode(init: HubInit, profile: Partial<ServerFacts>) {
  const input = createHubInput({ dialect: Dialect.RESPONSES, ...init });
  const ownReasoning = new Set<ContentBlock>(input.messages.flatMap(({ content }) => content));
  const deployment = { upstream: "u", model: "up" };
  const target = {
    model: stubModel,
    deployment,
    streamed: true,
    inferenceId: "i",
    projectId: "p",
    ownReasoning,
    profile,
  };
  const { body, losses } = encodeRequest(input, target);
  return { body: JSON.parse(JSON.stringify(body)) as JsonObject, losses };
}

/** The same of what a Chat caller sends. */
function encodeChat(body: JsonObject, profile: Partial<ServerFacts>) {
  return encode({ ...decodeRequest({ model: "m", ...body }).input, dialect: Dialect.CHAT }, profile);
}

const text = (value: string): Part => ({ kind: { case: "text", value: { text: value } } });
const thinking = (value: string): Part => ({ kind: { case: "thinking", value: { text: value } } });
const call: Part = { kind: { case: "toolUse", value: { id: "c", name: "f", arguments: "{}" } } };
const said = (role: Role, ...content: Part[]) => ({ role, content });
const { SYSTEM, DEVELOPER, USER, ASSISTANT } = Role;
const asked = { messages: [said(USER, text("q"))] };

describe("instructionRole", () => {
  const messages = [said(DEVELOPER, text("d")), said(SYSTEM, text("s")), said(USER, text("q"))];
  it.each([
    ["as-called", ["system", "developer", "system", "user"]],
    ["system", ["system", "system", "system", "user"]],
    ["developer", ["developer", "developer", "developer", "user"]],
  ] as const)("%s", (instructionRole, roles) => {
    const { body, losses } = encode({ system: [text("i")], messages }, { instructionRole });
    expect(body["messages"]).toMatchObject(roles.map((role) => ({ role })));
    expect(losses).toEqual([]);
  });

  it("is that of Chat callers' messages too", () => {
    const messages = [{ role: "developer", content: "d" }];
    expect(encodeChat({ messages }, { instructionRole: "system" }).body["messages"]).toEqual([
      { role: "system", content: "d" },
    ]);
  });
});

describe("limitMember", () => {
  const chat = { messages: [{ role: "user", content: "q" }] };
  it.each([
    ["max_tokens", { max_completion_tokens: 5 }, { max_tokens: 5 }],
    ["max_tokens", { max_completion_tokens: 5, max_tokens: 7 }, { max_tokens: 5 }],
    ["max_completion_tokens", { max_tokens: 5 }, { max_completion_tokens: 5 }],
    ["as-called", { max_tokens: 5 }, { max_tokens: 5 }],
  ] as const)("%s of %j", (limitMember, limits, sent) => {
    const { body, losses } = encodeChat({ ...chat, ...limits }, { limitMember });
    const { max_tokens, max_completion_tokens } = body;
    expect({ max_tokens, max_completion_tokens }).toEqual({
      max_tokens: undefined,
      max_completion_tokens: undefined,
      ...sent,
    });
    expect(losses).toEqual([]);
  });

  it("is max_tokens for callers of other formats where nothing is known", () => {
    const { body } = encode({ ...asked, maxOutputTokens: 5 }, {});
    expect(body).toMatchObject({ max_tokens: 5 });
    expect(body).not.toHaveProperty("max_completion_tokens");
  });
});

describe("content", () => {
  it("is one text where a message has several", () => {
    const messages = [said(USER, text("a"), text("b")), said(ASSISTANT, text("c"), text("d"))];
    const { body } = encode({ system: [text("i"), text("j")], messages }, { content: "text" });
    expect(body["messages"]).toMatchObject([{ content: "i\n\nj" }, { content: "a\n\nb" }, { content: "c\n\nd" }]);
  });

  it("stays a list beside pictures, and where a part holds more than text", () => {
    const url = "https://h/a.png";
    const picture: Part = { kind: { case: "image", value: { source: { case: "url", value: url } } } };
    const { body } = encode({ messages: [said(USER, text("a"), picture)] }, { content: "text" });
    const parts = [
      { type: "text", text: "a" },
      { type: "image_url", image_url: { url } },
    ];
    expect(body["messages"]).toEqual([{ role: "user", content: parts }]);
    const more = [{ role: "user", content: [{ type: "text", text: "a", x: 1 }] }];
    expect(encodeChat({ messages: more }, { content: "text" }).body["messages"]).toEqual(more);
  });

  it("has no place for cache marks, which are lost by name", () => {
    const marked = { type: "text", text: "a", prompt_cache_breakpoint: { mode: "explicit" } };
    const { body, losses } = encodeChat({ messages: [{ role: "user", content: [marked] }] }, { content: "text" });
    expect(body["messages"]).toEqual([{ role: "user", content: "a" }]);
    expect(losses).toEqual(["messages[0].content[0].cache_mark"]);
  });
});

describe("lateInstructions", () => {
  const messages = [
    said(DEVELOPER, text("d")),
    ...[said(USER, text("q")), said(ASSISTANT, text("a")), said(SYSTEM, text("s")), said(DEVELOPER, text("t"))],
    ...[said(USER, text("r")), said(ASSISTANT, text("b")), said(USER, text("u"))],
  ];

  it("join those that come first, and have the user say the others in their order", () => {
    const { body, losses } = encode({ system: [text("i")], messages }, { lateInstructions: "user" });
    expect(body["messages"]).toEqual([
      { role: "system", content: "i\n\nd" },
      { role: "user", content: "q" },
      { role: "assistant", content: "a" },
      { role: "user", content: "s\n\nt\n\nr" },
      { role: "assistant", content: "b" },
      { role: "user", content: "u" },
    ]);
    expect(losses).toEqual(["messages[3].role", "messages[4].role"]);
  });

  it("keep their place where the server takes them there", () => {
    const { body, losses } = encode({ messages }, {});
    expect(body["messages"]).toHaveLength(messages.length);
    expect(losses).toEqual([]);
  });

  it("leaves messages of the user alone that no instructions are among", () => {
    const messages = ["a", "b"].map((content) => ({ role: "user", content }));
    expect(encodeChat({ messages }, { lateInstructions: "user" }).body["messages"]).toEqual(messages);
  });
});

describe("reasoning", () => {
  const turn = { messages: [said(USER, text("q")), said(ASSISTANT, thinking("t"), text("a"), call)] };
  it.each([
    ["reasoning_content", { content: "a", reasoning_content: "t" }],
    ["reasoning", { content: "a", reasoning: "t" }],
    [
      "content",
      {
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "t" }] },
          { type: "text", text: "a" },
        ],
      },
    ],
  ] as const)("goes back in %s", (reasoningMember, expected) => {
    const { body } = encodeChat(
      {
        messages: [
          { role: "user", content: "q" },
          { role: "assistant", content: "a", reasoning_content: "t" },
        ],
      },
      { reasoningMember },
    );
    expect(body["messages"]).toEqual([
      { role: "user", content: "q" },
      { role: "assistant", ...expected },
    ]);
  });

  it("goes back in reasoning_details alone", () => {
    const { body } = encode(turn, { reasoningMember: "reasoning_details" });
    const { reasoning_content, reasoning, reasoning_details } = (body["messages"] as JsonObject[])[1] ?? {};
    expect([reasoning_content, reasoning]).toEqual([undefined, undefined]);
    expect(reasoning_details).toMatchObject([{ type: "reasoning.text", text: "t" }]);
  });

  it("goes back in thinking_blocks where it is sealed, beside its text", () => {
    const details = [
      { type: "reasoning.text", text: "t", signature: "s" },
      { type: "reasoning.encrypted", data: "r" },
    ];
    const messages = [
      { role: "user", content: "q" },
      { role: "assistant", content: "a", reasoning_content: "t", reasoning_details: details },
      { role: "assistant", content: "b", reasoning_content: "unsealed" },
    ];
    const asTurns = [messages[0], messages[1], { role: "user", content: "r" }, messages[2]];
    const { body } = encodeChat({ messages: asTurns }, { reasoningMember: "thinking_blocks" });
    const [, sealed, , unsealed] = body["messages"] as JsonObject[];
    expect(sealed).toEqual({
      role: "assistant",
      content: "a",
      reasoning_content: "t",
      thinking_blocks: [
        { type: "thinking", thinking: "t", signature: "s" },
        { type: "redacted_thinking", data: "r" },
      ],
    });
    expect(unsealed).toEqual({ role: "assistant", content: "b", reasoning_content: "unsealed" });
  });

  it("is left out and named where the server refuses it", () => {
    const { body, losses } = encode(turn, { reasoningHistory: "refused" });
    expect((body["messages"] as JsonObject[])[1]).not.toHaveProperty("reasoning_content");
    expect(losses).toEqual(["messages[1].content[0]"]);
  });

  it("is blank where a turn that calls tools came without, and has to have it", () => {
    const messages = [said(USER, text("q")), said(ASSISTANT, text("a")), said(USER, text("r")), said(ASSISTANT, call)];
    const { body } = encode({ messages }, { reasoningHistory: "required" });
    const [, spoken, , calling] = body["messages"] as JsonObject[];
    expect(spoken).not.toHaveProperty("reasoning_content");
    expect(calling).toMatchObject({ reasoning_content: " " });
  });
});

describe("ids of calls", () => {
  const called = (id: string) => ({
    messages: [
      { role: "user", content: "q" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id, type: "function", function: { name: "f", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: id, content: "r" },
    ],
  });

  it.each([
    ["D681PevKs", "D681PevKs"],
    ["call_0fypS1hVX", "f0e50fae1"],
    ["toolu_01", "7a95b7039"],
  ])("are nine letters and digits where a server takes no other: %s", (id, sent) => {
    const { body } = encodeChat(called(id), { callIds: "alphanumeric9" });
    const [, calling, result] = body["messages"] as JsonObject[];
    expect(calling).toMatchObject({ tool_calls: [{ id: sent }] });
    expect(result).toMatchObject({ tool_call_id: sent });
  });

  it("stay as they are elsewhere", () => {
    expect(encodeChat(called("functions.f:0"), {}).body["messages"]).toMatchObject([
      {},
      { tool_calls: [{ id: "functions.f:0" }] },
      { tool_call_id: "functions.f:0" },
    ]);
  });
});

describe("members of the request", () => {
  const tools = [{ kind: { case: "function" as const, value: { name: "f" } } }];
  it.each([
    [true, []],
    [false, ["parallel_tool_calls"]],
  ])("parallel_tool_calls: %s is left out where it is not taken, and lost if it says something", (value, losses) => {
    const parallelToolCalls = value;
    expect(encode({ ...asked, tools, parallelToolCalls }, {}).body).toMatchObject({ parallel_tool_calls: value });
    const sent = encode({ ...asked, tools, parallelToolCalls }, { parallelToolCalls: false });
    expect(sent.body).not.toHaveProperty("parallel_tool_calls");
    expect(sent.losses).toEqual(losses);
  });

  it("sends empty members of a function to a server that demands them, and leaves what the caller has", () => {
    const parameters = { type: "object", properties: { city: { type: "string" } } };
    const described = { name: "g", description: "Says g.", parameters };
    const body = {
      messages: [{ role: "user", content: "q" }],
      tools: [
        { type: "function", function: { name: "f" } },
        { type: "function", function: described },
      ],
    };
    const functions = (profile: Partial<ServerFacts>) => {
      const { tools: sent } = encodeChat(body, profile).body as { tools: { function: object }[] };
      return sent.map((tool) => tool.function);
    };
    expect(functions({})).toEqual([{ name: "f" }, described]);
    expect(functions({ functionMembers: ["description"] })).toEqual([{ name: "f", description: "" }, described]);
    expect(functions({ functionMembers: ["description", "parameters"] })).toEqual([
      { name: "f", description: "", parameters: { type: "object", properties: {} } },
      described,
    ]);
  });

  describe("tool_choice of a server that takes words alone", () => {
    const fn = (name: string) => ({ type: "function", function: { name } });
    const offered = { messages: [{ role: "user", content: "q" }], tools: [fn("f"), fn("g"), { type: "x_tool" }] };
    const sent = (tool_choice: unknown, profile: Partial<ServerFacts>) => {
      const { body, losses } = encodeChat({ ...offered, tool_choice }, profile);
      return { tools: body["tools"], choice: body["tool_choice"], losses };
    };

    it("demands a named tool by offering it alone", () => {
      const named = fn("g");
      expect(sent(named, { toolChoices: "words" })).toEqual({ tools: [fn("g")], choice: "required", losses: [] });
      expect(sent(named, {})).toMatchObject({ tools: [{}, {}, {}], choice: named });
    });

    it("shortens the list to the tools that are allowed", () => {
      const tools = [{ type: "function", function: { name: "f" } }];
      const allowed = { type: "allowed_tools", allowed_tools: { mode: "auto", tools } };
      expect(sent(allowed, { toolChoices: "words" })).toMatchObject({ choice: "auto", losses: [] });
      expect(sent(allowed, { toolChoices: "words" }).tools).not.toContainEqual(fn("g"));
      expect(sent(allowed, {})).toMatchObject({ tools: [{}, {}, {}], choice: allowed });
    });

    it.each([
      ["auto", 3, "auto", []],
      ["none", 0, undefined, []],
      ["required", 3, "auto", ["tool_choice"]],
    ] as const)("leaves %s to a server that decides itself", (word, count, choice, losses) => {
      const { tools, ...told } = sent(word, { toolChoices: "auto" });
      expect([tools ?? []].flat()).toHaveLength(count);
      expect(told).toEqual({ choice, losses });
    });

    it("offers a named tool alone to a server that decides itself, and says that it is not demanded", () => {
      const expected = { tools: [fn("g")], choice: "auto", losses: ["tool_choice"] };
      expect(sent(fn("g"), { toolChoices: "auto" })).toEqual(expected);
    });

    it.each([
      ["auto", undefined],
      ["none", undefined],
      ["required", "required"],
    ])("sends %s without tools only if it demands a call", (tool_choice, choice) => {
      const bare = { messages: offered.messages, tools: [], tool_choice, parallel_tool_calls: true };
      const { body, losses } = encodeChat(bare, {});
      expect(body["tool_choice"]).toBe(choice);
      expect(losses).toEqual([]);
    });

    describe("of a server that takes fewer while a model thinks", () => {
      const SWITCHED = { thinkingSwitch: "thinking" } as const;
      const chosen = (tool_choice: unknown, profile: Partial<ServerFacts>, more = {}) => {
        const { body, losses } = encodeChat({ ...offered, tool_choice, ...more }, { ...SWITCHED, ...profile });
        const { thinking, tool_choice: choice, tools, reasoning_effort: effort } = body;
        return { thinking, choice, tools: [tools ?? []].flat().length, effort, losses };
      };
      const off = { type: "disabled" };
      const few = { thinkingChoices: "undemanded" } as const;
      const asked = { tools: 3, effort: undefined, losses: [] };

      it.each(["required", fn("g")])("switches thinking off for %j", (choice) => {
        expect(chosen(choice, few)).toEqual({ ...asked, thinking: off, choice });
        expect(chosen(choice, {})).toEqual({ ...asked, thinking: undefined, choice });
      });

      it("names an effort that a call was worth more than", () => {
        const lost = { ...asked, thinking: off, choice: "required", losses: ["reasoning.effort"] };
        expect(chosen("required", few, { reasoning_effort: "high" })).toEqual(lost);
        expect(chosen("required", few, { reasoning_effort: "none" })).toEqual({ ...lost, losses: [] });
      });

      it.each(["auto", "none"])("sends %s where only demands are refused", (choice) => {
        expect(chosen(choice, few)).toEqual({ ...asked, thinking: undefined, choice });
      });

      it("leaves out tools that must not be called where that cannot be said", () => {
        const sent = chosen("none", { thinkingChoices: "auto" });
        expect(sent).toEqual({ ...asked, thinking: undefined, choice: undefined, tools: 0 });
        const told = chosen("none", { thinkingChoices: "auto" }, { reasoning_effort: "none" });
        expect(told).toEqual({ ...asked, thinking: off, choice: "none" });
      });

      it("leaves the decision to a caller who uses the server's own words", () => {
        const thinking = { type: "enabled" };
        expect(chosen("required", few, { thinking })).toEqual({ ...asked, thinking, choice: "required" });
      });

      it("asks models as they are whose thinking has no switch", () => {
        const sent = chosen("required", { ...few, thinkingSwitch: "none" });
        expect(sent).toEqual({ ...asked, thinking: undefined, choice: "required" });
      });
    });

    it.each(["auto", "none", "required"])("says %s as it is", (word) => {
      expect(sent(word, { toolChoices: "words" })).toMatchObject({ tools: [{}, {}, {}], choice: word, losses: [] });
    });
  });

  it("stream_options are not sent to who refuses them, a caller's neither", () => {
    expect(encode(asked, {}).body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    const body = {
      stream: true,
      stream_options: { include_usage: true, include_obfuscation: true },
      messages: [{ role: "user", content: "q" }],
    };
    const sent = encodeChat(body, { streamOptions: false });
    expect(sent.body).not.toHaveProperty("stream_options");
    expect(sent.losses).toEqual(["extension.stream_options"]);
  });

  const schema = { name: "n", schema: { type: "object" } };
  it.each([
    ["json_schema", { type: "json_object" }],
    ["json_schema_only", { type: "json_schema", json_schema: { name: "response", schema: { type: "object" } } }],
    ["json_object", { type: "json_object" }],
  ] as const)("an object is asked for as the server takes it: %s", (responseFormats, expected) => {
    const response_format = { type: "json_object" };
    const sent = encodeChat({ messages: [{ role: "user", content: "q" }], response_format }, { responseFormats });
    expect(sent.body["response_format"]).toEqual(expected);
    expect(sent.losses).toEqual([]);
  });

  it.each([
    ["json_schema_only", { type: "json_schema", json_schema: schema }, []],
    ["json_schema", { type: "json_schema", json_schema: schema }, []],
    ["json_object", { type: "json_object" }, ["output_format.schema_json"]],
    ["none", undefined, ["output_format"]],
  ] as const)("response_format is what the server takes: %s", (responseFormats, expected, losses) => {
    const response_format = { type: "json_schema", json_schema: schema };
    const sent = encodeChat({ messages: [{ role: "user", content: "q" }], response_format }, { responseFormats });
    expect(sent.body["response_format"]).toEqual(expected);
    expect(sent.losses).toEqual(losses);
  });

  it("logprobs are named where the server refuses them", () => {
    const body = { messages: [{ role: "user", content: "q" }], logprobs: true, top_logprobs: 2, seed: 1 };
    expect(encodeChat(body, {}).body).toMatchObject({ logprobs: true, top_logprobs: 2 });
    const sent = encodeChat(body, { logprobs: false });
    expect(Object.keys(sent.body)).toEqual(["model", "messages", "stream", "stream_options", "seed"]);
    expect(sent.losses).toEqual(["logprobs", "top_logprobs"]);
  });
});

describe("built-in profiles", () => {
  it("have LM Studio asked for an object by a schema, and Together for no single calls", () => {
    const messages = [{ role: "user", content: "q" }];
    const object = { messages, response_format: { type: "json_object" } };
    expect(encodeChat(object, findServerFacts("lm-studio", "chat")).body["response_format"]).toMatchObject({
      type: "json_schema",
    });
    const tools = [{ type: "function", function: { name: "f" } }];
    const sent = encodeChat({ messages, tools, parallel_tool_calls: false }, findServerFacts("together", "chat"));
    expect(sent.body).not.toHaveProperty("parallel_tool_calls");
    expect(sent.losses).toEqual(["parallel_tool_calls"]);
  });
});
