import { PROVIDERS, type Provider } from "../providers.ts";

/** A provider of LiteLLM. */
export interface LitellmProvider extends Provider {
  /** The variable that LiteLLM reads the key from where the file has none. */
  readonly keyVariable?: string;
  /** The variable that it reads the address from. */
  readonly baseVariable?: string;
}

/** By the first part of `litellm_params.model`. Source: docs.litellm.ai/docs/providers, a page for each. */
export const LITELLM_PROVIDERS: Readonly<Record<string, LitellmProvider>> = {
  openai: { ...PROVIDERS.openai, keyVariable: "OPENAI_API_KEY" },
  anthropic: { ...PROVIDERS.anthropic, keyVariable: "ANTHROPIC_API_KEY" },
  azure: { ...PROVIDERS.azure, baseVariable: "AZURE_API_BASE", keyVariable: "AZURE_API_KEY" },
  groq: { ...PROVIDERS.groq, keyVariable: "GROQ_API_KEY" },
  mistral: { ...PROVIDERS.mistral, keyVariable: "MISTRAL_API_KEY" },
  deepseek: { ...PROVIDERS.deepseek, keyVariable: "DEEPSEEK_API_KEY" },
  together_ai: { ...PROVIDERS.together, keyVariable: "TOGETHERAI_API_KEY" },
  fireworks_ai: { ...PROVIDERS.fireworks, keyVariable: "FIREWORKS_AI_API_KEY" },
  openrouter: { ...PROVIDERS.openrouter, keyVariable: "OPENROUTER_API_KEY" },
  xai: { ...PROVIDERS.xai, keyVariable: "XAI_API_KEY" },
  moonshot: { ...PROVIDERS.moonshot, keyVariable: "MOONSHOT_API_KEY" },
  perplexity: { ...PROVIDERS.perplexity, keyVariable: "PERPLEXITYAI_API_KEY" },
  hyperbolic: { ...PROVIDERS.hyperbolic, keyVariable: "HYPERBOLIC_API_KEY" },
  gemini: { ...PROVIDERS.gemini, keyVariable: "GEMINI_API_KEY" },
  ollama: PROVIDERS.ollama,
  ollama_chat: PROVIDERS.ollama,
  hosted_vllm: { ...PROVIDERS.server, baseVariable: "HOSTED_VLLM_API_BASE", keyVariable: "HOSTED_VLLM_API_KEY" },
  lm_studio: { ...PROVIDERS.server, baseVariable: "LM_STUDIO_API_BASE", keyVariable: "LM_STUDIO_API_KEY" },
  litellm_proxy: {
    ...PROVIDERS.server,
    baseVariable: "LITELLM_PROXY_API_BASE",
    keyVariable: "LITELLM_PROXY_API_KEY",
  },
};

/** Providers without a counterpart: they sign, or have a format of their own. */
const OTHERS = new Set(
  (
    "azure_ai bedrock cloudflare cohere cohere_chat custom_openai databricks github huggingface jina_ai nvidia_nim palm " +
    "replicate sagemaker sagemaker_chat text-completion-openai vertex_ai vertex_ai_beta voyage watsonx"
  ).split(" "),
);

/** Splits a model of LiteLLM into its provider and the name there; one without a provider is of OpenAI or Anthropic. */
export function splitModel(model: string): { readonly provider: string; readonly name: string } {
  const slash = model.indexOf("/");
  const first = slash < 0 ? "" : model.slice(0, slash);
  if (first in LITELLM_PROVIDERS || OTHERS.has(first)) return { provider: first, name: model.slice(slash + 1) };
  return { provider: model.startsWith("claude") ? "anthropic" : "openai", name: model };
}
