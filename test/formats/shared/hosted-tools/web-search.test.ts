import { describe, expect, it } from "vitest";
import { Dialect, ToolChoiceMode } from "../../../../gen/attune/content/v1/content_pb.ts";
import { openaiChatProtocol } from "../../../../src/formats/chat/protocol.ts";
import { anthropicMessagesProtocol } from "../../../../src/formats/messages/protocol.ts";
import { openaiResponsesProtocol } from "../../../../src/formats/responses/protocol.ts";
import type { UpstreamProtocol } from "../../../../src/formats/shared/protocol.ts";
import { createHubInput, type HubInit } from "../../../../src/hub/input.ts";
import { stubModel } from "../../../support/stub-upstream.ts";

const raw = (dialect: Dialect, json: object) => ({ dialect, json: JSON.stringify(json) });
const hosted = (dialect: Dialect, json: object) => ({ kind: { case: "opaque" as const, value: raw(dialect, json) } });
const fn = (name: string) => ({
  kind: { case: "function" as const, value: { name, parametersJson: '{"type":"object"}' } },
});
const said: HubInit["messages"] = [{ role: 3, content: [{ kind: { case: "text", value: { text: "News?" } } }] }];

function encode(protocol: UpstreamProtocol, init: HubInit, model = "real") {
  const input = createHubInput({ model: "m", messages: said, ...init });
  const { body, losses } = protocol.encodeRequest(input, {
    model: { ...stubModel, thinking: "adaptive" as const },
    deployment: { upstream: "up", model },
    streamed: false,
    inferenceId: "i",
    projectId: "p",
  });
  const { tools, tool_choice, thinking, max_tool_calls, web_search_options } = JSON.parse(JSON.stringify(body));
  return { tools, tool_choice, thinking, max_tool_calls, web_search_options, losses: [...losses] };
}

const OF_RESPONSES = { dialect: Dialect.RESPONSES, tools: [hosted(Dialect.RESPONSES, { type: "web_search" })] };
const OF_MESSAGES = {
  dialect: Dialect.MESSAGES,
  tools: [hosted(Dialect.MESSAGES, { type: "web_search_20260209", name: "web_search", max_uses: 2 })],
};
const ASKED = { type: "web_search_20250305", name: "web_search" };

describe("a web search that is demanded", () => {
  it("is a choice of the tool in Messages, beside which there is no thinking", () => {
    const toolChoice = { mode: ToolChoiceMode.OPAQUE, opaque: raw(Dialect.RESPONSES, { type: "web_search" }) };
    expect(encode(anthropicMessagesProtocol, { ...OF_RESPONSES, toolChoice, reasoning: { effort: 5 } })).toEqual({
      tools: [ASKED],
      tool_choice: { type: "tool", name: "web_search" },
      losses: ["reasoning.effort"],
    });
  });

  it("is a list of allowed tools in Responses", () => {
    const toolChoice = { mode: ToolChoiceMode.NAMED, name: "web_search" };
    expect(encode(openaiResponsesProtocol, { ...OF_MESSAGES, toolChoice })).toEqual({
      tools: [{ type: "web_search" }],
      max_tool_calls: 2,
      tool_choice: { type: "allowed_tools", mode: "required", tools: [{ type: "web_search" }] },
      losses: [],
    });
  });

  it("stays among the allowed ones", () => {
    const tools = [{ type: "web_search" }, { type: "function", name: "f" }];
    const opaque = raw(Dialect.RESPONSES, { type: "allowed_tools", mode: "auto", tools });
    const toolChoice = { mode: ToolChoiceMode.AUTO, allowedNames: ["f"], opaque };
    const offered = [...OF_RESPONSES.tools, fn("f"), fn("g")];
    const { tools: sent } = encode(anthropicMessagesProtocol, { ...OF_RESPONSES, tools: offered, toolChoice });
    expect(sent.map(({ name }: { name: string }) => name)).toEqual(["web_search", "f"]);
  });
});

