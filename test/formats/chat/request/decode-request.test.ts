import { describe, expect, it } from "vitest";
import { requestJson } from "../../../../src/dashboard/features/history/content-tasks.ts";
import { decodeRequest } from "../../../../src/formats/chat/request/decode-request.ts";
import { type JsonObject, parseJson } from "../../../../src/formats/shared/json.ts";
import { WireError } from "../../../../src/formats/shared/read.ts";

const hello = [{ role: "user", content: "Hello" }];
const helloInHub = [{ role: "ROLE_USER", content: [{ text: { text: "Hello" } }] }];

/** Decodes a request with these members beside the model, and returns the hub's own JSON of it. */
function decode(members: JsonObject): unknown {
  const { input } = decodeRequest({ model: "attune/m", messages: hello, ...members });
  return requestJson(input);
}

function decodeMessages(...messages: JsonObject[]): unknown {
  const { input } = decodeRequest({ model: "attune/m", messages });
  const json = requestJson(input);
  return typeof json === "object" && json !== null && "messages" in json ? json.messages : undefined;
}

/** An extension, as the hub's JSON shows it. */
function chat(json: string) {
  return { dialect: "DIALECT_CHAT", json };
}

const schema = { type: "object", properties: { city: { type: "string" } } };

describe("decodeRequest()", () => {
  it("decodes every member that the hub models", () => {
    const members = {
      max_completion_tokens: 100,
      temperature: 0.5,
      top_p: 0.9,
      stop: ["END", "STOP"],
      reasoning_effort: "xhigh",
      verbosity: "low",
      safety_identifier: "user-1",
      metadata: { team: "a" },
      prompt_cache_key: "k",
      parallel_tool_calls: false,
      tool_choice: "required",
      tools: [{ type: "function", function: { name: "f", description: "d", parameters: schema, strict: true } }],
      response_format: { type: "json_schema", json_schema: { name: "n", description: "d", schema, strict: false } },
    };
    expect(decode(members)).toEqual({
      model: "attune/m",
      dialect: "DIALECT_CHAT",
      messages: helloInHub,
      maxOutputTokens: 100,
      temperature: 0.5,
      topP: 0.9,
      stopSequences: ["END", "STOP"],
      reasoning: { effort: "REASONING_EFFORT_XHIGH" },
      verbosity: "low",
      endUserId: "user-1",
      metadata: { team: "a" },
      promptCacheKey: "k",
      parallelToolCalls: false,
      toolChoice: { mode: "TOOL_CHOICE_MODE_REQUIRED" },
      tools: [
        {
          function: {
            name: "f",
            description: "d",
            parametersJson: '{"type":"object","properties":{"city":{"type":"string"}}}',
            strict: true,
          },
        },
      ],
      outputFormat: {
        jsonSchema: {
          name: "n",
          description: "d",
          schemaJson: '{"type":"object","properties":{"city":{"type":"string"}}}',
          strict: false,
        },
      },
    });
  });

  it("takes null for not given", () => {
    const names = ["max_completion_tokens", "temperature", "stop", "tools", "tool_choice", "metadata", "logit_bias"];
    expect(decode({ ...Object.fromEntries(names.map((name) => [name, null])), stream: null, n: null })).toEqual({
      model: "attune/m",
      dialect: "DIALECT_CHAT",
      messages: helloInHub,
    });
  });

  it.each([
    [{ stop: "END" }, { stopSequences: ["END"] }],
    [{ response_format: { type: "text" } }, { outputFormat: { text: {} } }],
    [{ response_format: { type: "json_object" } }, { outputFormat: { jsonObject: {} } }],
    [
      { response_format: { type: "json_object", schema: { a: 1 } } },
      {
        outputFormat: { jsonObject: {} },
        extension: chat('{"response_format":{"type":"json_object","schema":{"a":1}}}'),
      },
    ],
    [
      { response_format: { type: "grammar", value: "x" } },
      { extension: chat('{"response_format":{"type":"grammar","value":"x"}}') },
    ],
    [{ max_tokens: 5 }, { maxOutputTokens: 5, extension: chat('{"max_tokens":5}') }],
    [
      { max_tokens: 5, max_completion_tokens: 7 },
      { maxOutputTokens: 7, extension: chat('{"max_tokens":5}') },
    ],
    [{ n: 1, modalities: ["text"] }, { n: 1 }],
    [
      { seed: 7, logit_bias: { "50256": -100 }, store: true, vendor: { a: 1 } },
      { extension: chat('{"seed":7,"logit_bias":{"50256":-100},"store":true,"vendor":{"a":1}}') },
    ],
  ])("decodes %j", (members, expected) => {
    expect(decode(members)).toEqual({
      model: "attune/m",
      dialect: "DIALECT_CHAT",
      messages: helloInHub,
      ...expected,
    });
  });

  it("keeps a seed that a double cannot hold", () => {
    const body = parseJson('{"model":"m","messages":[{"role":"user","content":"x"}],"seed":9007199254740993}');
    const { input } = decodeRequest(body as JsonObject);
    expect(input.extension?.json).toBe('{"seed":9007199254740993}');
  });

  it("tells a stream, and keeps what else its options say", () => {
    const body = {
      model: "m",
      messages: hello,
      stream: true,
      stream_options: { include_usage: true, include_obfuscation: false },
    };
    const { stream, input } = decodeRequest(body);
    expect(stream).toBe(true);
    expect(input.extension?.json).toBe('{"stream_options":{"include_obfuscation":false}}');
  });
});

