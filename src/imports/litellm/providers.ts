/** A provider of LiteLLM that speaks one of the formats of upstreams. */
export interface Provider {
  readonly kind: "openai-chat" | "anthropic-messages";
  /** Its address; absent where each customer has one. */
  readonly baseUrl?: string;
  /** The variable that LiteLLM reads the address from where the file has none. */
  readonly baseVariable?: string;
  /** The variable that LiteLLM reads the key from where the file has none. */
  readonly keyVariable?: string;
  /** What follows the address that the file gives. */
  readonly route?: string;
}

/** By the first part of `litellm_params.model`. Source: docs.litellm.ai/docs/providers, a page for each. */
export const PROVIDERS: Readonly<Record<string, Provider>> = {
  openai: { kind: "openai-chat", baseUrl: "https://api.openai.com/v1", keyVariable: "OPENAI_API_KEY" },
  anthropic: { kind: "anthropic-messages", baseUrl: "https://api.anthropic.com", keyVariable: "ANTHROPIC_API_KEY" },
  // Its v1 API takes the deployment as the model, and needs no version.
  azure: { kind: "openai-chat", baseVariable: "AZURE_API_BASE", keyVariable: "AZURE_API_KEY", route: "/openai/v1" },
  groq: { kind: "openai-chat", baseUrl: "https://api.groq.com/openai/v1", keyVariable: "GROQ_API_KEY" },
  mistral: { kind: "openai-chat", baseUrl: "https://api.mistral.ai/v1", keyVariable: "MISTRAL_API_KEY" },
  deepseek: { kind: "openai-chat", baseUrl: "https://api.deepseek.com/v1", keyVariable: "DEEPSEEK_API_KEY" },
  together_ai: { kind: "openai-chat", baseUrl: "https://api.together.xyz/v1", keyVariable: "TOGETHERAI_API_KEY" },
  fireworks_ai: {
    kind: "openai-chat",
    baseUrl: "https://api.fireworks.ai/inference/v1",
    keyVariable: "FIREWORKS_AI_API_KEY",
  },
  openrouter: { kind: "openai-chat", baseUrl: "https://openrouter.ai/api/v1", keyVariable: "OPENROUTER_API_KEY" },
  xai: { kind: "openai-chat", baseUrl: "https://api.x.ai/v1", keyVariable: "XAI_API_KEY" },
  moonshot: { kind: "openai-chat", baseUrl: "https://api.moonshot.ai/v1", keyVariable: "MOONSHOT_API_KEY" },
  perplexity: { kind: "openai-chat", baseUrl: "https://api.perplexity.ai", keyVariable: "PERPLEXITYAI_API_KEY" },
  gemini: {
    kind: "openai-chat",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    keyVariable: "GEMINI_API_KEY",
  },
  ollama: { kind: "openai-chat", baseUrl: "http://127.0.0.1:11434/v1", route: "/v1" },
  ollama_chat: { kind: "openai-chat", baseUrl: "http://127.0.0.1:11434/v1", route: "/v1" },
  hosted_vllm: { kind: "openai-chat", baseVariable: "HOSTED_VLLM_API_BASE", keyVariable: "HOSTED_VLLM_API_KEY" },
  lm_studio: { kind: "openai-chat", baseVariable: "LM_STUDIO_API_BASE", keyVariable: "LM_STUDIO_API_KEY" },
  litellm_proxy: {
    kind: "openai-chat",
    baseVariable: "LITELLM_PROXY_API_BASE",
    keyVariable: "LITELLM_PROXY_API_KEY",
  },
};

/** Names of providers that have no counterpart, beside others that are not known: they sign, or have their own format. */
const OTHERS =
  /^(?:bedrock|vertex_ai|vertex_ai_beta|sagemaker|sagemaker_chat|cohere|cohere_chat|huggingface|replicate|watsonx|databricks|cloudflare|nvidia_nim|azure_ai|palm|custom_openai|text-completion-openai|github|voyage|jina_ai)$/;

/** Splits a model of LiteLLM into its provider and the name there; one without a provider is of OpenAI or Anthropic. */
export function splitModel(model: string): { readonly provider: string; readonly name: string } {
  const slash = model.indexOf("/");
  const first = slash < 0 ? "" : model.slice(0, slash);
  if (first in PROVIDERS || OTHERS.test(first)) return { provider: first, name: model.slice(slash + 1) };
  return { provider: model.startsWith("claude") ? "anthropic" : "openai", name: model };
}
