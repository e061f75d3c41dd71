import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  CacheTtl,
  Dialect,
  RawJsonSchema,
  ReasoningEffort,
  Role,
  ThinkingMode,
  ToolChoiceMode,
  ToolKind,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { findServerFacts } from "../../../../src/catalog/server-facts.ts";
import { encodeRequest } from "../../../../src/formats/responses/request/encode-request.ts";
import { createHubInput, type HubInit } from "../../../../src/hub/input.ts";
import type { UpstreamTarget } from "../../../../src/hub/upstream.ts";
import { asSent } from "../../shared/as-sent.ts";

const target: UpstreamTarget = {
  model: {
    name: "m",
    displayName: "M",
    family: "responses",
    purpose: "",
    contextWindow: 1000,
    maxOutputTokens: 100,
    minCacheableTokens: 0,
    createdAt: new Date(0),
    deployments: [],
  },
  deployment: { upstream: "openai", model: "gpt-x" },
  streamed: true,
  inferenceId: "0199c0de-0000-7000-8000-00000000abcd",
  projectId: "p",
};

function encode(init: HubInit): { body: Record<string, unknown>; losses: readonly string[] } {
  const { body, losses } = asSent(encodeRequest(createHubInput({ model: "attune/m", ...init }), target));
  return { body: JSON.parse(body), losses };
}

function raw(dialect: Dialect, object: unknown) {
  return create(RawJsonSchema, { dialect, json: JSON.stringify(object) });
}

type MessageInit = NonNullable<HubInit["messages"]>[number];

function textBlock(text: string) {
  return { kind: { case: "text", value: { text } } } as const;
}

const user: MessageInit = { role: Role.USER, content: [textBlock("Hello")] };

function itemsOf(message: MessageInit, dialect: Dialect = Dialect.MESSAGES) {
  const { body, losses } = encode({ dialect, messages: [message] });
  return { items: body.input, losses };
}

