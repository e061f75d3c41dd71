const mark = { cache_control: { type: "ephemeral", ttl: "5m" } };
const base64 = { type: "base64", media_type: "image/png", data: "AAAA" };
const url = { type: "url", url: "https://example.com/a" };
const file = { type: "file", file_id: "file-1" };
const user = { role: "user", content: "Hi" };

const messages = [
  {
    role: "user",
    content: [
      { type: "text", text: "What is it?" },
      { type: "image", source: base64, ...mark },
      { type: "image", source: url },
      { type: "image", source: file },
      { type: "document", source: base64, title: "a", context: "b", ...mark },
      { type: "document", source: url },
      { type: "document", source: file },
      { type: "document", source: { type: "text", media_type: "text/plain", data: "a" } },
      { type: "document", source: { type: "content", content: "a" } },
    ],
  },
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "Hm", signature: "s" },
      { type: "redacted_thinking", data: "x" },
      { type: "tool_use", id: "call-1", name: "weather", input: {}, ...mark },
    ],
  },
  {
    role: "user",
    content: [
      {
        type: "tool_result",
        tool_use_id: "call-1",
        content: [{ type: "text", text: "sun" }],
        is_error: false,
        ...mark,
      },
    ],
  },
];

const tools = [
  { type: "custom", name: "weather", description: "Tells it", input_schema: { type: "object" }, strict: true, ...mark },
];

/** Requests of the Messages format that have every member of the document together. */
export const MESSAGES_BODIES: readonly object[] = [
  {
    model: "m",
    max_tokens: 2000,
    messages,
    system: [{ type: "text", text: "Be brief" }],
    stream: true,
    temperature: 1,
    top_p: 1,
    top_k: 5,
    stop_sequences: ["a"],
    thinking: { type: "enabled", budget_tokens: 1024, display: "omitted" },
    output_config: { effort: "low", format: { type: "json_schema", schema: { type: "object" } } },
    metadata: { user_id: "jane" },
    thread: { type: "create" },
    container: "c",
    context_management: {},
  },
  {
    model: "m",
    max_tokens: 5,
    system: "Be brief",
    messages: [{ role: "user", content: [{ type: "text", text: "Hi", ...mark }] }],
    tools,
    tool_choice: { type: "tool", name: "weather", disable_parallel_tool_use: true },
    thinking: { type: "adaptive", display: "omitted" },
    ...mark,
    container: { id: "c" },
  },
  {
    model: "m",
    max_tokens: 5,
    messages: [user],
    tools,
    tool_choice: { type: "auto", disable_parallel_tool_use: true },
    thinking: { type: "disabled", display: "omitted" },
  },
  {
    model: "m",
    max_tokens: 5,
    messages: [user],
    tools,
    tool_choice: { type: "any", disable_parallel_tool_use: true },
    thinking: { type: "between_tools", display: "omitted" },
  },
  { model: "m", max_tokens: 5, messages: [user], tools, tool_choice: { type: "none" } },
  {
    model: "m",
    max_tokens: 5,
    messages: [user],
    thread: { type: "continue", previous_message_id: "01a21d33-4fbe-7375-bffd-9508bde983ca" },
  },
];