describe("decodeRequest(): messages", () => {
  it("keeps instructions in their place, with role and name", () => {
    expect(
      decodeMessages(
        { role: "system", content: "a", name: "ops" },
        { role: "user", content: "b" },
        { role: "developer", content: [{ type: "text", text: "c" }] },
      ),
    ).toEqual([
      { role: "ROLE_SYSTEM", name: "ops", content: [{ text: { text: "a" } }] },
      { role: "ROLE_USER", content: [{ text: { text: "b" } }] },
      { role: "ROLE_DEVELOPER", content: [{ text: { text: "c" } }] },
    ]);
  });

  it("decodes every kind of part", () => {
    const content = [
      { type: "text", text: "t", prompt_cache_breakpoint: { mode: "explicit", ttl: "30m" } },
      { type: "image_url", image_url: { url: "https://example.com/a.png", detail: "high" } },
      { type: "image_url", image_url: { url: "data:image/PNG;charset=utf-8;base64,aGk=", x: 1 }, y: 2 },
      { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } },
      { type: "file", file: { file_data: "data:application/pdf;base64,JVBERg==", filename: "a.pdf" } },
      { type: "file", file: { file_data: "JVBERg==" } },
      { type: "file", file: { file_id: "file-1" }, prompt_cache_breakpoint: { mode: "explicit" } },
      { type: "hologram", beam: [1] },
    ];
    expect(decodeMessages({ role: "user", content })).toEqual([
      {
        role: "ROLE_USER",
        content: [
          { text: { text: "t" }, cacheMark: { ttl: "CACHE_TTL_30M" } },
          { image: { url: "https://example.com/a.png", detail: "high" } },
          {
            image: { inline: { mediaType: "image/png", base64: "aGk=" } },
            extension: chat('{"y":2,"image_url":{"x":1}}'),
          },
          { audio: { base64: "UklGRg==", format: "wav" } },
          { document: { inline: { mediaType: "application/pdf", base64: "JVBERg==" }, title: "a.pdf" } },
          { document: { inline: { base64: "JVBERg==" } } },
          { document: { fileId: "file-1" }, cacheMark: {} },
          { opaque: chat('{"type":"hologram","beam":[1]}') },
        ],
      },
    ]);
  });

  it("decodes a tool loop: reasoning, words, refusal, calls, results", () => {
    const calls = [
      { id: "c1", type: "function", function: { name: "f", arguments: '{"a": 1.0}' }, extra_content: { s: "x" } },
      { id: "c2", type: "custom", custom: { name: "g", input: "free" } },
    ];
    expect(
      decodeMessages(
        {
          role: "assistant",
          reasoning_content: "why",
          content: "say",
          refusal: "no",
          tool_calls: calls,
          annotations: [],
        },
        { role: "tool", tool_call_id: "c1", content: "r1" },
        { role: "tool", tool_call_id: "c2", content: [{ type: "text", text: "r2" }], vendor: true },
      ),
    ).toEqual([
      {
        role: "ROLE_ASSISTANT",
        content: [
          { thinking: { text: "why" } },
          { text: { text: "say" } },
          { refusal: { text: "no" } },
          {
            toolUse: { id: "c1", name: "f", arguments: '{"a": 1.0}', kind: "TOOL_KIND_FUNCTION" },
            extension: chat('{"extra_content":{"s":"x"}}'),
          },
          { toolUse: { id: "c2", name: "g", arguments: "free", kind: "TOOL_KIND_CUSTOM" } },
        ],
      },
      {
        role: "ROLE_TOOL",
        content: [{ toolResult: { toolUseId: "c1", content: [{ text: { text: "r1" } }], kind: "TOOL_KIND_FUNCTION" } }],
      },
      {
        role: "ROLE_TOOL",
        content: [{ toolResult: { toolUseId: "c2", content: [{ text: { text: "r2" } }], kind: "TOOL_KIND_CUSTOM" } }],
        extension: chat('{"vendor":true}'),
      },
    ]);
  });

  it("prefers reasoning_details, and reads reasoning as the other name of reasoning_content", () => {
    const details = [
      { type: "reasoning.summary", summary: "s", id: "r" },
      { type: "reasoning.text", text: "", signature: "SIG", id: "r" },
      { type: "reasoning.encrypted", data: "BLOB" },
    ];
    expect(
      decodeMessages(
        { role: "assistant", content: "a", reasoning_content: "s", reasoning_details: details },
        { role: "assistant", content: "b", reasoning: "raw", reasoning_details: [] },
      ),
    ).toEqual([
      {
        role: "ROLE_ASSISTANT",
        content: [
          { thinking: { summary: ["s"], opaque: "SIG", id: "r" } },
          { redactedThinking: { data: "BLOB" } },
          { text: { text: "a" } },
        ],
      },
      { role: "ROLE_ASSISTANT", content: [{ thinking: { text: "raw" } }, { text: { text: "b" } }] },
    ]);
  });

  it.each([
    [{ role: "assistant", content: null, tool_calls: [{ id: "c", function: { name: "f", arguments: "" } }] }, 1],
    [{ role: "assistant", refusal: "no" }, 1],
    [{ role: "assistant", content: "" }, 1],
    [{ role: "assistant", content: [] }, 0],
    [{ role: "assistant", audio: { id: "audio_1" } }, 0],
    [{ role: "user", content: [] }, 0],
  ])("takes %j", (message, blocks) => {
    const { input } = decodeRequest({ model: "m", messages: [message] });
    expect(input.messages[0]?.content.length).toBe(blocks);
  });
});