describe("a web search towards Chat", () => {
  it("is asked of models that search, and of them alone", () => {
    const tools = [
      hosted(Dialect.RESPONSES, { type: "web_search", user_location: { type: "approximate", city: "Rome" } }),
      fn("f"),
    ];
    const asked = { ...OF_RESPONSES, tools };
    expect(encode(openaiChatProtocol, asked, "gpt-4o-search-preview")).toMatchObject({
      tools: [{ function: { name: "f" } }],
      web_search_options: { user_location: { type: "approximate", approximate: { city: "Rome" } } },
      losses: [],
    });
    const other = encode(openaiChatProtocol, asked, "gpt-4o");
    expect(other).toMatchObject({ tools: [{ function: { name: "f" } }], losses: ["tools[0]"] });
    expect(other.web_search_options).toBeUndefined();
  });
});

describe("the bound of a web search", () => {
  it("is that of all calls, where there is no other hosted tool", () => {
    const extension = raw(Dialect.RESPONSES, { max_tool_calls: 4, truncation: "auto" });
    expect(encode(anthropicMessagesProtocol, { ...OF_RESPONSES, extension })).toMatchObject({
      tools: [{ ...ASKED, max_uses: 4 }],
      losses: ["extension.truncation"],
    });
    const tools = [...OF_RESPONSES.tools, hosted(Dialect.RESPONSES, { type: "code_interpreter" })];
    expect(encode(anthropicMessagesProtocol, { ...OF_RESPONSES, tools, extension })).toMatchObject({
      tools: [ASKED],
      losses: ["tools[1]", "extension.max_tool_calls", "extension.truncation"],
    });
  });
});

describe("a hosted tool that the upstream does not have", () => {
  it.each([
    ["a search that is not to leave the cache", { type: "web_search", external_web_access: false }],
    ["a search of files", { type: "file_search", vector_store_ids: ["vs_1"] }],
    ["an interpreter", { type: "code_interpreter", container: { type: "auto" } }],
    ["a computer", { type: "computer_use_preview" }],
    ["a server of tools", { type: "mcp", server_label: "s" }],
  ])("is named where functions stand beside it, and refused alone or demanded: %s", (_name, tool) => {
    const tools = [hosted(Dialect.RESPONSES, tool)];
    const beside = { ...OF_RESPONSES, tools: [...tools, fn("f")] };
    expect(encode(anthropicMessagesProtocol, beside).losses).toEqual(["tools[0]"]);
    expect(encode(openaiChatProtocol, beside).losses).toEqual(["tools[0]"]);
    const alone = { ...OF_RESPONSES, tools };
    expect(() => encode(anthropicMessagesProtocol, alone)).toThrow(`tools[0]: no tool is left without '${tool.type}'`);
    expect(() => encode(openaiChatProtocol, alone)).toThrow(`tools[0]: no tool is left without '${tool.type}'`);
    const toolChoice = { mode: ToolChoiceMode.OPAQUE, opaque: raw(Dialect.RESPONSES, { type: tool.type }) };
    const demanded = { ...beside, toolChoice };
    expect(() => encode(anthropicMessagesProtocol, demanded)).toThrow(`tool_choice: requires a call of '${tool.type}'`);
    const forbidden = { ...alone, toolChoice: { mode: ToolChoiceMode.NONE } };
    expect(encode(anthropicMessagesProtocol, forbidden).losses).toEqual(["tools[0]"]);
  });

  it.each(["web_fetch_20250910", "code_execution_20250825", "computer_20250124"])("refuses %s alone", (type) => {
    const tools = [hosted(Dialect.MESSAGES, { type, name: "t" })];
    const asked = { dialect: Dialect.MESSAGES, tools };
    expect(() => encode(openaiResponsesProtocol, asked)).toThrow(`tools[0]: no tool is left without '${type}'`);
  });

  it("is a search beside a function of its name", () => {
    const tools = [...OF_RESPONSES.tools, fn("web_search")];
    expect(encode(anthropicMessagesProtocol, { ...OF_RESPONSES, tools })).toMatchObject({
      tools: [{ name: "web_search", input_schema: {} }],
      losses: ["tools[0]"],
    });
  });
});
