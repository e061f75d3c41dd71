import type { MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  CacheTtl,
  type ContentBlockSchema,
  Dialect,
  type MessageSchema,
  ReasoningEffort,
  Role,
  ThinkingMode,
  ToolChoiceMode,
  ToolKind,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { decodeRequest } from "../../../../src/formats/chat/request/decode-request.ts";
import { encodeRequest } from "../../../../src/formats/chat/request/encode-request.ts";
import type { JsonObject } from "../../../../src/formats/shared/json.ts";
import { ErrorReason, InferenceError } from "../../../../src/hub/error.ts";
import { createHubInput, type HubInit } from "../../../../src/hub/input.ts";
import { stubModel } from "../../../support/stub-upstream.ts";
import { asSent } from "../../shared/as-sent.ts";

type Message = MessageInitShape<typeof MessageSchema>;
type Block = MessageInitShape<typeof ContentBlockSchema>;

const target = {
  model: stubModel,
  deployment: { upstream: "u", model: "up-model" },
  streamed: true,
  inferenceId: "0190-id",
  projectId: "p",
  profile: { instructionRole: "as-called" },
} as const;

function encode(input: HubInit) {
  return asSent(encodeRequest(createHubInput({ model: "attune/m", ...input }), target));
}

const end = '"stream":true,"stream_options":{"include_usage":true}';
const text = (value: string): Block => ({ kind: { case: "text", value: { text: value } } });
const user = (...content: Block[]): Message => ({ role: Role.USER, content });
const assistant = (...content: Block[]): Message => ({ role: Role.ASSISTANT, content });
const use = (id: string, name: string, args: string): Block => ({
  kind: { case: "toolUse", value: { id, name, arguments: args, kind: ToolKind.FUNCTION } },
});
const result = (toolUseId: string, content: Block[], isError = false): Block => ({
  kind: { case: "toolResult", value: { toolUseId, content, isError } },
});
const image: Block = {
  kind: { case: "image", value: { source: { case: "inline", value: { mediaType: "image/png", base64: "aGk=" } } } },
};

/** Encodes messages of a dialect; returns what the upstream gets of them, and the losses. */
function messagesOf(dialect: Dialect, ...messages: Message[]): { messages: string; losses: readonly string[] } {
  const { body, losses } = encode({ dialect, messages });
  const start = '{"model":"up-model","messages":';
  expect(body.startsWith(start)).toBe(true);
  expect(body.endsWith(`,${end}}`)).toBe(true);
  return { messages: body.slice(start.length, -end.length - 2), losses };
}

describe("encodeRequest(): a caller of the same format", () => {
  it.each<[string, JsonObject]>([
    [
      "every member",
      {
        messages: [{ role: "user", content: "x" }],
        tools: [
          { type: "function", function: { name: "f", parameters: { type: "object" }, strict: true, x: 1 }, y: 2 },
          {
            type: "custom",
            custom: { name: "g", format: { type: "grammar", grammar: { definition: "d", syntax: "lark" } } },
          },
          { type: "web_search", size: 1 },
        ],
        tool_choice: {
          type: "allowed_tools",
          allowed_tools: { mode: "auto", tools: [{ type: "function", function: { name: "f" } }] },
        },
        parallel_tool_calls: true,
        max_completion_tokens: 10,
        temperature: 0,
        top_p: 1,
        stop: ["a"],
        reasoning_effort: "minimal",
        response_format: { type: "json_schema", json_schema: { name: "n", schema: { type: "object" }, strict: true } },
        verbosity: "high",
        safety_identifier: "u".repeat(200),
        metadata: { a: "b" },
        prompt_cache_key: "k",
        stream: true,
        stream_options: { include_usage: true, include_obfuscation: false },
        seed: 1,
        top_k: 4,
        vendor: [{}],
      },
    ],
    [
      "a conversation",
      {
        messages: [
          { role: "system", content: "s", name: "ops" },
          {
            role: "user",
            content: [{ type: "text", text: "t", prompt_cache_breakpoint: { mode: "explicit", ttl: "12h" } }],
          },
          {
            role: "user",
            content: [{ type: "image_url", image_url: { url: "data:image/png;base64,aGk=", detail: "low" } }],
          },
          {
            role: "user",
            content: [
              { type: "file", file: { file_data: "aGk=", filename: "f" } },
              { type: "odd", x: 1 },
            ],
          },
          { role: "user", content: [{ type: "input_audio", input_audio: { data: "aGk=", format: "mp3" } }], vendor: 1 },
          {
            role: "assistant",
            content: null,
            reasoning_content: "one",
            reasoning_details: [
              { type: "reasoning.text", text: "one", signature: "S", format: "f" },
              { type: "reasoning.encrypted", data: "B", id: "e" },
              { type: "reasoning.odd", x: 1 },
            ],
            tool_calls: [
              { id: "c.1", type: "function", function: { name: "f", arguments: '{"a": 1.0}' }, extra_content: {} },
            ],
          },
          { role: "tool", tool_call_id: "c.1", content: [{ type: "image_url", image_url: { url: "https://x" } }] },
          { role: "developer", content: "d" },
          { role: "assistant", content: null, refusal: "no" },
          {
            role: "assistant",
            content: [
              { type: "text", text: "a" },
              { type: "refusal", refusal: "b" },
            ],
            audio: { id: "a" },
          },
        ],
        max_tokens: 3,
        stream: true,
        stream_options: { include_usage: true },
      },
    ],
  ])("sends on %s as it came", (_name, body) => {
    const { input } = decodeRequest({ model: "attune/m", ...body });
    const { body: sent, losses } = asSent(encodeRequest(input, target));
    expect(JSON.parse(sent)).toEqual({ model: "up-model", ...body });
    expect(losses).toEqual([]);
  });

  it("always asks for a stream with usage", () => {
    const { input } = decodeRequest({ model: "attune/m", messages: [{ role: "user", content: "x" }] });
    expect(asSent(encodeRequest(input, target)).body).toBe(
      `{"model":"up-model","messages":[{"role":"user","content":"x"}],${end}}`,
    );
  });

  it("sends both limits only if the client wrote both", () => {
    const messages = [{ role: "user", content: "x" }];
    const { input } = decodeRequest({ model: "m", messages, max_tokens: 5, max_completion_tokens: 7 });
    expect(asSent(encodeRequest(input, target)).body).toBe(
      `{"model":"up-model","messages":[{"role":"user","content":"x"}],"max_completion_tokens":7,${end},"max_tokens":5}`,
    );
  });

  it("keeps numbers that a double cannot hold", () => {
    const { body } = encode({
      dialect: Dialect.CHAT,
      messages: [user(text("x"))],
      tools: [
        { kind: { case: "function", value: { name: "f", parametersJson: '{"max":9007199254740993,"min":1e400}' } } },
      ],
      extension: { dialect: Dialect.CHAT, json: '{"seed":9007199254740993}' },
    });
    expect(body).toBe(
      '{"model":"up-model","messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"max":9007199254740993,"min":1e400}}}],' +
        `${end},"seed":9007199254740993}`,
    );
  });
});

describe("encodeRequest(): callers of other formats", () => {
  it("puts the system prompt first, and keeps instructions in their place and role", () => {
    const { body, losses } = encode({
      dialect: Dialect.MESSAGES,
      system: [text("a"), { kind: { case: "text", value: { text: "b" } }, cacheMark: { ttl: CacheTtl.CACHE_TTL_5M } }],
      messages: [
        user(text("c")),
        { role: Role.SYSTEM, content: [text("d")] },
        { role: Role.DEVELOPER, content: [text("e")] },
      ],
    });
    expect(body).toBe(
      '{"model":"up-model","messages":[{"role":"system","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},' +
        `{"role":"user","content":"c"},{"role":"system","content":"d"},{"role":"developer","content":"e"}],${end}}`,
    );
    expect(losses).toEqual(["system[1].cache_mark"]);
  });

  it("makes one message of the assistant's items, right before the results of its calls", () => {
    const item = (block: Block, role: Role = Role.ASSISTANT): Message => ({ role, content: [block], id: "item" });
    expect(
      messagesOf(
        Dialect.RESPONSES,
        user(text("q")),
        item({ kind: { case: "thinking", value: { summary: ["s"], opaque: "E" } } }),
        item(text("say")),
        item(use("call_1", "f", '{"a": 1}')),
        {
          role: Role.UNSPECIFIED,
          content: [{ kind: { case: "opaque", value: { dialect: Dialect.RESPONSES, json: "{}" } } }],
        },
        item(use("call_2", "g", "")),
        item(result("call_1", [text("r1")]), Role.TOOL),
        item(result("call_2", [text("r2"), image]), Role.TOOL),
      ),
    ).toEqual({
      messages:
        '[{"role":"user","content":"q"},' +
        '{"role":"assistant","content":"say","tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":"{\\"a\\": 1}"}},' +
        '{"id":"call_2","type":"function","function":{"name":"g","arguments":"{}"}}]},' +
        '{"role":"tool","tool_call_id":"call_1","content":"r1"},{"role":"tool","tool_call_id":"call_2","content":"r2"},' +
        '{"role":"user","content":[{"type":"text","text":"Attachments of call call_2:"},{"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}}]}]',
      losses: ["messages[1].content[0]", "messages[4]"],
    });
  });

  it("sends results before what the user says with them, however they come", () => {
    expect(
      messagesOf(
        Dialect.MESSAGES,
        user(text("q")),
        assistant(
          { kind: { case: "thinking", value: { summary: ["s"], opaque: "SIG" } } },
          text("say"),
          use("toolu_1", "f", "{}"),
          use("toolu_2", "f", "{}"),
        ),
        user(result("toolu_1", [text("bad")], true), text("and")),
        user(result("toolu_2", [image], true), text("more")),
      ),
    ).toEqual({
      messages:
        '[{"role":"user","content":"q"},{"role":"assistant","content":"say","tool_calls":[' +
        '{"id":"toolu_1","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"toolu_2","type":"function","function":{"name":"f","arguments":"{}"}}]},' +
        '{"role":"tool","tool_call_id":"toolu_1","content":"Error: bad"},{"role":"tool","tool_call_id":"toolu_2","content":"Error: See the attachments of this call below."},' +
        '{"role":"user","content":"and"},' +
        '{"role":"user","content":[{"type":"text","text":"Attachments of call toolu_2:"},{"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}},{"type":"text","text":"more"}]}]',
      losses: ["messages[1].content[0]"],
    });
  });

  it("carries documents as files, or as the parts that they are made of", () => {
    const document = (value: Extract<Block["kind"], { case: "document" }>["value"]): Block => ({
      kind: { case: "document", value },
    });
    expect(
      messagesOf(
        Dialect.MESSAGES,
        user(
          document({
            source: { case: "inline", value: { mediaType: "application/pdf", base64: "JVBERg==" } },
            title: "t",
            context: "c",
          }),
          document({ source: { case: "text", value: "hi" } }),
          document({ source: { case: "content", value: { blocks: [text("in"), image] } }, title: "t" }),
        ),
      ),
    ).toEqual({
      messages:
        '[{"role":"user","content":[{"type":"file","file":{"file_data":"data:application/pdf;base64,JVBERg==","filename":"t"}},' +
        '{"type":"file","file":{"file_data":"data:text/plain;base64,aGk="}},{"type":"text","text":"in"},' +
        '{"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}}]}]',
      losses: ["messages[0].content[0].context", "messages[0].content[2].title"],
    });
  });

  const byId = { source: { case: "fileId" as const, value: "file_1" } };
  const foreign = "the file 'file_1' is stored by another service than this model's; send its bytes";
  const unsendable: [name: string, dialect: Dialect, kind: Block["kind"], message: string][] = [
    [
      "a document by its address",
      Dialect.RESPONSES,
      { case: "document", value: { source: { case: "url", value: "https://x/a.pdf" } } },
      "this model accepts files only inline, not by URL; send the bytes in base64",
    ],
    ["a document at another service", Dialect.MESSAGES, { case: "document", value: byId }, foreign],
    ["an image at another service", Dialect.MESSAGES, { case: "image", value: byId }, foreign],
    [
      "an image by its file id",
      Dialect.RESPONSES,
      { case: "image", value: byId },
      "this model doesn't accept images by file id; send the bytes or an address",
    ],
  ];

  it.each(unsendable)("refuses %s", (_name, dialect, kind, message) => {
    const param = "messages[0].content[0]";
    expect(() => encode({ dialect, messages: [user({ kind })] })).toThrow(
      new InferenceError(ErrorReason.INVALID_REQUEST, `${param}: ${message}`, { param }),
    );
  });

  it("leaves out a message of which nothing can be carried, and names what is lost", () => {
    const opaque: Block = { kind: { case: "opaque", value: { dialect: Dialect.MESSAGES, json: '{"type":"x"}' } } };
    expect(
      messagesOf(
        Dialect.MESSAGES,
        user(text("q")),
        assistant({ kind: { case: "redactedThinking", value: { data: "B" } } }),
        { role: Role.USER, content: [opaque], extension: { dialect: Dialect.MESSAGES, json: '{"m":1}' } },
        assistant({
          kind: { case: "text", value: { text: "a" } },
          extension: { dialect: Dialect.MESSAGES, json: '{"citations":[1]}' },
        }),
        user({ kind: { case: "text", value: { text: "z" } }, cacheMark: { ttl: CacheTtl.CACHE_TTL_1H } }),
      ),
    ).toEqual({
      messages: '[{"role":"user","content":"q"},{"role":"assistant","content":"a"},{"role":"user","content":"z"}]',
      losses: [
        "messages[1].content[0]",
        "messages[2].extension.m",
        "messages[2].content[0]",
        "messages[3].content[0].extension.citations",
        "messages[4].content[0].cache_mark",
      ],
    });
  });

  it("names what it cannot say of the answer", () => {
    const { body, losses } = encode({
      dialect: Dialect.MESSAGES,
      messages: [user(text("x"))],
      maxOutputTokens: 9,
      topK: 5,
      stopSequences: ["a", "b"],
      endUserId: "x".repeat(129),
      automaticCacheMark: {},
      reasoning: { mode: ThinkingMode.ENABLED, budgetTokens: 1024, display: "omitted" },
      outputFormat: { kind: { case: "jsonSchema", value: { schemaJson: '{"type":"object"}' } } },
      extension: { dialect: Dialect.MESSAGES, json: '{"container":"c"}' },
    });
    expect(body).toBe(
      '{"model":"up-model","messages":[{"role":"user","content":"x"}],"max_tokens":9,"stop":["a","b"],' +
        '"reasoning_effort":"low",' +
        `"response_format":{"type":"json_schema","json_schema":{"name":"response","schema":{"type":"object"}}},${end}}`,
    );
    expect(losses).toEqual([
      "top_k",
      "reasoning.display",
      "output_format.strict",
      "end_user_id",
      "automatic_cache_mark",
      "extension.container",
    ]);
  });

  it("says of which call pictures are, where several have some", () => {
    const { messages } = messagesOf(
      Dialect.MESSAGES,
      user(text("q")),
      assistant(use("toolu_1", "f", "{}"), use("toolu_2", "f", "{}")),
      user(result("toolu_1", [image]), result("toolu_2", [text("r"), image])),
    );
    const picture = '{"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}}';
    expect(messages).toContain(
      '{"role":"tool","tool_call_id":"toolu_1","content":"See the attachments of this call below."},' +
        '{"role":"tool","tool_call_id":"toolu_2","content":"r"},' +
        `{"role":"user","content":[{"type":"text","text":"Attachments of call toolu_1:"},${picture},` +
        `{"type":"text","text":"Attachments of call toolu_2:"},${picture}]}]`,
    );
  });

  it("leaves documents of texts in the results of their calls", () => {
    const blocks = [text("Ada won."), text("Bo was second.")];
    const found = {
      kind: { case: "document" as const, value: { source: { case: "content" as const, value: { blocks } } } },
    };
    const { messages } = messagesOf(
      Dialect.MESSAGES,
      user(text("q")),
      assistant(use("toolu_1", "f", "{}")),
      user(result("toolu_1", [found])),
    );
    const parts = '[{"type":"text","text":"Ada won."},{"type":"text","text":"Bo was second."}]';
    expect(messages).toContain(`{"role":"tool","tool_call_id":"toolu_1","content":${parts}}]`);
  });

  it("sends strict tools as OpenAI takes them, and names what that loses", () => {
    const tool = (name: string, parametersJson: string) => ({
      kind: { case: "function" as const, value: { name, parametersJson, strict: true } },
    });
    const { body, losses } = encode({
      dialect: Dialect.MESSAGES,
      messages: [user(text("x"))],
      tools: [
        tool("f", '{"type":"object","properties":{"s":{"type":"string","format":"uri"}},"required":["s"]}'),
        tool("g", '{"type":"object","properties":{"s":{"type":"string","format":"uri"}}}'),
      ],
    });
    expect(body).toContain(
      '"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"s":{"type":"string",' +
        '"description":"{\\"format\\":\\"uri\\"}"}},"required":["s"],"additionalProperties":false},"strict":true}},' +
        '{"type":"function","function":{"name":"g","parameters":{"type":"object","properties":{"s":{"type":"string",' +
        '"format":"uri"}}}}}]',
    );
    expect(losses).toEqual(["tools[0].parameters_json.properties.s.format", "tools[1].strict"]);
  });

  it("makes long ids of calls as short as OpenAI takes them", () => {
    const id = "x".repeat(41);
    // As sha256sum says it begins.
    const short = `${"x".repeat(27)}_3164596df4fd`;
    const sent = messagesOf(
      Dialect.MESSAGES,
      user(text("x")),
      assistant(use(id, "f", "{}")),
      user(result(id, [text("r")])),
    );
    expect(sent.messages).toBe(
      `[{"role":"user","content":"x"},{"role":"assistant","content":null,"tool_calls":[{"id":"${short}","type":"function",` +
        `"function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"${short}","content":"r"}]`,
    );
    expect(sent.losses).toEqual([]);
  });

  it.each([
    [{ mode: ThinkingMode.DISABLED }, "none", []],
    [{ mode: ThinkingMode.DISABLED, effort: ReasoningEffort.HIGH }, "none", ["reasoning.effort"]],
    [{ mode: ThinkingMode.ADAPTIVE }, undefined, []],
    [{ mode: ThinkingMode.ADAPTIVE, effort: ReasoningEffort.MAX }, "max", []],
    [{ mode: ThinkingMode.ENABLED }, undefined, ["reasoning.mode"]],
    [{ mode: ThinkingMode.BETWEEN_TOOLS, effort: ReasoningEffort.LOW }, "low", ["reasoning.mode"]],
  ])("says of reasoning %j: %s", (reasoning, effort, losses) => {
    const encoded = encode({ dialect: Dialect.MESSAGES, messages: [user(text("x"))], reasoning });
    expect(JSON.parse(encoded.body).reasoning_effort).toBe(effort);
    expect(encoded.losses).toEqual(losses);
  });

  it("refuses more stop sequences than the format takes", () => {
    const stopSequences = ["a", "b", "c", "d", "e"];
    const refused = () => encode({ dialect: Dialect.MESSAGES, messages: [user(text("x"))], stopSequences });
    expect(refused).toThrow(
      new InferenceError(
        ErrorReason.INVALID_REQUEST,
        "stop_sequences: the upstream accepts at most 4 texts, not 5: leave some out, or choose another model",
        { param: "stop_sequences" },
      ),
    );
  });
});

describe("encodeRequest(): tools of other formats", () => {
  const functionTool = (name: string) => ({
    kind: { case: "function" as const, value: { name, parametersJson: '{"type":"object","properties":{}}' } },
  });
  const hosted = {
    kind: { case: "opaque" as const, value: { dialect: Dialect.RESPONSES, json: '{"type":"web_search"}' } },
  };
  const base = { dialect: Dialect.RESPONSES, messages: [user(text("x"))] };
  const encoded = (name: string) =>
    `{"type":"function","function":{"name":"${name}","parameters":{"type":"object","properties":{}}}}`;
  const start = '{"model":"up-model","messages":[{"role":"user","content":"x"}],';

  it("leaves out tools that only another format knows, and marks on tools", () => {
    const { body, losses } = encode({
      ...base,
      tools: [
        hosted,
        {
          ...functionTool("f"),
          cacheMark: {},
          extension: { dialect: Dialect.RESPONSES, json: '{"defer_loading":true}' },
        },
      ],
      parallelToolCalls: false,
    });
    expect(body).toBe(`${start}"tools":[${encoded("f")}],"parallel_tool_calls":false,${end}}`);
    expect(losses).toEqual(["tools[0]", "tools[1].cache_mark", "tools[1].extension.defer_loading"]);
  });

  it("shortens the list to the tools that are allowed", () => {
    const { body, losses } = encode({
      ...base,
      tools: [functionTool("f"), functionTool("g")],
      toolChoice: {
        mode: ToolChoiceMode.REQUIRED,
        allowedNames: ["g"],
        opaque: { dialect: Dialect.RESPONSES, json: '{"type":"allowed_tools"}' },
      },
    });
    expect(body).toBe(`${start}"tools":[${encoded("g")}],"tool_choice":"required",${end}}`);
    expect(losses).toEqual([]);
  });

  it("nests the grammar that the Responses format writes flat", () => {
    const formatJson = '{"type":"grammar","syntax":"lark","definition":"d"}';
    const { body } = encode({ ...base, tools: [{ kind: { case: "custom", value: { name: "g", formatJson } } }] });
    expect(body).toBe(
      `${start}"tools":[{"type":"custom","custom":{"name":"g","format":{"type":"grammar","grammar":{"syntax":"lark","definition":"d"}}}}],${end}}`,
    );
  });

  it.each([
    [{ mode: ToolChoiceMode.AUTO }, '"auto"'],
    [{ mode: ToolChoiceMode.NONE }, '"none"'],
    [{ mode: ToolChoiceMode.NAMED, name: "f" }, '{"type":"function","function":{"name":"f"}}'],
    [{ mode: ToolChoiceMode.NAMED, name: "f", kind: ToolKind.CUSTOM }, '{"type":"custom","custom":{"name":"f"}}'],
  ])("encodes the choice %j", (toolChoice, expected) => {
    const { body } = encode({ ...base, tools: [functionTool("f")], toolChoice });
    expect(body).toBe(`${start}"tools":[${encoded("f")}],"tool_choice":${expected},${end}}`);
  });

  it("says nothing of choice and parallel calls where there are no tools", () => {
    const toolChoice = { mode: ToolChoiceMode.AUTO };
    expect(encode({ ...base, toolChoice, parallelToolCalls: true }).body).toBe(`${start}${end}}`);
  });

  it("refuses to require a call where no tool is left", () => {
    const refused = () => encode({ ...base, tools: [hosted], toolChoice: { mode: ToolChoiceMode.REQUIRED } });
    expect(refused).toThrow(/^tools\[0\]: no tool is left without 'web_search'/);
  });
});
