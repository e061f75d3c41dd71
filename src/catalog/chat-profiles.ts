import { type ChatProfile, UNKNOWN_PROFILE } from "../hub/chat-profile.ts";

/** A built-in profile: what a server takes otherwise than one that is not known. */
interface BuiltInProfile extends Partial<ChatProfile> {
  /** Hosts that it is guessed from, with all that end in a dot and one of them; `:PORT` is a port of any host. */
  readonly at: readonly string[];
  /** Where that is said. */
  readonly source: string;
}

/** Takes more than others, as OpenAI's own reference has it. */
const OWN = { instructionRole: "as-called", limitMember: "max_completion_tokens", n: 128 } as const;
const COMPLETION_TOKENS = { limitMember: "max_completion_tokens" } as const;
const TOKENS = { limitMember: "max_tokens" } as const;
const NO_REASONING = { reasoningHistory: "refused" } as const;
const REASONING = { reasoningMember: "reasoning" } as const;

/** Profiles of known servers, one a line; a server is of the first that has its host. */
const BUILT_IN = {
  openai: {
    ...{ at: ["api.openai.com"], source: "openai/resources/chat/completions of the SDK" },
    ...{ ...OWN, ...NO_REASONING, cacheBreakpoints: true, cacheKeys: true },
  },
  azure: {
    ...{ at: ["openai.azure.com", "cognitiveservices.azure.com", "services.ai.azure.com"] },
    ...{ source: "learn.microsoft.com/azure/ai-foundry/openai/latest", ...OWN, ...NO_REASONING },
  },
  mistral: {
    ...{ at: ["mistral.ai"], source: "docs.mistral.ai/api; 422 extra_forbidden in editor-code-assistant/eca#231" },
    ...{ ...TOKENS, lateInstructions: "user", reasoningMember: "content", streamOptions: false, logprobs: false },
  },
  deepseek: {
    ...{ at: ["deepseek.com"], source: "api-docs.deepseek.com/guides/thinking_mode, .../api/create-chat-completion" },
    ...{ ...TOKENS, content: "text", reasoningHistory: "required" },
    ...{ parallelToolCalls: false, responseFormats: "json_object" },
  },
  moonshot: {
    ...{ at: ["moonshot.ai", "moonshot.cn", "kimi.com"], source: "platform.kimi.ai/docs; LiteLLM, llms/moonshot" },
    ...{ ...TOKENS, content: "text", reasoningHistory: "required", logprobs: false },
  },
  xai: {
    ...{ at: ["x.ai"], source: "docs.x.ai/docs/api-reference; docs.rs/xai-openapi, ChatRequest" },
    ...{ ...COMPLETION_TOKENS, n: 8 },
  },
  groq: {
    ...{ at: ["groq.com"], source: "console.groq.com/docs/openai (logprobs and n are 400)" },
    ...{ ...COMPLETION_TOKENS, ...REASONING, logprobs: false },
  },
  together: {
    ...{ at: ["together.xyz", "together.ai"], source: "docs.together.ai/reference/chat-completions" },
    // Its `logprobs` is a number.
    ...{ ...TOKENS, ...REASONING, n: 128, logprobs: false },
  },
  fireworks: {
    ...{ at: ["fireworks.ai"], source: "docs.fireworks.ai/api-reference/post-chatcompletions" },
    ...{ ...TOKENS, n: 128 },
  },
  openrouter: {
    ...{
      at: ["openrouter.ai"],
      source: "openrouter.ai/docs/api-reference, .../guides/best-practices/reasoning-tokens",
    },
    ...REASONING,
  },
  gemini: {
    ...{
      at: ["generativelanguage.googleapis.com", "aiplatform.googleapis.com"],
      source: "ai.google.dev/gemini-api/docs/openai",
    },
    ...{ ...TOKENS, ...NO_REASONING, parallelToolCalls: false, n: 8, logprobs: false },
  },
  vllm: {
    ...{ at: [], source: "docs.vllm.ai, openai_compatible_server; its reasoning parsers read `reasoning`" },
    ...{ ...COMPLETION_TOKENS, ...REASONING, n: 128 },
  },
  sglang: {
    ...{ at: [":30000"], source: "docs.sglang.ai, basic_usage/openai_api_completions" },
    ...{ ...COMPLETION_TOKENS, n: 128 },
  },
  "llama.cpp": {
    ...{ at: [], source: "ggml-org/llama.cpp, tools/server/README.md" },
    ...{ ...TOKENS },
  },
  ollama: {
    // It makes a message of each part.
    ...{
      at: ["ollama.com", ":11434"],
      source: "docs.ollama.com/api/openai-compatibility; ollama/ollama, openai/openai.go",
    },
    ...{ ...TOKENS, ...REASONING, content: "text", parallelToolCalls: false },
  },
  "lm-studio": {
    ...{ at: [":1234"], source: "lmstudio.ai/docs/developer/openai-compat" },
    ...{ ...TOKENS, parallelToolCalls: false, logprobs: false },
  },
  litellm: {
    ...{ at: [], source: "docs.litellm.ai/docs/completion/input (drops or maps what its provider does not take)" },
    ...{ instructionRole: "as-called", limitMember: "max_completion_tokens", n: 128 },
  },
  unknown: { at: [], source: "docs/decisions/0063-chat-profiles.md" },
} as const satisfies Readonly<Record<string, BuiltInProfile>>;

/** The name of a built-in profile. */
export type ProfileName = keyof typeof BUILT_IN;

/** Names of the built-in profiles. */
export const PROFILE_NAMES = Object.keys(BUILT_IN) as readonly ProfileName[];

/** Returns a built-in profile. */
export function getProfile(name: ProfileName): ChatProfile {
  const { at: _at, source: _source, ...members }: BuiltInProfile = BUILT_IN[name];
  return { ...UNKNOWN_PROFILE, ...members };
}

/** Returns where a built-in profile is guessed from, and the members that differ from those of an unknown server. */
export function describeProfile(name: ProfileName): { readonly at: readonly string[]; readonly members: object } {
  const { at, source: _source, ...members }: BuiltInProfile = BUILT_IN[name];
  return { at, members };
}

/** Returns the name of the profile of the server at an address. */
export function guessProfile(baseUrl: string): ProfileName {
  const { hostname, port } = new URL(baseUrl);
  const isAt = (place: string): boolean =>
    place.startsWith(":") ? place === `:${port}` : hostname === place || hostname.endsWith(`.${place}`);
  return PROFILE_NAMES.find((name) => BUILT_IN[name].at.some(isAt)) ?? "unknown";
}
