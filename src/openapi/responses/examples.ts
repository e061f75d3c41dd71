/** Id of the Response of the examples. */
export const EXAMPLE_ID = "01a21d33-4f3a-7474-b282-191505dc5e40";

/** A Response. */
export const RESPONSE_EXAMPLE = {
  id: EXAMPLE_ID,
  object: "response",
  created_at: 1795786231,
  completed_at: 1795786231,
  status: "completed",
  background: false,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  model: "attune/gpt-6-astra",
  output: [
    {
      id: "msg_01a21d334f3a7474b282191505dc5e40_0",
      type: "message",
      role: "assistant",
      status: "completed",
      content: [
        {
          type: "output_text",
          text: "This is Attune's sandbox, not a model. You said: Hello",
          annotations: [],
          logprobs: [],
        },
      ],
    },
  ],
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: "default",
  store: true,
  temperature: 1,
  text: { format: { type: "text" } },
  tool_choice: "auto",
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: "disabled",
  presence_penalty: 0,
  frequency_penalty: 0,
  usage: {
    input_tokens: 1,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: 15,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 16,
  },
  metadata: {},
};

/** An event of a stream. */
export const DELTA_EXAMPLE = {
  type: "response.output_text.delta",
  sequence_number: 4,
  item_id: "msg_01a21d334f3a7474b282191505dc5e40_0",
  output_index: 0,
  content_index: 0,
  delta: "This",
  logprobs: [],
};

/** An item of a prompt. */
export const ITEM_EXAMPLE = {
  id: "msg_01a21d3350147690bd82f47d2e8d8151",
  type: "message",
  role: "user",
  status: "completed",
  content: [{ type: "input_text", text: "Hello" }],
};

/** A page of items. */
export const PAGE_EXAMPLE = {
  object: "list",
  data: [ITEM_EXAMPLE],
  first_id: ITEM_EXAMPLE.id,
  last_id: ITEM_EXAMPLE.id,
  has_more: false,
};
