import type Anthropic from "@anthropic-ai/sdk";
import { ChatConversation } from "./chat-conversation.ts";
import type { Agent } from "./conversation.ts";
import { MessagesConversation } from "./messages-conversation.ts";
import { ResponsesConversation } from "./responses-conversation.ts";

/** The tool that the scripted models call; agents have others beside. */
const parameters = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object" as const,
  properties: { city: { type: "string", description: "Name of the city" } },
  required: ["city"],
  additionalProperties: false,
};
const shell = {
  type: "object" as const,
  properties: {
    command: { type: "array", items: { type: "string" } },
    workdir: { type: "string" },
    timeout_ms: { type: "number" },
  },
  required: ["command"],
  additionalProperties: false,
};

const ephemeral = { type: "ephemeral" as const };
const RULES = "You are an interactive tool that helps users with software engineering tasks.";
const ENVIRONMENT = "Here is useful information about the environment: Working directory: /home/dev/shop";

const MARKS_AND_CONTEXT = [
  "anthropic-beta",
  "context_management",
  ...["system[0]", "system[1]", ...[0, 2, 4].map((at) => `messages[${at}].content[1]`)].map(
    (place) => `${place}.cache_control`,
  ),
];

/**
 * A coding agent in the terminal that speaks Messages: marked system blocks, thinking, a session id, context
 * management.
 */
const terminalOverMessages: Agent = {
  name: "a coding agent in the terminal, over Messages",
  hasTools: true,
  instructions: [RULES, ENVIRONMENT],
  begin: (place) =>
    new MessagesConversation(place, {
      headers: {
        "x-app": "cli",
        "x-claude-code-session-id": "b7e2",
        "anthropic-beta": "interleaved-thinking-2025-05-14,context-management-2025-06-27",
      },
      body: {
        max_tokens: 4096,
        system: [
          { type: "text", text: RULES, cache_control: ephemeral },
          { type: "text", text: ENVIRONMENT, cache_control: ephemeral },
        ],
        tools: [
          { name: "Bash", description: "Executes a given bash command", input_schema: shell },
          { name: "get_weather", description: "Weather of a city", input_schema: parameters },
          { name: "mcp__tracker__list_issues", description: "Lists issues", input_schema: { type: "object" } },
        ],
        thinking: { type: "adaptive" },
        output_config: { effort: "medium" },
        context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
        metadata: { user_id: "user_0f3a_account__session_b7e2" },
      },
      said: (text) => [
        { type: "text", text: "<system-reminder>The todo list is empty.</system-reminder>" },
        { type: "text", text },
      ],
      marked: markLatest,
    }),
  facts: { sessionId: "b7e2", sessionSource: "x-claude-code-session-id", endUserId: "user_0f3a" },
  // Marks and betas mean nothing to upstreams of other formats; what is said of old thinking only its own format knows.
  losses: { chat: MARKS_AND_CONTEXT, responses: MARKS_AND_CONTEXT, messages: [] },
};

/** Puts a cache mark on the last block of the last message, as such agents do for every request. */
function markLatest(messages: Anthropic.Beta.BetaMessageParam[]): Anthropic.Beta.BetaMessageParam[] {
  const latest = messages.at(-1);
  const blocks = latest?.content;
  if (latest === undefined || !Array.isArray(blocks)) return messages;
  const content = blocks.map((block, index) =>
    index === blocks.length - 1 ? ({ ...block, cache_control: ephemeral } as typeof block) : block,
  );
  return [...messages.slice(0, -1), { ...latest, content } as Anthropic.Beta.BetaMessageParam];
}

/** A member that the SDK of today has no type for. */
const SAMPLED = { temperature: 0.2 };

/**
 * A framework's agent that speaks Messages as an earlier SDK does: a plain system text, a tool choice, a temperature,
 * no thinking.
 */
const frameworkOverMessages: Agent = {
  name: "a framework's agent, over Messages",
  hasTools: true,
  instructions: ["You plan journeys."],
  begin: (place) =>
    new MessagesConversation(place, {
      headers: { "anthropic-version": "2023-06-01" },
      body: {
        max_tokens: 1024,
        ...SAMPLED,
        system: "You plan journeys.",
        tools: [{ type: "custom", name: "get_weather", description: "Weather of a city", input_schema: parameters }],
        tool_choice: { type: "auto", disable_parallel_tool_use: false },
      },
      said: (text) => [{ type: "text", text }],
    }),
  losses: { chat: [], responses: [], messages: [] },
};

