const mark = { prompt_cache_breakpoint: { mode: "explicit", ttl: "30m" }, annotations: [] };

const input = [
  {
    type: "message",
    role: "user",
    id: "msg_1",
    content: [
      { type: "input_text", text: "What is it?", ...mark },
      { type: "input_image", image_url: "https://example.com/a.png", detail: "low", ...mark },
      { type: "input_image", file_id: "file-1" },
      { type: "input_file", file_data: "data:text/plain;base64,AAAA", filename: "a.txt", ...mark },
      { type: "input_file", file_url: "https://example.com/a.pdf" },
      { type: "input_file", file_id: "file-1" },
      { type: "input_audio", input_audio: { data: "AAAA", format: "wav" }, ...mark },
    ],
  },
  {
    type: "message",
    role: "assistant",
    content: [
      { type: "output_text", text: "A cat", ...mark },
      { type: "refusal", refusal: "No", ...mark },
    ],
  },
  {
    type: "reasoning",
    id: "rs_1",
    summary: [{ type: "summary_text", text: "Hm" }],
    content: [{ type: "reasoning_text", text: "Hm" }],
    encrypted_content: "x",
  },
  { type: "function_call", id: "fc_1", call_id: "call-1", name: "weather", arguments: "{}" },
  { type: "function_call_output", id: "fo_1", call_id: "call-1", output: "sun" },
  { type: "custom_tool_call", id: "ct_1", call_id: "call-2", name: "shell", input: "ls" },
  { type: "custom_tool_call_output", id: "co_1", call_id: "call-2", output: [{ type: "input_text", text: "a" }] },
];

const tools = [
  { type: "function", name: "weather", description: "Tells it", parameters: { type: "object" }, strict: true },
  { type: "custom", name: "shell", description: "Runs it", format: { type: "text" } },
];

/** Requests of the Responses format that have every member of the document together. */
export const RESPONSES_BODIES: readonly object[] = [
  {
    model: "m",
    input,
    instructions: "Be brief",
    stream: true,
    background: true,
    store: true,
    previous_response_id: "01a21d33-4f3a-7474-b282-191505dc5e40",
    max_output_tokens: 5,
    temperature: 1,
    top_p: 1,
    top_logprobs: 2,
    reasoning: { effort: "low", summary: "auto" },
    text: {
      verbosity: "low",
      format: {
        type: "json_schema",
        name: "answer",
        description: "The answer",
        schema: { type: "object" },
        strict: true,
      },
    },
    tools,
    tool_choice: { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "weather" }] },
    parallel_tool_calls: true,
    include: ["message.output_text.logprobs"],
    metadata: { team: "search" },
    safety_identifier: "jane",
    prompt_cache_key: "k",
    user: "jane",
    max_tool_calls: 2,
    service_tier: "auto",
    truncation: "auto",
    presence_penalty: 1,
    frequency_penalty: 1,
  },
  { model: "m", input: "Hi", tools, tool_choice: "auto", text: { format: { type: "text" } } },
  {
    model: "m",
    input: "Hi",
    tools,
    tool_choice: { type: "function", name: "weather" },
    text: { format: { type: "json_object" } },
    conversation: { id: "conv_01a21d334ff9754683205e7f4efb77f5" },
  },
  {
    model: "m",
    input: [{ role: "user", content: "Hi" }],
    tools,
    tool_choice: { type: "custom", name: "shell" },
    conversation: "conv_01a21d334ff9754683205e7f4efb77f5",
  },
];
