import { describe, expect, it } from "vitest";
import { requestJson } from "../../../../src/dashboard/features/history/content-tasks.ts";
import { decodeRequest } from "../../../../src/formats/messages/request/decode-request.ts";
import { type JsonObject, parseJsonObject } from "../../../../src/formats/shared/json.ts";

const MINIMAL = { model: "attune/m", max_tokens: 16, messages: [{ role: "user", content: "Hi" }] };

/** The hub's form of a body, as protobuf JSON, without what every request has. */
function decoded(body: JsonObject): unknown {
  return requestJson(decodeRequest({ ...MINIMAL, ...body }).input);
}

const BASE = {
  model: "attune/m",
  dialect: "DIALECT_MESSAGES",
  maxOutputTokens: 16,
  messages: [{ role: "ROLE_USER", content: [{ text: { text: "Hi" } }] }],
};

const raw = (json: string) => ({ dialect: "DIALECT_MESSAGES", json });

describe("decodeRequest()", () => {
  it("decodes the least that a request may have", () => {
    const { input, stream, body } = decodeRequest(MINIMAL);
    expect(requestJson(input)).toEqual(BASE);
    expect(stream).toBe(false);
    expect(body).toBe(MINIMAL);
  });

  const members: readonly [string, JsonObject, JsonObject][] = [
    ["sampling", { temperature: 0.5, top_p: 0.9, top_k: 40 }, { temperature: 0.5, topP: 0.9, topK: 40 }],
    ["stop sequences", { stop_sequences: ["END", "\n"] }, { stopSequences: ["END", "\n"] }],
    ["null as not given", { temperature: null, tools: null, container: null, metadata: { user_id: null } }, {}],
    [
      "metadata",
      { metadata: { user_id: '{"device":"x"}', team: "a" } },
      { endUserId: '{"device":"x"}', extension: raw('{"metadata":{"team":"a"}}') },
    ],
    ["a system string", { system: "Be brief." }, { system: [{ text: { text: "Be brief." } }] }],
    ["an empty system string", { system: "" }, {}],
    [
      "system blocks with marks",
      { system: [{ type: "text", text: "A", cache_control: { type: "ephemeral", ttl: "1h" } }] },
      { system: [{ text: { text: "A" }, cacheMark: { ttl: "CACHE_TTL_1H" } }] },
    ],
    ["an automatic mark", { cache_control: { type: "ephemeral" } }, { automaticCacheMark: {} }],
    [
      "members that only the format knows",
      { container: "c_1", context_management: { edits: [] }, service_tier: "auto", mcp_servers: [], speed: "fast" },
      {
        extension: raw(
          '{"container":"c_1","context_management":{"edits":[]},"service_tier":"auto","mcp_servers":[],"speed":"fast"}',
        ),
      },
    ],
    [
      "thinking with a budget",
      { thinking: { type: "enabled", budget_tokens: 1024, display: "omitted", new: 1 } },
      {
        reasoning: {
          mode: "THINKING_MODE_ENABLED",
          budgetTokens: 1024,
          display: "omitted",
          extension: raw('{"new":1}'),
        },
      },
    ],
    ["thinking off", { thinking: { type: "disabled" } }, { reasoning: { mode: "THINKING_MODE_DISABLED" } }],
    [
      "adaptive thinking and effort",
      { thinking: { type: "adaptive" }, output_config: { effort: "xhigh", task_budget: { total: 5 } } },
      {
        reasoning: { mode: "THINKING_MODE_ADAPTIVE", effort: "REASONING_EFFORT_XHIGH" },
        extension: raw('{"output_config":{"task_budget":{"total":5}}}'),
      },
    ],
    [
      "an output format",
      { output_config: { format: { type: "json_schema", schema: { type: "object" } } } },
      { outputFormat: { jsonSchema: { schemaJson: '{"type":"object"}' } } },
    ],
    [
      "an output format as the beta had it",
      { output_format: { type: "json_schema", schema: { type: "object" } } },
      { outputFormat: { jsonSchema: { schemaJson: '{"type":"object"}' } } },
    ],
    [
      "an output format of today beside that of the beta",
      {
        output_format: { type: "json_schema", schema: {} },
        output_config: { format: { type: "json_schema", schema: { type: "object" } } },
      },
      {
        outputFormat: { jsonSchema: { schemaJson: '{"type":"object"}' } },
        extension: raw('{"output_format":{"type":"json_schema","schema":{}}}'),
      },
    ],
    [
      "tools of both kinds",
      {
        tools: [
          {
            name: "get_weather",
            description: "Weather",
            input_schema: { type: "object", properties: { city: { type: "string" } } },
            strict: true,
            eager_input_streaming: true,
            cache_control: { type: "ephemeral", ttl: "5m", scope: "global" },
          },
          { type: "custom", name: "noop", input_schema: { type: "object" } },
          { type: "web_search_20260318", name: "web_search", cache_control: { type: "ephemeral" } },
        ],
      },
      {
        tools: [
          {
            function: {
              name: "get_weather",
              description: "Weather",
              parametersJson: '{"type":"object","properties":{"city":{"type":"string"}}}',
              strict: true,
            },
            cacheMark: { ttl: "CACHE_TTL_5M" },
            extension: raw('{"eager_input_streaming":true,"cache_control":{"scope":"global"}}'),
          },
          { function: { name: "noop", parametersJson: '{"type":"object"}' } },
          {
            opaque: raw('{"type":"web_search_20260318","name":"web_search","cache_control":{"type":"ephemeral"}}'),
            cacheMark: {},
          },
        ],
      },
    ],
    ["choice auto", { tool_choice: { type: "auto" } }, { toolChoice: { mode: "TOOL_CHOICE_MODE_AUTO" } }],
    [
      "choice any, one call",
      { tool_choice: { type: "any", disable_parallel_tool_use: true } },
      { toolChoice: { mode: "TOOL_CHOICE_MODE_REQUIRED" }, parallelToolCalls: false },
    ],
    [
      "choice of a tool",
      { tool_choice: { type: "tool", name: "f", disable_parallel_tool_use: false } },
      {
        toolChoice: { mode: "TOOL_CHOICE_MODE_NAMED", name: "f", kind: "TOOL_KIND_FUNCTION" },
        parallelToolCalls: true,
      },
    ],
    ["choice none", { tool_choice: { type: "none" } }, { toolChoice: { mode: "TOOL_CHOICE_MODE_NONE" } }],
    [
      "a choice with unknown members",
      { tool_choice: { type: "auto", prefer: "f" } },
      { toolChoice: { mode: "TOOL_CHOICE_MODE_OPAQUE", opaque: raw('{"type":"auto","prefer":"f"}') } },
    ],
  ];

  it.each(members)("decodes %s", (_what, body, expected) => {
    expect(decoded(body)).toEqual({ ...BASE, ...expected });
  });

  it("accepts a token limit of zero, which fills the cache", () => {
    expect(decoded({ max_tokens: 0 })).toEqual({ ...BASE, maxOutputTokens: 0 });
  });

  it("decodes every kind of block, in its place", () => {
    const messages = [
      {
        role: "user",
        content: [
          { type: "text", text: "Look", citations: null },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
          { type: "image", source: { type: "url", url: "https://x.test/a.png" }, cache_control: { type: "ephemeral" } },
          { type: "image", source: { type: "file", file_id: "file_1" } },
          {
            type: "document",
            source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" },
            title: "T",
            context: "C",
            citations: { enabled: true },
          },
          { type: "document", source: { type: "text", media_type: "text/plain", data: "plain" } },
          { type: "document", source: { type: "content", content: [{ type: "text", text: "part" }] } },
          { type: "document", source: { type: "content", content: "whole" } },
          { type: "document", source: { type: "url", url: "https://x.test/a.pdf" } },
          { type: "search_result", source: "s", title: "t", content: [{ type: "text", text: "found" }] },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm.", signature: "c2ln" },
          { type: "thinking", thinking: "", signature: "b21pdA==" },
          { type: "redacted_thinking", data: "ZGF0YQ==" },
          { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "q" } },
          { type: "tool_use", id: "toolu_1", name: "f", input: { a: [1] }, caller: { type: "direct" } },
          { type: "tool_use", id: "toolu_2", name: "g", input: {}, toolset_name: "browser" },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "toolu_1", content: "done", is_error: true },
          {
            type: "tool_result",
            tool_use_id: "toolu_2",
            content: [
              { type: "text", text: "see" },
              { type: "image", source: { type: "url", url: "https://x.test/b.png" } },
              { type: "tool_reference", tool_name: "h" },
            ],
            cache_control: { type: "ephemeral" },
          },
          { type: "text", text: "go on" },
        ],
      },
      { role: "system", content: "Now be brief.", clear_at: "never" },
    ];
    expect(decoded({ messages })).toEqual({
      ...BASE,
      messages: [
        {
          role: "ROLE_USER",
          content: [
            { text: { text: "Look" } },
            { image: { inline: { mediaType: "image/png", base64: "iVBORw0KGgo=" } } },
            { image: { url: "https://x.test/a.png" }, cacheMark: {} },
            { image: { fileId: "file_1" } },
            {
              document: { inline: { mediaType: "application/pdf", base64: "JVBERi0=" }, title: "T", context: "C" },
              extension: raw('{"citations":{"enabled":true}}'),
            },
            { document: { text: "plain" } },
            { document: { content: { blocks: [{ text: { text: "part" } }] } } },
            { document: { content: { blocks: [{ text: { text: "whole" } }] } } },
            { document: { url: "https://x.test/a.pdf" } },
            {
              document: { content: { blocks: [{ text: { text: "found" } }] }, title: "t" },
              extension: raw('{"source":"s"}'),
            },
          ],
        },
        {
          role: "ROLE_ASSISTANT",
          content: [
            { thinking: { summary: ["Hm."], opaque: "c2ln" } },
            { thinking: { opaque: "b21pdA==" } },
            { redactedThinking: { data: "ZGF0YQ==" } },
            { opaque: raw('{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}}') },
            { toolUse: { id: "toolu_1", name: "f", arguments: '{"a":[1]}', kind: "TOOL_KIND_FUNCTION" } },
            {
              toolUse: { id: "toolu_2", name: "g", arguments: "{}", kind: "TOOL_KIND_FUNCTION" },
              extension: raw('{"toolset_name":"browser"}'),
            },
          ],
        },
        {
          role: "ROLE_USER",
          content: [
            {
              toolResult: {
                toolUseId: "toolu_1",
                content: [{ text: { text: "done" } }],
                isError: true,
                kind: "TOOL_KIND_FUNCTION",
              },
            },
            {
              toolResult: {
                toolUseId: "toolu_2",
                content: [
                  { text: { text: "see" } },
                  { image: { url: "https://x.test/b.png" } },
                  { opaque: raw('{"type":"tool_reference","tool_name":"h"}') },
                ],
                kind: "TOOL_KIND_FUNCTION",
              },
              cacheMark: {},
            },
            { text: { text: "go on" } },
          ],
        },
        {
          role: "ROLE_SYSTEM",
          content: [{ text: { text: "Now be brief." } }],
          extension: raw('{"clear_at":"never"}'),
        },
      ],
    });
  });

  it("keeps numbers of a tool's input exact", () => {
    const body = parseJsonObject(`{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"x"},
      {"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{"n":9007199254740993,"e":1e400}}]},
      {"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]}]}`);
    const kind = decodeRequest(body ?? {}).input.messages[1]?.content[0]?.kind;
    expect(kind).toMatchObject({ case: "toolUse", value: { arguments: '{"n":9007199254740993,"e":1e400}' } });
  });

  it("reads a signature that Attune left empty as none", () => {
    const messages = [
      { role: "user", content: "x" },
      { role: "assistant", content: [{ type: "thinking", thinking: "Hm.", signature: "" }] },
    ];
    expect(decoded({ messages })).toMatchObject({
      messages: [{}, { role: "ROLE_ASSISTANT", content: [{ thinking: { summary: ["Hm."] } }] }],
    });
    expect(JSON.stringify(decoded({ messages }))).not.toContain("opaque");
  });
});
