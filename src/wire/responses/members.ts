export { LATE_ITEM_MEMBERS } from "../../lib/late-item-members.ts";

/**
 * Members of items and parts that the hub models, by type. All others travel as an extension and come back as they were.
 * `status` of an item is not among them: the answer's own end says what it is, and a history keeps the caller's.
 */
export const MODELLED = {
  message: new Set(["type", "id", "role", "content"]),
  function_call: new Set(["type", "id", "call_id", "name", "arguments"]),
  custom_tool_call: new Set(["type", "id", "call_id", "name", "input"]),
  function_call_output: new Set(["type", "id", "call_id", "output"]),
  custom_tool_call_output: new Set(["type", "id", "call_id", "output"]),
  reasoning: new Set(["type", "id", "summary", "content", "encrypted_content"]),
  text: new Set(["type", "text", "prompt_cache_breakpoint"]),
  refusal: new Set(["type", "refusal", "prompt_cache_breakpoint"]),
  input_image: new Set(["type", "image_url", "file_id", "detail", "prompt_cache_breakpoint"]),
  input_file: new Set(["type", "file_data", "file_id", "file_url", "filename", "prompt_cache_breakpoint"]),
  input_audio: new Set(["type", "input_audio", "prompt_cache_breakpoint"]),
  input_audio_inner: new Set(["data", "format"]),
} as const satisfies Record<string, ReadonlySet<string>>;
