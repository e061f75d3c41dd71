import { type ChatProfile, UNKNOWN_PROFILE } from "../hub/chat-profile.ts";

/** A built-in profile: what a server takes otherwise than one that is not known. */
interface BuiltInProfile extends Partial<ChatProfile> {
  /** Hosts that it is guessed from, with all that end in a dot and one of them; `:PORT` is a port of any host. */
  readonly at: readonly string[];
  /** The source. */
  readonly source: string;
}

/**
 * Profiles of known servers: where each is, where it is said what it takes, and what differs from a server that is not
 * known. A server is of the first that has its host.
 */
export const BUILT_IN_PROFILES = {
  openai: {
    at: ["api.openai.com"],
    source: "openai/resources/chat/completions of the SDK",
    instructionRole: "as-called",
    limitMember: "max_completion_tokens",
    reasoningHistory: "refused",
    n: 128,
    cacheBreakpoints: true,
    cacheKeys: true,
    toolKinds: "custom",
  },
  azure: {
    at: ["openai.azure.com", "cognitiveservices.azure.com", "services.ai.azure.com"],
    source: "learn.microsoft.com/azure/foundry/openai/how-to/reasoning, and openai/latest of the REST reference",
    instructionRole: "as-called",
    limitMember: "max_completion_tokens",
    reasoningHistory: "refused",
    n: 128,
    toolKinds: "custom",
  },
  mistral: {
    at: ["mistral.ai"],
    source: "docs.mistral.ai/api; 422 extra_forbidden in editor-code-assistant/eca#231",
    limitMember: "max_tokens",
    lateInstructions: "user",
    reasoningMember: "content",
    streamOptions: false,
    logprobs: false,
    toolKinds: "functions",
  },
  deepseek: {
    at: ["deepseek.com"],
    source: "api-docs.deepseek.com/guides/thinking_mode, api-docs.deepseek.com/api/create-chat-completion",
    limitMember: "max_tokens",
    content: "text",
    reasoningHistory: "required",
    parallelToolCalls: false,
    responseFormats: "json_object",
    toolKinds: "functions",
  },
  moonshot: {
    at: ["moonshot.ai", "moonshot.cn", "kimi.com"],
    source: "platform.kimi.ai/docs; BerriAI/litellm, llms/moonshot/chat/transformation.py",
    limitMember: "max_tokens",
    content: "text",
    reasoningHistory: "required",
    logprobs: false,
    toolKinds: "functions",
  },
  xai: {
    at: ["x.ai"],
    source: "docs.rs/xai-openapi, chat::ChatRequest and Message; docs.x.ai/docs/api-reference",
    limitMember: "max_completion_tokens",
    n: 8,
    toolKinds: "functions",
  },
  groq: {
    at: ["groq.com"],
    source: "console.groq.com/docs/openai: logprobs, and n above 1, are 400",
    limitMember: "max_completion_tokens",
    reasoningMember: "reasoning",
    logprobs: false,
    toolKinds: "functions",
  },
  // Its `logprobs` is a number.
  together: {
    at: ["together.xyz", "together.ai"],
    source: "together-ai 0.52, resources/chat/completions: CompletionCreateParams has no parallel_tool_calls",
    limitMember: "max_tokens",
    reasoningMember: "reasoning",
    parallelToolCalls: false,
    n: 128,
    logprobs: false,
    toolKinds: "functions",
  },
  fireworks: {
    at: ["fireworks.ai"],
    source: "docs.fireworks.ai/api-reference/post-chatcompletions",
    limitMember: "max_tokens",
    n: 128,
    toolKinds: "functions",
  },
  openrouter: {
    at: ["openrouter.ai"],
    source: "OpenRouterTeam/typescript-sdk, ChatRequest (both limits, no n) and ChatAssistantMessage (reasoning)",
    reasoningMember: "reasoning",
  },
  gemini: {
    at: ["generativelanguage.googleapis.com", "aiplatform.googleapis.com"],
    source:
      "cloud.google.com/vertex-ai/generative-ai/docs/migrate/openai/overview, of which other parameters are ignored",
    limitMember: "max_tokens",
    reasoningHistory: "refused",
    parallelToolCalls: false,
    n: 8,
    logprobs: false,
    toolKinds: "functions",
  },
  vllm: {
    at: [],
    source: "vllm-project/vllm, entrypoints/openai/chat_completion/protocol.py: max_tokens is deprecated, `reasoning`",
    limitMember: "max_completion_tokens",
    reasoningMember: "reasoning",
    n: 128,
    toolKinds: "functions",
  },
  sglang: {
    at: [":30000"],
    source: "sgl-project/sglang, srt/entrypoints/openai/protocol.py: max_tokens is deprecated, `reasoning_content`",
    limitMember: "max_completion_tokens",
    n: 128,
    toolKinds: "functions",
  },
  "llama.cpp": {
    at: [],
    source: "ggml-org/llama.cpp, tools/server and common/chat.cpp: tool_choice is a word, max_tokens is taken by all",
    limitMember: "max_tokens",
    toolChoices: "words",
    toolKinds: "functions",
  },
  // It makes a message of each part.
  ollama: {
    at: ["ollama.com", ":11434"],
    source: "docs.ollama.com/api/openai-compatibility; ollama/ollama, openai/openai.go",
    limitMember: "max_tokens",
    content: "text",
    reasoningMember: "reasoning",
    parallelToolCalls: false,
    toolKinds: "functions",
  },
  "lm-studio": {
    at: [":1234"],
    source: "lmstudio.ai/docs/developer/openai-compat; lmstudio-ai/lmstudio-bug-tracker#189: json_object is 400",
    limitMember: "max_tokens",
    toolChoices: "words",
    parallelToolCalls: false,
    responseFormats: "json_schema_only",
    logprobs: false,
    toolKinds: "functions",
  },
  litellm: {
    at: [],
    source: "docs.litellm.ai/docs/completion/input: it maps what its provider does not take",
    instructionRole: "as-called",
    limitMember: "max_completion_tokens",
    n: 128,
  },
  unknown: { at: [], source: "docs/decisions/0063-chat-profiles.md" },
} as const satisfies Readonly<Record<string, BuiltInProfile>>;

/** The name of a built-in profile. */
export type ProfileName = keyof typeof BUILT_IN_PROFILES;

/** Names of the built-in profiles. */
export const PROFILE_NAMES = Object.keys(BUILT_IN_PROFILES) as readonly ProfileName[];

/** Returns a built-in profile. */
export function getProfile(name: ProfileName): ChatProfile {
  const { at: _at, source: _source, ...members }: BuiltInProfile = BUILT_IN_PROFILES[name];
  return { ...UNKNOWN_PROFILE, ...members };
}

/** Returns the name of the profile of the server at an address. */
export function guessProfile(baseUrl: string): ProfileName {
  const { hostname, port } = new URL(baseUrl);
  const isAt = (place: string): boolean =>
    place.startsWith(":") ? place === `:${port}` : hostname === place || hostname.endsWith(`.${place}`);
  return PROFILE_NAMES.find((name) => BUILT_IN_PROFILES[name].at.some(isAt)) ?? "unknown";
}