describe("decodeRequest(): tools", () => {
  const tools = [
    { type: "function", function: { name: "f", x: 1 }, y: 2 },
    { type: "custom", custom: { name: "g", description: "d", format: { type: "text" } } },
    { type: "web_search", size: 3 },
  ];

  it("decodes functions, custom tools, and others whole", () => {
    const { input } = decodeRequest({ model: "m", messages: hello, tools });
    expect(requestJson(input)).toMatchObject({
      tools: [
        { function: { name: "f" }, extension: chat('{"y":2,"function":{"x":1}}') },
        { custom: { name: "g", description: "d", formatJson: '{"type":"text"}' } },
        { opaque: chat('{"type":"web_search","size":3}') },
      ],
    });
  });

  const allowed = {
    type: "allowed_tools",
    allowed_tools: { mode: "auto", tools: [{ type: "function", function: { name: "f" } }, { type: "web_search" }] },
  };

  it.each([
    ["auto", { mode: "TOOL_CHOICE_MODE_AUTO" }],
    ["none", { mode: "TOOL_CHOICE_MODE_NONE" }],
    ["required", { mode: "TOOL_CHOICE_MODE_REQUIRED" }],
    [
      { type: "function", function: { name: "f" } },
      { mode: "TOOL_CHOICE_MODE_NAMED", name: "f", kind: "TOOL_KIND_FUNCTION" },
    ],
    [
      { type: "custom", custom: { name: "g" } },
      { mode: "TOOL_CHOICE_MODE_NAMED", name: "g", kind: "TOOL_KIND_CUSTOM" },
    ],
    [
      allowed,
      { mode: "TOOL_CHOICE_MODE_AUTO", allowedNames: ["f", "web_search"], opaque: chat(JSON.stringify(allowed)) },
    ],
    [{ type: "web_search" }, { mode: "TOOL_CHOICE_MODE_OPAQUE", opaque: chat('{"type":"web_search"}') }],
  ])("decodes the choice %j", (choice, expected) => {
    expect(decode({ tools, tool_choice: choice })).toMatchObject({ toolChoice: expected });
  });
});

