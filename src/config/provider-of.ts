import { guessServer } from "../catalog/server-facts.ts";

/** The parts of an upstream that tell whose models it serves. */
export interface ServingUpstream {
  readonly name: string;
  readonly kind: string;
  readonly baseUrl: string;
}

/** Providers whose models an upstream of a kind serves where its address says nothing. */
const OF_KIND: Readonly<Record<string, string>> = {
  "openai-responses": "openai",
  "anthropic-messages": "anthropic",
  "bedrock-converse": "bedrock",
};

/** Returns the provider whose models an upstream serves, by its address or else its kind. */
export function providerOf({ kind, baseUrl }: Pick<ServingUpstream, "kind" | "baseUrl">): string {
  const server = URL.canParse(baseUrl) ? guessServer(baseUrl) : "unknown";
  return server === "unknown" ? (OF_KIND[kind] ?? "unknown") : server;
}
