const PARAMETERS = {
  type: "object",
  properties: { cmd: { type: "string", description: "Shell command" }, yield_time_ms: { type: "number" } },
  required: ["cmd"],
  additionalProperties: false,
};

/**
 * A body as Codex sends it: no instructions but developer messages, tools of types that only OpenAI knows, members that
 * are in no documentation, encrypted reasoning asked for and nothing stored.
 */
export const CODEX_BODY = {
  input: [
    {
      type: "message",
      role: "developer",
      content: [
        { type: "input_text", text: "<permissions instructions>\nAsk before you write.\n</permissions instructions>" },
      ],
    },
    {
      type: "message",
      role: "user",
      content: [
        { type: "input_text", text: "<environment_context>\n  <cwd>/srv/project</cwd>\n</environment_context>" },
      ],
    },
    { type: "message", role: "user", content: [{ type: "input_text", text: "List the files here" }] },
  ],
  tools: [
    { type: "function", name: "exec_command", description: "Runs a command.", strict: false, parameters: PARAMETERS },
    { type: "function", name: "update_plan", description: "Updates the plan.", strict: false, parameters: PARAMETERS },
    {
      type: "namespace",
      name: "multi_agent",
      description: "Agents beside this one.",
      tools: [
        { type: "function", name: "spawn_agent", description: "Starts one.", strict: false, parameters: PARAMETERS },
      ],
    },
    { type: "web_search", external_web_access: true },
  ],
  tool_choice: "auto",
  parallel_tool_calls: true,
  reasoning: { summary: "auto" },
  store: false,
  stream: true,
  include: ["reasoning.encrypted_content"],
  prompt_cache_key: "019aa1c2-7d53-7b60-8f5e-3a1d2c4b5e6f",
  client_metadata: { "x-codex-installation-id": "5b0e5b3c-7f6d-4c15-a2f4-0d8f6ef0a1b2" },
};

/** The headers that go with it, besides the key. */
export const CODEX_HEADERS = {
  accept: "text/event-stream",
  "session-id": "019aa1c2-7d53-7b60-8f5e-3a1d2c4b5e6f",
  "thread-id": "019aa1c2-7d53-7b60-8f5e-3a1d2c4b5e6f",
  "x-codex-window-id": "019aa1c2-7d53-7b60-8f5e-3a1d2c4b5e6f:0",
  "user-agent": "codex_cli_rs/0.169.0",
};
