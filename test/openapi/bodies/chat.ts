const mark = { prompt_cache_breakpoint: { mode: "explicit", ttl: "30m" }, cache_control: { type: "ephemeral" } };
const parameters = { type: "object", properties: {} };
const control = { cache_control: { type: "ephemeral" } };

const messages = [
  { role: "system", content: [{ type: "text", text: "Be brief", ...mark }], name: "one", ...control },
  { role: "developer", content: "Be kind", name: "two", ...control },
  {
    role: "user",
    name: "jane",
    ...control,
    content: [
      { type: "text", text: "What is it?", ...mark },
      { type: "image_url", image_url: { url: "https://example.com/a.png", detail: "low" }, ...mark },
      { type: "input_audio", input_audio: { data: "AAAA", format: "wav" }, ...mark },
      { type: "file", file: { file_data: "data:text/plain;base64,AAAA", filename: "a.txt" }, ...mark },
      { type: "file", file: { file_id: "file-1" } },
    ],
  },
  {
    role: "assistant",
    name: "model",
    ...control,
    content: [{ type: "refusal", refusal: "No", ...mark }],
    refusal: "No",
    reasoning_content: "Hm",
    reasoning_details: [
      { type: "reasoning.summary", summary: "Hm", id: "r1" },
      { type: "reasoning.text", text: "Hm", signature: "s", id: "r1" },
      { type: "reasoning.encrypted", data: "x" },
    ],
    annotations: [],
    audio: { id: "audio-1" },
    tool_calls: [
      { id: "call-1", type: "function", function: { name: "weather", arguments: "{}" }, ...control },
      { id: "call-2", type: "custom", custom: { name: "shell", input: "ls" }, ...control },
    ],
  },
  { role: "tool", tool_call_id: "call-1", content: "sun", ...control },
  { role: "tool", tool_call_id: "call-2", content: [{ type: "text", text: "a" }] },
];

const all = {
  model: "m",
  messages,
  stream: true,
  stream_options: { include_usage: true },
  max_completion_tokens: 5,
  max_tokens: 5,
  temperature: 1,
  top_p: 1,
  logprobs: true,
  top_logprobs: 2,
  n: 2,
  stop: ["a"],
  reasoning_effort: "low",
  verbosity: "low",
  response_format: {
    type: "json_schema",
    json_schema: { name: "answer", description: "The answer", schema: { type: "object" }, strict: true },
  },
  tools: [
    {
      type: "function",
      function: { name: "weather", description: "Tells it", parameters, strict: true, ...control },
      ...control,
    },
    { type: "custom", custom: { name: "shell", description: "Runs it", format: { type: "text" } }, ...control },
  ],
  tool_choice: {
    type: "allowed_tools",
    allowed_tools: { mode: "auto", tools: [{ type: "function", function: { name: "weather" } }] },
  },
  parallel_tool_calls: true,
  modalities: ["text"],
  metadata: { team: "search" },
  safety_identifier: "jane",
  user: "jane",
  prompt_cache_key: "k",
  prompt_cache_options: { mode: "implicit" },
  prompt_cache_retention: "24h",
  ...control,
  store: true,
  seed: 1,
  frequency_penalty: 1,
  presence_penalty: 1,
  logit_bias: { 50: 1 },
  service_tier: "auto",
  prediction: { type: "content" },
  moderation: { mode: "auto" },
  audio: { voice: "a" },
  web_search_options: {},
};

const user = { role: "user", content: "Hi" };
const { tools } = all;

/** Requests of the Chat format that have every member of the document together. */
export const CHAT_BODIES: readonly object[] = [
  all,
  {
    model: "m",
    stop: "a",
    functions: [{ name: "weather", description: "Tells it", parameters, strict: true }],
    function_call: { name: "weather" },
    response_format: { type: "text" },
    messages: [
      user,
      { role: "assistant", reasoning: "Hm", function_call: { name: "weather", arguments: "{}" } },
      { role: "function", name: "weather", content: "sun" },
    ],
  },
  { model: "m", messages: [user], tools, tool_choice: "auto", response_format: { type: "json_object" } },
  { model: "m", messages: [user], tools, tool_choice: { type: "function", function: { name: "weather" } } },
  { model: "m", messages: [user], tools, tool_choice: { type: "custom", custom: { name: "shell" } } },
];