/**
 * A coding agent in the terminal that speaks Responses: nothing stored, reasoning sent back encrypted, a free-text
 * tool.
 */
const terminalOverResponses: Agent = {
  name: "a coding agent in the terminal, over Responses",
  hasTools: true,
  instructions: ["You are a coding agent running in the command line interface.", "approval_policy is on-request"],
  begin: (place) => {
    const body = {
      instructions: "You are a coding agent running in the command line interface.",
      tools: [
        { type: "function", name: "shell", description: "Runs a command", strict: false, parameters: shell },
        { type: "function", name: "get_weather", description: "Weather of a city", strict: false, parameters },
        {
          type: "custom",
          name: "apply_patch",
          description: "Edits files",
          format: { type: "grammar", syntax: "lark", definition: 'start: "*** Begin Patch"' },
        },
      ],
      tool_choice: "auto",
      parallel_tool_calls: true,
      reasoning: { effort: "medium", summary: "auto" },
      text: { verbosity: "low" },
      store: false,
      include: ["reasoning.encrypted_content"],
      prompt_cache_key: "0196f3c2-session",
    } satisfies ConstructorParameters<typeof ResponsesConversation>[1];
    const conversation = new ResponsesConversation(place, body, { "session-id": "0196f3c2-session" });
    conversation.say("<environment_context>approval_policy is on-request</environment_context>");
    return conversation;
  },
  facts: { sessionId: "0196f3c2-session", sessionSource: "session-id" },
  // A tool whose input is free text is a function elsewhere, which holds it to no grammar.
  losses: {
    chat: ["reasoning.summary", "tools[2].format"],
    responses: [],
    messages: ["prompt_cache_key", "text.verbosity", "tools[2].format"],
  },
};

/** A coding agent in the editor that speaks Chat with the format's own tools. */
const editorOverChat: Agent = {
  name: "a coding agent in the editor, over Chat",
  hasTools: true,
  instructions: ["You are a powerful coding assistant in an editor."],
  begin: (place) =>
    new ChatConversation(place, {
      body: {
        max_completion_tokens: 2048,
        reasoning_effort: "low",
        tools: [
          { type: "function", function: { name: "get_weather", description: "Weather of a city", parameters } },
          {
            type: "function",
            function: { name: "read_file", parameters: { type: "object", properties: { path: { type: "string" } } } },
          },
        ],
        tool_choice: "auto",
        parallel_tool_calls: true,
        stream_options: { include_usage: true },
      },
      head: [{ role: "system", content: "You are a powerful coding assistant in an editor." }],
      said: (text) => ({ role: "user", content: text }),
    }),
  losses: { chat: [], responses: [], messages: [] },
};

/** A coding agent in the editor that describes its tools in words, and reads orders from the text. */
const editorInWords: Agent = {
  name: "a coding agent whose tools are words, over Chat",
  hasTools: false,
  instructions: ["Tool use is formatted in XML-style tags."],
  begin: (place) =>
    new ChatConversation(place, {
      body: { temperature: 0, stream_options: { include_usage: true } },
      head: [{ role: "system", content: "Tool use is formatted in XML-style tags." }],
      said: (text) => ({
        role: "user",
        content: [
          { type: "text", text: `<task>${text}</task>` },
          { type: "text", text: "<environment_details>Visible files: src/app.ts</environment_details>" },
        ],
      }),
    }),
  losses: { chat: [], responses: [], messages: [] },
};

/** A pair programmer that shows examples first, and ends its instructions with a developer message. */
const pairProgrammer: Agent = {
  name: "a pair programmer with examples, over Chat",
  hasTools: false,
  instructions: [
    "Act as an expert software developer.",
    "Change get_factorial to use math.factorial",
    "Here are the blocks:",
  ],
  begin: (place) =>
    new ChatConversation(place, {
      body: { temperature: 0, max_tokens: 1000, stop: ["<<<END>>>"] },
      head: [
        { role: "system", content: "Act as an expert software developer." },
        { role: "user", content: "Change get_factorial to use math.factorial" },
        { role: "assistant", content: "Here are the blocks:" },
      ],
      said: (text) => ({ role: "user", content: text }),
    }),
  losses: { chat: [], responses: ["stop"], messages: [] },
};

export const AGENTS: readonly Agent[] = [
  terminalOverMessages,
  frameworkOverMessages,
  terminalOverResponses,
  editorOverChat,
  editorInWords,
  pairProgrammer,
];