const call = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };
const user = (part: unknown) => ({ messages: [{ role: "user", content: [part] }] });
const assistant = (members: JsonObject) => ({ messages: [{ role: "assistant", ...members }] });

describe("decodeRequest(): refusals", () => {
  it.each<[JsonObject, string, string]>([
    [{ model: undefined }, "model", "is required: a string"],
    [{ model: "" }, "model", "must not be empty"],
    [{ messages: undefined }, "messages", "is required: an array"],
    [{ messages: [] }, "messages", "must have at least one message"],
    [{ messages: ["x"] }, "messages[0]", "must be an object, not a string"],
    [
      { messages: [{ role: "", content: "x" }] },
      "messages[0].role",
      "must be one of 'system', 'developer', 'user', 'assistant', 'tool', not ''",
    ],
    [
      { messages: [{ role: "function", name: "f", content: "x" }] },
      "messages[0].name",
      "no 'function_call' of 'f' without a result comes before it",
    ],
    [{ messages: [{ role: "user" }] }, "messages[0].content", "is required: a string or an array of parts"],
    [{ messages: [{ role: "user", content: 1 }] }, "messages[0].content", "must be a string or an array of parts"],
    [{ messages: [{ role: "user", content: "x", name: 1 }] }, "messages[0].name", "must be a string, not a number"],
    [user("x"), "messages[0].content[0]", "must be an object, not a string"],
    [user({ text: "x" }), "messages[0].content[0].type", "is required: a string"],
    [user({ type: "text" }), "messages[0].content[0].text", "is required: a string"],
    [
      user({ type: "image_url", image_url: "x" }),
      "messages[0].content[0].image_url",
      "must be an object, not a string",
    ],
    [
      user({ type: "image_url", image_url: { url: "ftp://x" } }),
      "messages[0].content[0].image_url.url",
      "must begin with 'https://', 'http://' or 'data:'",
    ],
    [
      user({ type: "image_url", image_url: { url: "data:image/png;base64,@@" } }),
      "messages[0].content[0].image_url.url",
      "must be a data: URL such as data:image/png;base64,iVBORw0KGgo=",
    ],
    [
      user({ type: "image_url", image_url: { url: "https://x", detail: 1 } }),
      "messages[0].content[0].image_url.detail",
      "must be one of 'auto', 'low', 'high', 'original', not a number",
    ],
    [
      user({ type: "input_audio", input_audio: { data: "x" } }),
      "messages[0].content[0].input_audio.format",
      "is required: a string",
    ],
    [
      user({ type: "file", file: {} }),
      "messages[0].content[0].file",
      "must have either file_data or file_id, and not both",
    ],
    [
      user({ type: "file", file: { file_data: "not base64!" } }),
      "messages[0].content[0].file.file_data",
      "must be a data: URL, or bytes in base64",
    ],
    [
      user({ type: "refusal", refusal: "x" }),
      "messages[0].content[0].type",
      "must be one of 'text', 'image_url', 'input_audio', 'file', not 'refusal'",
    ],
    [
      user({ type: "text", text: "x", prompt_cache_breakpoint: { mode: "explicit", ttl: 30 } }),
      "messages[0].content[0].prompt_cache_breakpoint.ttl",
      "must be one of '30m', '12h', not a number",
    ],
    [
      user({ type: "text", text: "x", prompt_cache_breakpoint: { ttl: "30m" } }),
      "messages[0].content[0].prompt_cache_breakpoint.mode",
      "is required: one of 'explicit'",
    ],
    [
      { messages: [{ role: "system", content: [{ type: "image_url", image_url: { url: "https://x" } }] }] },
      "messages[0].content[0].type",
      "must be one of 'text', not 'image_url'",
    ],
    [assistant({ tool_calls: [{ ...call, id: undefined }] }), "messages[0].tool_calls[0].id", "is required: a string"],
    [
      assistant({ tool_calls: [{ ...call, type: 1 }] }),
      "messages[0].tool_calls[0].type",
      "must be one of 'function', 'custom', not a number",
    ],
    [
      assistant({ tool_calls: [{ ...call, function: { name: "f", arguments: {} } }] }),
      "messages[0].tool_calls[0].function.arguments",
      "must be a string, not an object",
    ],
    [
      assistant({ content: "x", reasoning_details: [{ type: "reasoning.encrypted" }] }),
      "messages[0].reasoning_details[0].data",
      "is required: a string",
    ],
    [{ messages: [{ role: "tool", content: "x" }] }, "messages[0].tool_call_id", "is required: a string"],
    [{ messages: [{ role: "tool", tool_call_id: "", content: "x" }] }, "messages[0].tool_call_id", "must not be empty"],
    [{ temperature: 2.1 }, "temperature", "must be at most 2, not 2.1"],
    [{ temperature: "1" }, "temperature", "must be a number, not a string"],
    [{ top_p: -0.1 }, "top_p", "must be at least 0, not -0.1"],
    [{ max_completion_tokens: 0 }, "max_completion_tokens", "must be at least 1, not 0"],
    [{ max_completion_tokens: 1.5 }, "max_completion_tokens", "must be a whole number, not 1.5"],
    [{ max_tokens: 0, max_completion_tokens: 1 }, "max_tokens", "must be at least 1, not 0"],
    [{ stop: ["a", "b", "c", "d", "e"] }, "stop", "must have at most 4 texts, not 5"],
    [{ stop: ["a", ""] }, "stop[1]", "must not be empty"],
    [{ stop: 1 }, "stop", "must be a string or an array of strings"],
    [{ stream: "yes" }, "stream", "must be true or false, not a string"],
    [
      { stream_options: { include_usage: true } },
      "stream_options",
      "is for streams only: set stream to true, or leave it out",
    ],
    [
      { stream: true, stream_options: { include_usage: 1 } },
      "stream_options.include_usage",
      "must be true or false, not a number",
    ],
    [
      { reasoning_effort: 3 },
      "reasoning_effort",
      "must be one of 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', not a number",
    ],
    [{ verbosity: 1 }, "verbosity", "must be one of 'low', 'medium', 'high', not a number"],
    [{ metadata: { a: 1 } }, "metadata.a", "must be a string, not a number"],
    [
      { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, ""])) },
      "metadata",
      "must have at most 16 members, not 17",
    ],
    [{ n: 9 }, "n", "must be at most 8: send several requests for more answers"],
    [{ modalities: ["text", "audio"] }, "modalities[1]", "must be 'text': answers are text only"],
    [{ frequency_penalty: 3 }, "frequency_penalty", "must be at most 2, not 3"],
    [{ top_logprobs: 21 }, "top_logprobs", "must be at most 20, not 21"],
    [{ logit_bias: { "1": 101 } }, "logit_bias.1", "must be at most 100, not 101"],
    [{ seed: 1.5 }, "seed", "must be a whole number"],
    [{ store: "yes" }, "store", "must be true or false, not a string"],
    [{ response_format: "json" }, "response_format", "must be an object, not a string"],
    [{ response_format: { type: "json_schema" } }, "response_format.json_schema", "is required: an object"],
    [
      { response_format: { type: "json_schema", json_schema: { name: "n" } } },
      "response_format.json_schema.schema",
      "is required: an object",
    ],
    [{ tools: {} }, "tools", "must be an array, not an object"],
    [{ tools: [{ type: "function" }] }, "tools[0].function", "is required: an object"],
    [{ tools: [{ type: "function", function: { name: "" } }] }, "tools[0].function.name", "must not be empty"],
    [
      { tools: [{ type: "function", function: { name: "f", parameters: "{}" } }] },
      "tools[0].function.parameters",
      "must be an object, not a string",
    ],
    [
      {
        tools: [
          { type: "function", function: { name: "f" } },
          { type: "custom", custom: { name: "f" } },
        ],
      },
      "tools[1]",
      "has the name 'f', which another tool has too",
    ],
    [{ tool_choice: "" }, "tool_choice", "must be one of 'none', 'auto', 'required', not ''"],
    [
      { tool_choice: { type: "function", function: { name: "f" } } },
      "tool_choice.function.name",
      "'f' is not among the tools: define it, or choose another",
    ],
    [
      { tool_choice: { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [] } } },
      "tool_choice.allowed_tools.tools",
      "must name at least one tool",
    ],
  ])("refuses %j", (members, param, problem) => {
    expect(() => decodeRequest({ model: "attune/m", messages: hello, ...members })).toThrow(
      expect.objectContaining({ constructor: WireError, param, problem }),
    );
  });
});
