import { findServer, guessServer, SERVER_NAMES, type ServerName } from "../catalog/server-facts.ts";

/** The parts of an upstream that tell whose models it serves. */
export interface ServingUpstream {
  readonly name: string;
  readonly kind: string;
  readonly baseUrl: string;
  /** The server that its profile names; undefined if it is guessed. */
  readonly server?: ServerName | undefined;
}

/** Tells whether an upstream runs models of its operator, as its profile or its address says. */
export function runsWeights({ baseUrl, server }: Pick<ServingUpstream, "baseUrl" | "server">): boolean {
  const name = server ?? (URL.canParse(baseUrl) ? guessServer(baseUrl) : "unknown");
  return findServer(name).runsWeights === true;
}

/** Returns the server that a written profile names. */
export function serverOfProfile(profile: unknown): ServerName | undefined {
  const base = typeof profile === "object" && profile !== null && "base" in profile ? profile.base : profile;
  return SERVER_NAMES.find((name) => name === base);
}

/** Providers whose models an upstream of a kind serves where its address says nothing. */
const OF_KIND: Readonly<Record<string, string>> = {
  "openai-responses": "openai",
  "anthropic-messages": "anthropic",
  "bedrock-converse": "bedrock",
};

/** Returns the provider whose models an upstream serves, by its address or else its kind. */
export function getProviderName({ kind, baseUrl }: Pick<ServingUpstream, "kind" | "baseUrl">): string {
  const server = URL.canParse(baseUrl) ? guessServer(baseUrl) : "unknown";
  return server === "unknown" ? (OF_KIND[kind] ?? "unknown") : server;
}
