import type { Peer } from "./telemetry.ts";

/** An upstream, as its peer is known by. */
interface Upstream {
  readonly kind: string;
  readonly baseUrl?: string;
  readonly platform?: string | undefined;
  readonly profile?: { readonly name: string } | undefined;
}

/** Names of the GenAI conventions (1.45) that differ from those of profiles. */
const PROVIDERS: Readonly<Record<string, string>> = {
  azure: "azure.ai.openai",
  mistral: "mistral_ai",
  xai: "x_ai",
  gemini: "gcp.gemini",
  bedrock: "aws.bedrock",
  vertex: "gcp.vertex_ai",
};

const known = new WeakMap<Upstream, Peer>();

/** Returns the provider behind an upstream; one that is not known is named after the kind of its API. */
export function getPeer(upstream: Upstream | undefined): Peer {
  if (upstream === undefined) return { provider: "unknown" };
  const peer = known.get(upstream) ?? findPeer(upstream);
  known.set(upstream, peer);
  return peer;
}

function findPeer({ kind, baseUrl, profile, platform }: Upstream): Peer {
  if (baseUrl === undefined) return { provider: kind };
  const { hostname, port, protocol } = new URL(baseUrl);
  const address = { address: hostname, port: Number(port) || (protocol === "https:" ? 443 : 80) };
  if (platform !== undefined) return { provider: PROVIDERS[platform] ?? platform, ...address };
  if (kind === "bedrock-converse") return { provider: "aws.bedrock", ...address };
  if (kind === "anthropic-messages") return { provider: "anthropic", ...address };
  const name = profile?.name ?? "unknown";
  return { provider: PROVIDERS[name] ?? (name === "unknown" ? "openai" : name), ...address };
}
