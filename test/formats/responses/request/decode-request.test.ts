import { describe, expect, it } from "vitest";
import { requestJson } from "../../../../src/dashboard/features/history/content-tasks.ts";
import { decodeRequest } from "../../../../src/formats/responses/request/decode-request.ts";
import type { JsonObject } from "../../../../src/formats/shared/json.ts";

/** The hub's message in its JSON form, with the embedded JSON of this format parsed. */
function decode(body: JsonObject): unknown {
  return requestJson(decodeRequest(body).input);
}

function responses(object: unknown) {
  return { dialect: "DIALECT_RESPONSES", json: JSON.stringify(object) };
}

function decodeItem(item: unknown): unknown {
  const { messages } = decode({ model: "attune/m", input: [item] }) as { messages: unknown[] };
  return messages[0];
}

describe("decodeRequest()", () => {
  it("takes a text as one user message", () => {
    expect(decode({ model: "attune/m", input: "Hello" })).toEqual({
      model: "attune/m",
      dialect: "DIALECT_RESPONSES",
      messages: [{ role: "ROLE_USER", content: [{ text: { text: "Hello" } }] }],
    });
  });

  it("decodes every modelled parameter and keeps the others", () => {
    expect(
      decode({
        model: "attune/m",
        input: "Hello",
        instructions: "Be brief.",
        max_output_tokens: 100,
        reasoning: { effort: "xhigh", summary: "auto", context: "auto", generate_summary: null },
        stream: true,
        tools: [
          {
            type: "function",
            name: "weather",
            description: "Looks outside",
            parameters: { type: "object", properties: {} },
            strict: true,
            defer_loading: true,
          },
          { type: "custom", name: "shell", format: { type: "text" } },
          { type: "web_search", search_context_size: "low" },
        ],
        tool_choice: "required",
        parallel_tool_calls: false,
        temperature: 0.5,
        top_p: 0.9,
        text: {
          format: { type: "json_schema", name: "answer", schema: { type: "object" }, strict: true, x_note: 1 },
          verbosity: "low",
        },
        metadata: { a: "1" },
        safety_identifier: "user-1",
        prompt_cache_key: "key",
        store: false,
        include: ["reasoning.encrypted_content"],
        user: null,
      }),
    ).toEqual({
      model: "attune/m",
      dialect: "DIALECT_RESPONSES",
      system: [{ text: { text: "Be brief." } }],
      messages: [{ role: "ROLE_USER", content: [{ text: { text: "Hello" } }] }],
      tools: [
        {
          function: {
            name: "weather",
            description: "Looks outside",
            parametersJson: '{"type":"object","properties":{}}',
            strict: true,
          },
          extension: responses({ defer_loading: true }),
        },
        { custom: { name: "shell", formatJson: '{"type":"text"}' } },
        { opaque: responses({ type: "web_search", search_context_size: "low" }) },
      ],
      toolChoice: { mode: "TOOL_CHOICE_MODE_REQUIRED" },
      parallelToolCalls: false,
      maxOutputTokens: 100,
      temperature: 0.5,
      topP: 0.9,
      reasoning: { effort: "REASONING_EFFORT_XHIGH", summary: "auto", extension: responses({ context: "auto" }) },
      outputFormat: { jsonSchema: { name: "answer", schemaJson: '{"type":"object"}', strict: true } },
      verbosity: "low",
      endUserId: "user-1",
      metadata: { a: "1" },
      promptCacheKey: "key",
      store: false,
      extension: responses({ include: ["reasoning.encrypted_content"], text: { format: { x_note: 1 } } }),
    });
  });

  it("reads null as not given", () => {
    const names = ["instructions", "max_output_tokens", "reasoning", "stream", "tools", "tool_choice", "text", "top_p"];
    const more = ["temperature", "metadata", "previous_response_id", "conversation", "background", "prompt_cache_key"];
    const nulls = Object.fromEntries([...names, ...more].map((name) => [name, null]));
    expect(decode({ model: "attune/m", input: "Hello", ...nulls })).toEqual(
      decode({ model: "attune/m", input: "Hello" }),
    );
  });

  it("tells whether a stream is wanted, and keeps the body", () => {
    const body = { model: "attune/m", input: "Hello", stream: true };
    expect(decodeRequest(body)).toMatchObject({ stream: true, body });
    expect(decodeRequest({ model: "attune/m", input: "Hello" }).stream).toBe(false);
  });

  const items: [name: string, item: unknown, message: unknown][] = [
    [
      "an easy message without a type",
      { role: "developer", content: "Be brief." },
      { role: "ROLE_DEVELOPER", content: [{ text: { text: "Be brief." } }] },
    ],
    [
      "a user message with every kind of part",
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: "See:", prompt_cache_breakpoint: { mode: "explicit", ttl: "12h" } },
          { type: "input_image", detail: "high", image_url: "https://example.com/a.png" },
          { type: "input_image", detail: "auto", image_url: "data:image/png;charset=utf-8;base64,iVBORw0KGgo=" },
          { type: "input_image", file_id: "file-1" },
          { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=", detail: "low" },
          { type: "input_file", file_url: "https://example.com/a.pdf" },
          { type: "input_file", file_id: "file-2", file_data: null },
          { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav", channels: 2 } },
          { type: "input_smell", scent: "rose" },
        ],
      },
      {
        role: "ROLE_USER",
        content: [
          { text: { text: "See:" }, cacheMark: { ttl: "CACHE_TTL_12H" } },
          { image: { url: "https://example.com/a.png", detail: "high" } },
          { image: { inline: { mediaType: "image/png", base64: "iVBORw0KGgo=" }, detail: "auto" } },
          { image: { fileId: "file-1" } },
          {
            document: { inline: { mediaType: "application/pdf", base64: "JVBERi0=" }, title: "a.pdf" },
            extension: responses({ detail: "low" }),
          },
          { document: { url: "https://example.com/a.pdf" } },
          { document: { fileId: "file-2" } },
          {
            audio: { base64: "UklGRg==", format: "wav" },
            extension: responses({ input_audio: { channels: 2 } }),
          },
          { opaque: responses({ type: "input_smell", scent: "rose" }) },
        ],
      },
    ],
    [
      "an answer that comes back as it was given",
      {
        id: "msg_1",
        type: "message",
        role: "assistant",
        status: "completed",
        phase: "final_answer",
        content: [
          { type: "output_text", text: "Hi", annotations: [], logprobs: [] },
          { type: "output_text", text: "there", annotations: [{ type: "file_path", file_id: "f", index: 0 }] },
          { type: "refusal", refusal: "No." },
        ],
      },
      {
        id: "msg_1",
        role: "ROLE_ASSISTANT",
        content: [
          { text: { text: "Hi" } },
          {
            text: { text: "there" },
            annotations: { annotations: [{ opaque: responses({ type: "file_path", file_id: "f", index: 0 }) }] },
          },
          { refusal: { text: "No." } },
        ],
        extension: responses({ status: "completed", phase: "final_answer" }),
      },
    ],
    [
      "assistant history spelled as input",
      { role: "assistant", content: [{ type: "input_text", text: "Hi" }] },
      { role: "ROLE_ASSISTANT", content: [{ text: { text: "Hi" } }] },
    ],
    [
      "a text by the word of Chat",
      { role: "user", content: [{ type: "text", text: "Hi" }] },
      { role: "ROLE_USER", content: [{ text: { text: "Hi" } }] },
    ],
    [
      "a call, whose arguments stay byte for byte",
      {
        type: "function_call",
        id: "fc_1",
        call_id: "call_1",
        name: "f",
        arguments: '{ "n": 1e400 }',
        status: "completed",
      },
      {
        id: "fc_1",
        role: "ROLE_ASSISTANT",
        content: [{ toolUse: { id: "call_1", name: "f", arguments: '{ "n": 1e400 }', kind: "TOOL_KIND_FUNCTION" } }],
        extension: responses({ status: "completed" }),
      },
    ],
    [
      "a custom tool's call",
      { type: "custom_tool_call", call_id: "call_1", name: "shell", input: "ls", namespace: "os" },
      {
        role: "ROLE_ASSISTANT",
        content: [{ toolUse: { id: "call_1", name: "shell", arguments: "ls", kind: "TOOL_KIND_CUSTOM" } }],
        extension: responses({ namespace: "os" }),
      },
    ],
    [
      "a result as text",
      { type: "function_call_output", call_id: "call_1", output: "21 C" },
      {
        role: "ROLE_TOOL",
        content: [
          { toolResult: { toolUseId: "call_1", content: [{ text: { text: "21 C" } }], kind: "TOOL_KIND_FUNCTION" } },
        ],
      },
    ],
    [
      "a custom tool's result as parts",
      {
        type: "custom_tool_call_output",
        call_id: "call_1",
        output: [
          { type: "input_text", text: "See" },
          { type: "input_image", image_url: "https://example.com/a.png" },
        ],
      },
      {
        role: "ROLE_TOOL",
        content: [
          {
            toolResult: {
              toolUseId: "call_1",
              content: [{ text: { text: "See" } }, { image: { url: "https://example.com/a.png" } }],
              kind: "TOOL_KIND_CUSTOM",
            },
          },
        ],
      },
    ],
    [
      "reasoning",
      {
        type: "reasoning",
        id: "rs_1",
        summary: [
          { type: "summary_text", text: "First" },
          { type: "summary_text", text: "Second" },
        ],
        content: [{ type: "reasoning_text", text: "Raw" }],
        encrypted_content: "gAAA==",
      },
      {
        id: "rs_1",
        role: "ROLE_ASSISTANT",
        content: [{ thinking: { id: "rs_1", summary: ["First", "Second"], text: "Raw", opaque: "gAAA==" } }],
      },
    ],
    [
      "a message that said nothing as Codex sends it, with null content",
      { type: "message", role: "assistant", content: null },
      { role: "ROLE_ASSISTANT" },
    ],
    [
      "reasoning as Codex sends it, without id and with null content",
      { type: "reasoning", summary: [], content: null, encrypted_content: "gAAA==" },
      { role: "ROLE_ASSISTANT", content: [{ thinking: { opaque: "gAAA==" } }] },
    ],
    [
      "reasoning of more raw parts than the hub holds, whole",
      {
        type: "reasoning",
        id: "rs_1",
        summary: [],
        content: [
          { type: "reasoning_text", text: "a" },
          { type: "reasoning_text", text: "b" },
        ],
      },
      {
        id: "rs_1",
        content: [
          {
            opaque: responses({
              type: "reasoning",
              id: "rs_1",
              summary: [],
              content: [
                { type: "reasoning_text", text: "a" },
                { type: "reasoning_text", text: "b" },
              ],
            }),
          },
        ],
      },
    ],
    ["a reference without a type", { id: "msg_1" }, { id: "msg_1", content: [{ opaque: responses({ id: "msg_1" }) }] }],
    [
      "an item of an unknown type, whole",
      { type: "compaction", encrypted_content: "gAAA==", status: null },
      { content: [{ opaque: responses({ type: "compaction", encrypted_content: "gAAA==", status: null }) }] },
    ],
  ];

  it.each(items)("decodes %s", (_name, item, message) => {
    expect(decodeItem(item)).toEqual(message);
  });

  const choices: [choice: unknown, decoded: unknown][] = [
    ["none", { mode: "TOOL_CHOICE_MODE_NONE" }],
    ["auto", { mode: "TOOL_CHOICE_MODE_AUTO" }],
    [
      { type: "function", name: "f" },
      { mode: "TOOL_CHOICE_MODE_NAMED", name: "f", kind: "TOOL_KIND_FUNCTION" },
    ],
    [
      { type: "custom", name: "shell" },
      { mode: "TOOL_CHOICE_MODE_NAMED", name: "shell", kind: "TOOL_KIND_CUSTOM" },
    ],
    [
      { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "f" }, { type: "web_search" }] },
      {
        mode: "TOOL_CHOICE_MODE_REQUIRED",
        allowedNames: ["f"],
        opaque: responses({
          type: "allowed_tools",
          mode: "required",
          tools: [{ type: "function", name: "f" }, { type: "web_search" }],
        }),
      },
    ],
    [
      { type: "allowed_tools", mode: "auto", tools: [{ type: "web_search" }] },
      {
        mode: "TOOL_CHOICE_MODE_OPAQUE",
        opaque: responses({ type: "allowed_tools", mode: "auto", tools: [{ type: "web_search" }] }),
      },
    ],
    [
      { type: "mcp", server_label: "s" },
      { mode: "TOOL_CHOICE_MODE_OPAQUE", opaque: responses({ type: "mcp", server_label: "s" }) },
    ],
  ];

  it.each(choices)("decodes the tool choice %j", (choice, decoded) => {
    expect(decode({ model: "attune/m", input: "Hello", tool_choice: choice })).toMatchObject({ toolChoice: decoded });
  });

  const image = (part: unknown) => ({ input: ["a", "b"].map(() => ({ role: "user", content: [part] })) });
  const wrong: [body: JsonObject, param: string, problem: RegExp][] = [
    [{ model: undefined }, "model", /is required/],
    [{ model: "" }, "model", /must not be empty/],
    [{ model: 7 }, "model", /must be a string, not a number/],
    [{ input: undefined }, "input", /is required/],
    [{ input: 7 }, "input", /must be a string or an array of items/],
    [{ input: [] }, "input", /at least one item/],
    [{ input: ["Hello"] }, "input[0]", /must be an object, not a string/],
    [{ input: [{}] }, "input[0]", /needs a 'type'.*or a 'role'/],
    [{ input: [{ content: "Hello" }] }, "input[0]", /needs a 'type'.*or a 'role'/],
    [{ input: [{ role: "", content: "x" }] }, "input[0].role", /must be one of 'user', 'assistant'/],
    [{ input: [{ type: "message", content: "x" }] }, "input[0].role", /is required/],
    [{ input: [{ role: "user" }] }, "input[0].content", /is required/],
    [{ input: [{ role: "user", content: 7 }] }, "input[0].content", /must be a string or an array of parts/],
    [{ input: [{ role: "user", content: ["x"] }] }, "input[0].content[0]", /must be an object/],
    [{ input: [{ role: "user", content: [{ text: "x" }] }] }, "input[0].content[0].type", /is required/],
    [{ input: [{ role: "user", content: [{ type: "input_text" }] }] }, "input[0].content[0].text", /is required/],
    [
      { input: [{ role: "user", content: [{ type: "input_image" }] }] },
      "input[0].content[0]",
      /'image_url' or 'file_id'/,
    ],
    [
      { input: [{ role: "user", content: [{ type: "input_image", image_url: { url: "https://a" } }] }] },
      "input[0].content[0].image_url",
      /must be a string, not an object/,
    ],
    [image({ type: "input_image", image_url: "ftp://a" }), "input[0].content[0].image_url", /must begin with/],
    [
      image({ type: "input_image", image_url: "data:image/png;base64,%%%" }),
      "input[0].content[0].image_url",
      /is not a valid data: URL/,
    ],
    [
      image({ type: "input_image", image_url: "https://a", detail: 1 }),
      "input[0].content[0].detail",
      /must be one of 'auto'/,
    ],
    [image({ type: "input_file", filename: "a.pdf" }), "input[0].content[0]", /exactly one of 'file_data'/],
    [
      image({ type: "input_file", file_id: "f", file_url: "https://a" }),
      "input[0].content[0]",
      /exactly one of 'file_data'/,
    ],
    [
      image({ type: "input_text", text: "x", prompt_cache_breakpoint: { mode: "explicit", ttl: 30 } }),
      "input[0].content[0].prompt_cache_breakpoint.ttl",
      /must be one of '30m', '12h'/,
    ],
    [{ input: [{ type: "function_call", name: "f", arguments: "{}" }] }, "input[0].call_id", /is required/],
    [
      { input: [{ type: "function_call", call_id: "c", name: "f", arguments: {} }] },
      "input[0].arguments",
      /must be a string, not an object/,
    ],
    [{ input: [{ type: "function_call_output", output: "x" }] }, "input[0].call_id", /is required/],
    [{ input: [{ type: "function_call_output", call_id: "c" }] }, "input[0].output", /is required/],
    [{ input: [{ type: "reasoning", summary: [{ text: "x" }] }] }, "input[0].summary[0].type", /is required/],
    [{ instructions: ["x"] }, "instructions", /must be a string, not an array/],
    [{ max_output_tokens: 0 }, "max_output_tokens", /at least 1/],
    [{ max_output_tokens: 1.5 }, "max_output_tokens", /must be a whole number/],
    [{ temperature: 2.1 }, "temperature", /at most 2/],
    [{ top_p: -1 }, "top_p", /at least 0/],
    [{ stream: "yes" }, "stream", /must be true or false/],
    [{ reasoning: { effort: 3 } }, "reasoning.effort", /must be one of 'none', 'minimal'/],
    [{ reasoning: "low" }, "reasoning", /must be an object/],
    [{ text: { format: { type: "json_schema", name: "n" } } }, "text.format.schema", /is required/],
    [{ text: { verbosity: 1 } }, "text.verbosity", /must be one of/],
    [{ tools: {} }, "tools", /must be an array/],
    [{ tools: [{ name: "f" }] }, "tools[0].type", /is required/],
    [{ tools: [{ type: "function", function: { name: "f" } }] }, "tools[0].name", /is required/],
    [{ tools: [{ type: "function", name: "f", parameters: "{}" }] }, "tools[0].parameters", /must be an object/],
    [{ tool_choice: "" }, "tool_choice", /must be one of 'none', 'auto', 'required'/],
    [{ tool_choice: { type: "function" } }, "tool_choice.name", /is required/],
    [
      { tool_choice: { type: "allowed_tools", mode: 1, tools: [] } },
      "tool_choice.mode",
      /must be one of 'auto', 'required'/,
    ],
    [{ metadata: { a: 1 } }, "metadata.a", /must be a string/],
    [{ previous_response_id: 1 }, "previous_response_id", /must be a string, not a number/],
    [{ store: "no" }, "store", /must be true or false, not a string/],
    [{ conversation: "conv_1", previous_response_id: "r" }, "conversation", /cannot be used together with/],
    [{ background: true, store: false }, "store", /only if it is stored/],
  ];

  it.each(wrong)("refuses %j", (members, param, problem) => {
    const body = { model: "attune/m", input: "Hello", ...members };
    expect(() => decodeRequest(body)).toThrow(expect.objectContaining({ name: "WireError", param }));
    expect(() => decodeRequest(body)).toThrow(problem);
  });

  it("takes the request of a coding agent as it is", () => {
    const body = {
      model: "attune/m",
      input: [
        { type: "message", role: "developer", content: [{ type: "input_text", text: "Sandbox is on." }] },
        { type: "message", role: "user", content: [{ type: "input_text", text: "Fix the test." }] },
      ],
      tools: [
        { type: "function", name: "shell", description: "Runs", strict: false, parameters: { type: "object" } },
        { type: "namespace", name: "mcp", description: "Tools", tools: [{ type: "function", name: "read" }] },
        { type: "web_search", external_web_access: false },
      ],
      tool_choice: "auto",
      parallel_tool_calls: true,
      reasoning: { summary: "auto" },
      store: false,
      stream: true,
      include: ["reasoning.encrypted_content"],
      prompt_cache_key: "0199",
      client_metadata: { originator: "codex" },
    };
    expect(decode(body)).toMatchObject({
      messages: [{ role: "ROLE_DEVELOPER" }, { role: "ROLE_USER" }],
      tools: [
        { function: { name: "shell" } },
        { opaque: responses(body.tools[1]) },
        { opaque: responses(body.tools[2]) },
      ],
      store: false,
      extension: responses({
        include: ["reasoning.encrypted_content"],
        client_metadata: { originator: "codex" },
      }),
    });
  });
});
