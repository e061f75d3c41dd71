import type { Cloud } from "../clouds.ts";
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
  cerebras: { ...PROVIDERS.cerebras, keyVariable: "CEREBRAS_API_KEY" },
  deepinfra: { ...PROVIDERS.deepinfra, keyVariable: "DEEPINFRA_API_KEY" },
  sambanova: { ...PROVIDERS.sambanova, keyVariable: "SAMBANOVA_API_KEY" },
  nvidia_nim: { ...PROVIDERS.nvidia, keyVariable: "NVIDIA_NIM_API_KEY" },
  dashscope: { ...PROVIDERS.dashscope, keyVariable: "DASHSCOPE_API_KEY" },
  zai: { ...PROVIDERS.zai, keyVariable: "ZAI_API_KEY" },
  minimax: { ...PROVIDERS.minimax, keyVariable: "MINIMAX_API_KEY" },
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

/** Clouds, by the first part of the model. */
export const LITELLM_CLOUDS: Readonly<Record<string, Cloud>> = {
  bedrock: "bedrock",
  bedrock_converse: "bedrock",
  vertex_ai: "vertex",
  vertex_ai_beta: "vertex",
};

/** Names that LiteLLM knows without a provider before them. */
const BARE: readonly (readonly [RegExp, string])[] = [
  [/^claude/, "anthropic"],
  [/^gemini-/, "vertex_ai"],
  [/^(?:gpt|chatgpt|codex|ft:|o\d|text-|dall-e|whisper|tts|omni)/, "openai"],
];

/** A model of LiteLLM, taken apart. */
export interface LitellmModel {
  readonly provider: string;
  /** The name there. */
  readonly name: string;
  /** Tells that it is asked in the Responses format. */
  readonly asksResponses: boolean;
}

/**
 * Takes a model of LiteLLM apart: `openai/gpt-4o`, or a bare name that LiteLLM knows. `given` is the provider that
 * stands beside it. Undefined where no provider is named.
 */
export function splitModel(model: string, given: string | undefined): LitellmModel | undefined {
  const bare = BARE.find(([pattern]) => pattern.test(model))?.[1];
  const [, first, rest = ""] = /^([^/]+)\/(.*)$/s.exec(model) ?? [];
  const provider = given ?? first ?? bare;
  if (provider === undefined) return undefined;
  const name = first === provider ? rest : model;
  const asksResponses = name.startsWith("responses/");
  return { provider, name: asksResponses ? name.slice("responses/".length) : name, asksResponses };
}
