/** A provider that speaks one of the formats of upstreams. */
export interface Provider {
  readonly kind: "openai-chat" | "anthropic-messages";
  /** Its address; absent where each customer has one. */
  readonly baseUrl?: string;
  /** The path behind an address that the imported file gives. */
  readonly route?: string;
}

/** Closes an address that a file gives: without a slash at its end, and with the provider's route. */
export function closeAddress(address: string, { route = "" }: Provider): string {
  const closed = address.endsWith("/") ? address.slice(0, -1) : address;
  return closed.endsWith(route) ? closed : `${closed}${route}`;
}

/** Providers by the names that other products give them, where these agree. */
export const PROVIDERS = {
  openai: { kind: "openai-chat", baseUrl: "https://api.openai.com/v1" },
  anthropic: { kind: "anthropic-messages", baseUrl: "https://api.anthropic.com" },
  // Its v1 API takes the deployment as the model, and needs no version.
  azure: { kind: "openai-chat", route: "/openai/v1" },
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
  gemini: { kind: "openai-chat", baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai" },
  ollama: { kind: "openai-chat", baseUrl: "http://127.0.0.1:11434/v1", route: "/v1" },
  // A server of one's own.
  server: { kind: "openai-chat" },
} as const satisfies Record<string, Provider>;

/** Providers whose upstreams sign: the file that is imported does not have their addresses. */
const SIGNING = /^(?:(?:aws_)?bedrock|(?:gcp_)?vertex(?:_|$))/;

/** Returns why the models of a provider are left out. */
export function describeAbsent(provider: string): string {
  if (SIGNING.test(provider)) return `write the upstream for '${provider}' as docs/providers.md has it`;
  return `there is no upstream for '${provider}'`;
}
