/** A provider that speaks one of the formats of upstreams. */
export interface Provider {
  readonly kind: "openai-chat" | "anthropic-messages";
  /** Its address; absent where each customer has one. */
  readonly baseUrl?: string;
  /** The path behind an address that the imported file gives. */
  readonly route?: string;
  /** The header of its key, where that is not the one of the format. */
  readonly keyHeader?: string;
  /** Tells that it serves the Responses format too. */
  readonly hasResponses?: boolean;
}

/** The kinds of upstream that models are imported for. */
export type ServedKind = "openai-chat" | "openai-responses" | "anthropic-messages" | "bedrock-converse";

/** Returns whether upstreams of a kind make embeddings. */
export function makesEmbeddings(kind: ServedKind): boolean {
  return kind === "openai-chat" || kind === "openai-responses";
}

/** Closes an address that a file gives: without a slash at its end, and with the provider's route. */
export function closeAddress(address: string, { route = "" }: Provider): string {
  const closed = address.endsWith("/") ? address.slice(0, -1) : address;
  return closed.endsWith(route) ? closed : `${closed}${route}`;
}

/** Returns the kind of upstream at a provider. */
export function chooseKind(
  { kind, hasResponses }: Provider,
  asksResponses: boolean,
): Provider["kind"] | "openai-responses" {
  return asksResponses && hasResponses === true ? "openai-responses" : kind;
}

/** Returns the settings of a key that is sent: the header of the format is not named. */
export function keySettings({ keyHeader }: Provider, apiKey: string | undefined): object {
  if (apiKey === undefined) return {};
  return keyHeader === undefined ? { apiKey } : { apiKey, auth: { type: "header", name: keyHeader } };
}

/** Providers by the names that other products give them, where these agree. */
export const PROVIDERS = {
  openai: { kind: "openai-chat", baseUrl: "https://api.openai.com/v1", hasResponses: true },
  anthropic: { kind: "anthropic-messages", baseUrl: "https://api.anthropic.com" },
  // Its v1 API takes the deployment as the model, and needs no version.
  azure: { kind: "openai-chat", route: "/openai/v1", keyHeader: "api-key", hasResponses: true },
  groq: { kind: "openai-chat", baseUrl: "https://api.groq.com/openai/v1" },
  mistral: { kind: "openai-chat", baseUrl: "https://api.mistral.ai/v1" },
  deepseek: { kind: "openai-chat", baseUrl: "https://api.deepseek.com/v1" },
  together: { kind: "openai-chat", baseUrl: "https://api.together.xyz/v1" },
  fireworks: { kind: "openai-chat", baseUrl: "https://api.fireworks.ai/inference/v1" },
  openrouter: { kind: "openai-chat", baseUrl: "https://openrouter.ai/api/v1" },
  xai: { kind: "openai-chat", baseUrl: "https://api.x.ai/v1" },
  moonshot: { kind: "openai-chat", baseUrl: "https://api.moonshot.ai/v1" },
  perplexity: { kind: "openai-chat", baseUrl: "https://api.perplexity.ai" },
  hyperbolic: { kind: "openai-chat", baseUrl: "https://api.hyperbolic.xyz/v1" },
  cerebras: { kind: "openai-chat", baseUrl: "https://api.cerebras.ai/v1" },
  deepinfra: { kind: "openai-chat", baseUrl: "https://api.deepinfra.com/v1/openai" },
  sambanova: { kind: "openai-chat", baseUrl: "https://api.sambanova.ai/v1" },
  nvidia: { kind: "openai-chat", baseUrl: "https://integrate.api.nvidia.com/v1" },
  gemini: { kind: "openai-chat", baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai" },
  dashscope: { kind: "openai-chat", baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1" },
  zai: { kind: "openai-chat", baseUrl: "https://api.z.ai/api/paas/v4" },
  minimax: { kind: "openai-chat", baseUrl: "https://api.minimax.io/v1" },
  ollama: { kind: "openai-chat", baseUrl: "http://127.0.0.1:11434/v1", route: "/v1" },
  // A server of one's own.
  server: { kind: "openai-chat" },
} as const satisfies Record<string, Provider>;
