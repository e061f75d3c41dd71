/** The member of a message, or its content, in which a server of the Chat format takes its reasoning back. */
export const REASONING_MEMBERS = ["reasoning_content", "reasoning", "reasoning_details", "content"] as const;

/** The treatment of reasoning in the history: sent where it is there, in every turn that calls tools, or never. */
export const REASONING_HISTORIES = ["optional", "required", "refused"] as const;

/** Roles of instructions: as the caller has it, or always one of them. */
export const INSTRUCTION_ROLES = ["as-called", "system", "developer"] as const;

/** Names of the limit of an answer: as the caller has it, or always one of them. */
export const LIMIT_MEMBERS = ["as-called", "max_tokens", "max_completion_tokens"] as const;

/** Forms of content that is text alone: a list of parts where it has several, or always one text. */
export const CONTENT_FORMS = ["parts", "text"] as const;

/** The treatment of instructions behind other messages: they stay, or become what the user says. */
export const LATE_INSTRUCTIONS = ["keep", "user"] as const;

/** Choices of tools: also of one tool by its name, or the words `none`, `auto` and `required` alone. */
export const TOOL_CHOICES = ["named", "words"] as const;

/** Kinds of tools: those that its own callers have, functions alone, or tools with free text input from any caller. */
export const TOOL_KINDS = ["as-called", "functions", "custom"] as const;

/** Forms of an answer that can be asked for: the most that the server takes, and of some no less than a schema. */
export const RESPONSE_FORMATS = ["json_schema", "json_schema_only", "json_object", "none"] as const;

/** The abilities of a server of the Chat format. Servers of the Responses format have the last three members. */
export interface ChatProfile {
  readonly instructionRole: (typeof INSTRUCTION_ROLES)[number];
  readonly limitMember: (typeof LIMIT_MEMBERS)[number];
  readonly content: (typeof CONTENT_FORMS)[number];
  readonly lateInstructions: (typeof LATE_INSTRUCTIONS)[number];
  readonly reasoningMember: (typeof REASONING_MEMBERS)[number];
  readonly reasoningHistory: (typeof REASONING_HISTORIES)[number];
  readonly toolChoices: (typeof TOOL_CHOICES)[number];
  /** True if it takes `parallel_tool_calls`. */
  readonly parallelToolCalls: boolean;
  /** True if it takes `stream_options`; one that does not tells the usage of a stream unasked, if at all. */
  readonly streamOptions: boolean;
  readonly responseFormats: (typeof RESPONSE_FORMATS)[number];
  /** Most choices of one request. */
  readonly n: number;
  /** True if it takes `logprobs` and `top_logprobs`. */
  readonly logprobs: boolean;
  /** True if it takes cache breakpoints of callers who speak another format. */
  readonly cacheBreakpoints: boolean;
  /** True if it is sent a cache key for callers who give none. */
  readonly cacheKeys: boolean;
  readonly toolKinds: (typeof TOOL_KINDS)[number];
}

/**
 * The profile of a server that nothing is known of: what nearly all servers of the format take, and what callers ask
 * for goes out as it is (docs/decisions/0063-chat-profiles.md).
 */
export const UNKNOWN_PROFILE: ChatProfile = {
  instructionRole: "system",
  limitMember: "as-called",
  content: "parts",
  lateInstructions: "keep",
  reasoningMember: "reasoning_content",
  reasoningHistory: "optional",
  toolChoices: "named",
  parallelToolCalls: true,
  streamOptions: true,
  responseFormats: "json_schema",
  n: 1,
  logprobs: true,
  cacheBreakpoints: false,
  cacheKeys: false,
  toolKinds: "as-called",
};
