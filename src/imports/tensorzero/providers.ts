import type { Cloud } from "../clouds.ts";
import { PROVIDERS, type Provider } from "../providers.ts";

/** A provider type of TensorZero. */
export interface TensorzeroProvider extends Provider {
  /** The variable that it reads the key from where the file names none. */
  readonly keyVariable?: string;
  /** The model where the file names none. */
  readonly model?: string;
}

/** Clouds, by `type`. */
export const TENSORZERO_CLOUDS: Readonly<Record<string, Cloud>> = {
  aws_bedrock: "bedrock",
  gcp_vertex_anthropic: "vertex",
  gcp_vertex_gemini: "vertex",
};

/**
 * Providers by `type`. Types that are in neither table have a format of their own. Source:
 * tensorzero.com/docs/gateway/configuration-reference.
 */
export const TENSORZERO_PROVIDERS: Readonly<Record<string, TensorzeroProvider>> = {
  anthropic: { ...PROVIDERS.anthropic, keyVariable: "ANTHROPIC_API_KEY" },
  azure: { ...PROVIDERS.azure, keyVariable: "AZURE_API_KEY" },
  deepseek: { ...PROVIDERS.deepseek, keyVariable: "DEEPSEEK_API_KEY" },
  fireworks: { ...PROVIDERS.fireworks, keyVariable: "FIREWORKS_API_KEY" },
  google_ai_studio_gemini: { ...PROVIDERS.gemini, keyVariable: "GOOGLE_AI_STUDIO_API_KEY" },
  groq: { ...PROVIDERS.groq, keyVariable: "GROQ_API_KEY" },
  hyperbolic: { ...PROVIDERS.hyperbolic, keyVariable: "HYPERBOLIC_API_KEY" },
  mistral: { ...PROVIDERS.mistral, keyVariable: "MISTRAL_API_KEY" },
  openai: { ...PROVIDERS.openai, keyVariable: "OPENAI_API_KEY" },
  openrouter: { ...PROVIDERS.openrouter, keyVariable: "OPENROUTER_API_KEY" },
  sglang: { ...PROVIDERS.server, keyVariable: "SGLANG_API_KEY" },
  tgi: { ...PROVIDERS.server, keyVariable: "TGI_API_KEY", model: "tgi" },
  together: { ...PROVIDERS.together, keyVariable: "TOGETHER_API_KEY" },
  vllm: { ...PROVIDERS.server, keyVariable: "VLLM_API_KEY" },
  xai: { ...PROVIDERS.xai, keyVariable: "XAI_API_KEY" },
};