describe("encodeRequest()", () => {
  it("encodes a request of the Chat format", () => {
    const { body, losses } = encode({
      dialect: Dialect.CHAT,
      messages: [
        { role: Role.SYSTEM, content: [textBlock("Be brief.")] },
        {
          role: Role.USER,
          name: "ann",
          content: [
            { ...textBlock("See:"), cacheMark: { ttl: CacheTtl.CACHE_TTL_30M } },
            { kind: { case: "image", value: { source: { case: "url", value: "https://a/b.png" }, detail: "low" } } },
          ],
        },
        {
          role: Role.ASSISTANT,
          content: [
            { kind: { case: "thinking", value: { text: "Hm" } } },
            textBlock("Looking."),
            { kind: { case: "toolUse", value: { id: "call_1", name: "f", arguments: '{"n": 1}' } } },
            { kind: { case: "toolUse", value: { id: "call_2", name: "g", arguments: "" } } },
          ],
        },
        {
          role: Role.TOOL,
          content: [{ kind: { case: "toolResult", value: { toolUseId: "call_1", content: [textBlock("21 C")] } } }],
        },
      ],
      tools: [
        { kind: { case: "function", value: { name: "f", parametersJson: '{"type":"object","x":1}' } } },
        { kind: { case: "function", value: { name: "g", description: "G", strict: true } } },
        {
          kind: {
            case: "custom",
            value: { name: "h", formatJson: '{"type":"grammar","grammar":{"syntax":"lark","definition":"a"}}' },
          },
        },
      ],
      toolChoice: {
        mode: ToolChoiceMode.AUTO,
        allowedNames: ["f", "h"],
        opaque: raw(Dialect.CHAT, { type: "allowed_tools" }),
      },
      parallelToolCalls: true,
      maxOutputTokens: 8,
      temperature: 0.5,
      topP: 0.9,
      stopSequences: ["END"],
      reasoning: { effort: ReasoningEffort.LOW },
      outputFormat: {
        kind: {
          case: "jsonSchema",
          value: { name: "n", schemaJson: '{"type":"object","additionalProperties":false}', strict: true },
        },
      },
      verbosity: "high",
      endUserId: "user-1",
      metadata: { a: "1" },
      promptCacheKey: "key",
      extension: raw(Dialect.CHAT, {
        max_tokens: 8,
        service_tier: "flex",
        seed: 7,
        store: false,
        logprobs: true,
        logit_bias: null,
      }),
    });
    expect(body).toEqual({
      model: "gpt-x",
      input: [
        { type: "message", role: "system", content: "Be brief." },
        {
          type: "message",
          role: "user",
          content: [
            { type: "input_text", text: "See:", prompt_cache_breakpoint: { mode: "explicit", ttl: "30m" } },
            { type: "input_image", detail: "low", image_url: "https://a/b.png" },
          ],
        },
        {
          type: "message",
          role: "assistant",
          content: [{ type: "output_text", text: "Looking.", annotations: [] }],
        },
        { type: "function_call", call_id: "call_1", name: "f", arguments: '{"n": 1}' },
        { type: "function_call", call_id: "call_2", name: "g", arguments: "{}" },
        { type: "function_call_output", call_id: "call_1", output: "21 C" },
      ],
      tools: [
        { type: "function", name: "f", parameters: { type: "object", properties: {}, x: 1 }, strict: false },
        {
          type: "function",
          name: "g",
          description: "G",
          parameters: { type: "object", properties: {}, additionalProperties: false },
          strict: true,
        },
        { type: "custom", name: "h", format: { type: "grammar", syntax: "lark", definition: "a" } },
      ],
      tool_choice: {
        type: "allowed_tools",
        mode: "auto",
        tools: [
          { type: "function", name: "f" },
          { type: "custom", name: "h" },
        ],
      },
      parallel_tool_calls: true,
      max_output_tokens: 8,
      temperature: 0.5,
      top_p: 0.9,
      metadata: { a: "1" },
      safety_identifier: "user-1",
      prompt_cache_key: "key",
      reasoning: { effort: "low" },
      text: {
        format: {
          type: "json_schema",
          name: "n",
          schema: { type: "object", additionalProperties: false },
          strict: true,
        },
        verbosity: "high",
      },
      stream: true,
      store: false,
      include: ["reasoning.encrypted_content"],
      service_tier: "flex",
    });
    expect(losses).toEqual([
      "messages[1].name",
      "messages[2].content[0]",
      "stop_sequences",
      "extension.seed",
      "extension.logprobs",
    ]);
  });

  it("encodes a request of the Messages format", () => {
    const { body, losses } = encode({
      dialect: Dialect.MESSAGES,
      system: [textBlock("One."), { ...textBlock("Two."), cacheMark: { ttl: CacheTtl.CACHE_TTL_1H } }],
      messages: [
        user,
        {
          role: Role.ASSISTANT,
          content: [
            { kind: { case: "thinking", value: { summary: ["Hm"], opaque: "gAAA==", id: "rs_1" } } },
            { kind: { case: "redactedThinking", value: { data: "EqQB" } } },
            { kind: { case: "toolUse", value: { id: "toolu_1", name: "f", arguments: "{}" } } },
            { kind: { case: "toolUse", value: { id: "toolu_2", name: "f", arguments: "{}" } } },
          ],
        },
        {
          role: Role.USER,
          content: [
            {
              kind: { case: "toolResult", value: { toolUseId: "toolu_1", content: [textBlock("no")], isError: true } },
            },
            {
              kind: {
                case: "toolResult",
                value: {
                  toolUseId: "toolu_2",
                  content: [
                    textBlock("See"),
                    {
                      kind: {
                        case: "image",
                        value: {
                          source: { case: "inline", value: { mediaType: "image/png", base64: "iVBORw0KGgo=" } },
                        },
                      },
                    },
                  ],
                },
              },
              cacheMark: {},
            },
            textBlock("Go on."),
          ],
        },
        { role: Role.SYSTEM, content: [textBlock("Hurry.")] },
      ],
      tools: [{ kind: { case: "function", value: { name: "f", parametersJson: "{}" } }, cacheMark: {} }],
      toolChoice: { mode: ToolChoiceMode.NAMED, name: "f", kind: ToolKind.FUNCTION },
      maxOutputTokens: 1024,
      topK: 5,
      stopSequences: ["END"],
      reasoning: { mode: ThinkingMode.ENABLED, budgetTokens: 2048, display: "summarized" },
      endUserId: "u".repeat(129),
      automaticCacheMark: {},
      extension: raw(Dialect.MESSAGES, { container: "c", context_management: {} }),
    });
    expect(body).toEqual({
      model: "gpt-x",
      instructions: "One.\n\nTwo.",
      input: [
        { type: "message", role: "user", content: "Hello" },
        {
          type: "reasoning",
          id: "rs_1",
          summary: [{ type: "summary_text", text: "Hm" }],
          encrypted_content: "gAAA==",
        },
        { type: "reasoning", summary: [], encrypted_content: "EqQB" },
        { type: "function_call", call_id: "toolu_1", name: "f", arguments: "{}" },
        { type: "function_call", call_id: "toolu_2", name: "f", arguments: "{}" },
        { type: "function_call_output", call_id: "toolu_1", output: "Error: no" },
        {
          type: "function_call_output",
          call_id: "toolu_2",
          output: [
            { type: "input_text", text: "See" },
            { type: "input_image", detail: "auto", image_url: "data:image/png;base64,iVBORw0KGgo=" },
          ],
        },
        { type: "message", role: "user", content: "Go on." },
        { type: "message", role: "system", content: "Hurry." },
      ],
      tools: [{ type: "function", name: "f", parameters: {}, strict: false }],
      tool_choice: { type: "function", name: "f" },
      max_output_tokens: 1024,
      reasoning: { effort: "low", summary: "auto" },
      stream: true,
      store: false,
      include: ["reasoning.encrypted_content"],
    });
    expect(losses).toEqual([
      "system[1].cache_mark",
      "messages[2].content[1].cache_mark",
      "tools[0].cache_mark",
      "top_k",
      "stop_sequences",
      "end_user_id",
      "automatic_cache_mark",
      "extension.container",
    ]);
  });

  it("asks for encrypted reasoning only where reasoning is in play, which other models would refuse", () => {
    const includes = (init: HubInit) => encode({ dialect: Dialect.CHAT, messages: [user], ...init }).body.include;
    const thought: MessageInit = {
      role: Role.ASSISTANT,
      content: [{ kind: { case: "thinking", value: { opaque: "gAAA==" } } }],
    };
    expect(includes({})).toBeUndefined();
    expect(includes({ reasoning: { effort: ReasoningEffort.NONE } })).toBeUndefined();
    expect(includes({ reasoning: { mode: ThinkingMode.DISABLED } })).toBeUndefined();
    expect(includes({ reasoning: { effort: ReasoningEffort.MAX } })).toEqual(["reasoning.encrypted_content"]);
    expect(includes({ messages: [user, thought] })).toEqual(["reasoning.encrypted_content"]);
  });

  const reasonings: [reasoning: NonNullable<HubInit["reasoning"]>, encoded: unknown, losses: string[]][] = [
    [{ mode: ThinkingMode.ADAPTIVE, display: "omitted" }, undefined, []],
    [{ mode: ThinkingMode.ADAPTIVE, effort: ReasoningEffort.HIGH }, { effort: "high" }, []],
    [{ mode: ThinkingMode.DISABLED }, { effort: "none" }, []],
    [{ mode: ThinkingMode.DISABLED, effort: ReasoningEffort.LOW }, { effort: "none" }, ["reasoning.effort"]],
    [{ mode: ThinkingMode.BETWEEN_TOOLS }, undefined, ["reasoning.mode"]],
  ];

  it.each(reasonings)("encodes the reasoning %j", (reasoning, encoded, losses) => {
    const written = encode({ dialect: Dialect.MESSAGES, messages: [user], reasoning });
    expect(written.body.reasoning).toEqual(encoded);
    expect(written.losses).toEqual(losses);
  });

  const inline = { mediaType: "application/pdf", base64: "JVBERi0=" };
  const documents: [name: string, document: unknown, parts: unknown[], losses: string[]][] = [
    [
      "bytes without a name",
      { source: { case: "inline", value: inline } },
      [{ type: "input_file", file_data: "data:application/pdf;base64,JVBERi0=", filename: "document.pdf" }],
      [],
    ],
    [
      "bytes with a title",
      { source: { case: "inline", value: inline }, title: "Report.pdf", context: "Draft" },
      [{ type: "input_file", file_data: "data:application/pdf;base64,JVBERi0=", filename: "Report.pdf" }],
      ["messages[0].content[0].context"],
    ],
    [
      "text",
      { source: { case: "text", value: "Hé" } },
      [{ type: "input_file", file_data: "data:text/plain;base64,SMOp", filename: "document.txt" }],
      [],
    ],
    [
      "an address",
      { source: { case: "url", value: "https://a/b.pdf" } },
      [{ type: "input_file", file_url: "https://a/b.pdf" }],
      [],
    ],
    [
      "an address with a title, for which there is no place beside it",
      { source: { case: "url", value: "https://a/b.pdf" }, title: "T" },
      [{ type: "input_file", file_url: "https://a/b.pdf" }],
      ["messages[0].content[0].title"],
    ],
    [
      "blocks",
      { source: { case: "content", value: { blocks: [textBlock("One"), textBlock("Two")] } }, title: "T" },
      [
        { type: "input_text", text: "One" },
        { type: "input_text", text: "Two" },
      ],
      ["messages[0].content[0].title"],
    ],
  ];

  it.each(documents)("encodes a document of %s", (_name, document, parts, losses) => {
    const content = [{ kind: { case: "document", value: document } }] as MessageInit["content"];
    expect(itemsOf({ role: Role.USER, content })).toEqual({
      items: [{ type: "message", role: "user", content: parts }],
      losses,
    });
  });

  it("names blocks of other formats that have no place here, and leaves out what is empty without them", () => {
    const opaque = { kind: { case: "opaque", value: raw(Dialect.MESSAGES, { type: "search_result" }) } } as const;
    const only: MessageInit = { role: Role.USER, content: [opaque] };
    const { body, losses } = encode({ dialect: Dialect.MESSAGES, messages: [only, user] });
    expect(body.input).toEqual([{ type: "message", role: "user", content: "Hello" }]);
    expect(losses).toEqual(["messages[0].content[0]"]);
    expect(() => itemsOf(only)).toThrow("messages: must have a message of a role and a type of content");
  });

  it("names thinking that nobody else can go on with", () => {
    const thinking = { kind: { case: "thinking" as const, value: { summary: ["Hm"] } } };
    expect(itemsOf({ role: Role.ASSISTANT, content: [thinking, textBlock("Hi")] })).toEqual({
      items: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Hi", annotations: [] }] }],
      losses: ["messages[0].content[0]"],
    });
  });

  it.each([
    ["fireworks", ["system", "system", "user"]],
    ["openai", ["system", "developer", "user"]],
    ["unknown", ["system", "developer", "user"]],
  ] as const)("gives instructions the role that the server takes: %s", (server, roles) => {
    const said = [Role.SYSTEM, Role.DEVELOPER].map((role) => ({ role, content: [textBlock("Be kind")] }));
    const input = createHubInput({ model: "attune/m", messages: [...said, user] });
    const { body, losses } = asSent(encodeRequest(input, { ...target, profile: findServerFacts(server, "responses") }));
    expect((JSON.parse(body).input as { role: string }[]).map(({ role }) => role)).toEqual(roles);
    expect(losses).toEqual([]);
  });

  it.each([
    ["unknown", { reasoning: { effort: "none" } }, []],
    ["dashscope", { enable_thinking: false }, []],
    ["volcengine", { thinking: { type: "disabled" } }, []],
    // Nobody knows a switch on this route of theirs.
    ["deepseek", { reasoning: { effort: "low" } }, ["reasoning.effort"]],
    ["moonshot", { reasoning: { effort: "low" } }, ["reasoning.effort"]],
    ["sglang", { reasoning: { effort: "low" } }, ["reasoning.effort"]],
    ["siliconflow", { reasoning: { effort: "high" } }, ["reasoning.effort"]],
    ["glm", {}, ["reasoning.effort"]],
    ["minimax", {}, ["reasoning.effort"]],
    ["mlx-lm", {}, ["reasoning.effort"]],
  ] as const)("switches thinking off as the server takes it: %s", (server, sent, lost) => {
    const reasoning = { effort: ReasoningEffort.NONE };
    const input = createHubInput({ model: "attune/m", messages: [user], reasoning, dialect: Dialect.CHAT });
    const { body, losses } = asSent(encodeRequest(input, { ...target, profile: findServerFacts(server, "responses") }));
    const { model: _model, input: _input, stream: _stream, store: _store, ...rest } = JSON.parse(body);
    expect(rest).toEqual(sent);
    expect(losses).toEqual(lost);
  });

  it("marks a failed tool whose output is parts, or nothing", () => {
    const result = (content: unknown[]): MessageInit =>
      ({
        role: Role.USER,
        content: [{ kind: { case: "toolResult", value: { toolUseId: "c", content, isError: true } } }],
      }) as MessageInit;
    const image = { kind: { case: "image", value: { source: { case: "url", value: "https://a" } } } };
    expect(itemsOf(result([image])).items).toEqual([
      {
        type: "function_call_output",
        call_id: "c",
        output: [
          { type: "input_text", text: "Error: " },
          { type: "input_image", detail: "auto", image_url: "https://a" },
        ],
      },
    ]);
    expect(itemsOf(result([])).items).toEqual([{ type: "function_call_output", call_id: "c", output: "Error: " }]);
  });

  it("shortens a long call id so that call and result still meet", () => {
    const id = `call_${"x".repeat(80)}`;
    const { body } = encode({
      dialect: Dialect.CHAT,
      messages: [
        { role: Role.ASSISTANT, content: [{ kind: { case: "toolUse", value: { id, name: "f", arguments: "{}" } } }] },
        { role: Role.TOOL, content: [{ kind: { case: "toolResult", value: { toolUseId: id } } }] },
      ],
    });
    const [call, result] = body.input as { call_id: string }[];
    expect(call?.call_id).toMatch(/^call_x{46}_[0-9a-f]{12}$/);
    expect(result?.call_id).toBe(call?.call_id);
  });

  it("refuses sound, which the format cannot carry", () => {
    const audio = { kind: { case: "audio" as const, value: { base64: "UklGRg==", format: "wav" } } };
    expect(() => itemsOf({ role: Role.USER, content: [audio] }, Dialect.CHAT)).toThrow(
      /^messages\[0\]\.content\[0\]: sound cannot be sent/,
    );
  });

  it("carries a file of the Chat format by its id, without the name that has no place beside it", () => {
    const value = { source: { case: "fileId" as const, value: "file-1" }, title: "a.pdf" };
    expect(itemsOf({ role: Role.USER, content: [{ kind: { case: "document", value } }] }, Dialect.CHAT)).toEqual({
      items: [{ type: "message", role: "user", content: [{ type: "input_file", file_id: "file-1" }] }],
      losses: ["messages[0].content[0].title"],
    });
  });

  it.each(["document", "image"] as const)("refuses a file of another service as %s", (kind) => {
    const block = { kind: { case: kind, value: { source: { case: "fileId" as const, value: "file_1" } } } };
    expect(() => itemsOf({ role: Role.USER, content: [block] })).toThrow(
      "messages[0].content[0]: the file 'file_1' is stored by another service than this model's; send its bytes",
    );
  });

  it("refuses JSON of an RPC caller that is no object", () => {
    const tool = { kind: { case: "function" as const, value: { name: "f", parametersJson: "{" } } };
    expect(() => encode({ messages: [user], tools: [tool] })).toThrow(
      "tools[0].parameters_json: must be the text of a JSON object",
    );
  });

  it("says that a strict tool is not, to which OpenAI cannot hold a model", () => {
    const tool = (parametersJson: string) => ({
      kind: { case: "function" as const, value: { name: "f", parametersJson, strict: true } },
    });
    const json = '{"type":"object","properties":{"a":{"type":"string"}}}';
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const { body, losses } = encode({ dialect: Dialect.MESSAGES, messages: [user], tools: [tool(json)] });
    expect(body["tools"]).toEqual([{ type: "function", name: "f", parameters: schema, strict: false }]);
    expect(losses).toEqual(["tools[0].strict"]);
    const own = encode({ dialect: Dialect.RESPONSES, messages: [user], tools: [tool(json)] });
    expect(JSON.parse(JSON.stringify(own.body["tools"]))).toEqual([
      { type: "function", name: "f", parameters: schema, strict: true },
    ]);
    expect(own.losses).toEqual([]);
  });

  it("sends empty members of a function to a server that demands them", () => {
    const tools = [{ kind: { case: "function" as const, value: { name: "f" } } }];
    const input = createHubInput({ dialect: Dialect.RESPONSES, model: "attune/m", messages: [user], tools });
    const profile = { functionMembers: ["description", "parameters"] as const };
    expect(encodeRequest(input, { ...target, profile }).body).toMatchObject({
      tools: [{ type: "function", name: "f", description: "", parameters: { type: "object", properties: {} } }],
    });
    const [sent] = JSON.parse(asSent(encodeRequest(input, target)).body).tools;
    expect(sent).toEqual({ type: "function", name: "f" });
  });

  it("writes numbers of a schema as they came", () => {
    const parametersJson = '{"maximum":9007199254740993,"minimum":1e400}';
    const input = createHubInput({
      model: "attune/m",
      messages: [user],
      tools: [{ kind: { case: "function", value: { name: "f", parametersJson } } }],
    });
    expect(asSent(encodeRequest(input, target)).body).toContain(`"parameters":${parametersJson}`);
  });
});
