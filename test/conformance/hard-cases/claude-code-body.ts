const MARK = { type: "ephemeral" };

/** Names of the tools that Claude Code brings. */
export const CLAUDE_CODE_TOOLS = [
  ...["Task", "TaskOutput", "TaskStop", "Bash", "Glob", "Grep", "Read", "Edit", "Write", "NotebookEdit", "WebFetch"],
  ...["WebSearch", "TodoWrite", "AskUserQuestion", "Skill", "EnterPlanMode", "ExitPlanMode", "KillShell", "BashOutput"],
  ...["SlashCommand", "ListMcpResourcesTool", "ReadMcpResourceTool", "CronCreate", "CronDelete"],
];

/**
 * A body as Claude Code sends it: 24 tools, three cache marks, adaptive thinking, context management, effort, metadata
 * that is JSON in a text, and a system message, a plain text, as the last message.
 */
export const CLAUDE_CODE_BODY = {
  max_tokens: 32000,
  stream: true,
  thinking: { type: "adaptive" },
  context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
  output_config: { effort: "high" },
  metadata: { user_id: '{"device_id":"d0c1","account_uuid":"","session_id":"4f6e2a52-1f7c-4d53-9b57-1b0a7e1c0d11"}' },
  system: [
    { type: "text", text: "x-anthropic-billing-header: cc_version=2.1.197; cc_entrypoint=cli;" },
    { type: "text", text: "You are Claude Code, Anthropic's official CLI for Claude.", cache_control: MARK },
    { type: "text", text: "You are an interactive agent that helps with software.", cache_control: MARK },
  ],
  tools: CLAUDE_CODE_TOOLS.map((name) => ({
    name,
    description: `Does what ${name} says.`,
    input_schema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { description: { type: "string", description: "Why" }, timeout: { type: "number", maximum: 600000 } },
      required: ["description"],
      additionalProperties: false,
    },
  })),
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "<system-reminder>\nToday is 2026-11-21.\n</system-reminder>" },
        { type: "text", text: "List the files here", cache_control: MARK },
      ],
    },
    { role: "system", content: "The working directory is /srv/project." },
  ],
};

/** The headers that go with it, besides the key. */
export const CLAUDE_CODE_HEADERS = {
  "anthropic-version": "2023-06-01",
  "anthropic-beta":
    "claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27,effort-2025-11-24",
  "anthropic-dangerous-direct-browser-access": "true",
  "user-agent": "claude-cli/2.1.197 (external, cli)",
  "x-app": "cli",
  "x-stainless-lang": "js",
  "x-stainless-retry-count": "0",
};
