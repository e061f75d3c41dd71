/** A cloud that signs calls, and serves each maker's models in a format of its own. */
export type Cloud = "bedrock" | "vertex";

/** A cloud's upstream, and the model's name there. */
export interface CloudPlace {
  readonly kind: "openai-chat" | "anthropic-messages" | "bedrock-converse";
  readonly upstream: object;
  readonly model: string;
}

interface BedrockAccess {
  readonly region: string;
  /** An address in place of the region's. */
  readonly endpoint?: string | undefined;
  /** A key of Bedrock, in place of a signature. */
  readonly apiKey?: string | undefined;
  /** The members of `auth` beside its type. */
  readonly auth?: object;
}

interface VertexAccess {
  readonly project: string;
  readonly location: string;
  /** The members of `auth` beside its type. */
  readonly auth?: object;
}

/** Models of Bedrock that write no text: embeddings, ranks, images, videos and speech. */
const WITHOUT_TEXT = /embed|rerank|amazon\.titan-image|amazon\.nova-(?:canvas|reel|sonic)|(?:^|\.)(?:stability|luma)\./;

/**
 * Returns the place of a model at Amazon Bedrock: Claude, one of its OpenAI endpoint, or one of Converse, which serves
 * all that write text, also by the ARN of a profile; undefined for all others.
 */
export function bedrockPlace(model: string, access: BedrockAccess): CloudPlace | undefined {
  const { region, endpoint, apiKey, auth = {} } = access;
  const host = (endpoint ?? `https://bedrock-runtime.${region}.amazonaws.com`).replace(/\/$/, "");
  const caller =
    apiKey === undefined ? { auth: { type: "aws", ...(endpoint !== undefined && { region }), ...auth } } : { apiKey };
  if (/(?:^|\.)anthropic\.claude/.test(model)) {
    const kind = "anthropic-messages";
    return { kind, model, upstream: { kind, platform: "bedrock", baseUrl: host, ...caller } };
  }
  if (/^openai\./.test(model)) {
    const kind = "openai-chat";
    return { kind, model, upstream: { kind, baseUrl: `${host}/openai/v1`, ...caller } };
  }
  if (WITHOUT_TEXT.test(model) || !/^(?:arn:|(?:[\w-]+\.)+[\w-]+(?::\d+)?$)/.test(model)) return undefined;
  const kind = "bedrock-converse";
  return { kind, model, upstream: { kind, baseUrl: host, ...caller } };
}

/** Returns the place of a model at Google Vertex AI: Claude, Gemini, or one that Google hosts; undefined for others. */
export function vertexPlace(model: string, { project, location, auth = {} }: VertexAccess): CloudPlace | undefined {
  const host = location === "global" ? "aiplatform.googleapis.com" : `${location}-aiplatform.googleapis.com`;
  const address = `https://${host}/v1/projects/${project}/locations/${location}`;
  const caller = { auth: { type: "google", ...auth } };
  if (model.startsWith("claude")) {
    const kind = "anthropic-messages";
    return { kind, model, upstream: { kind, platform: "vertex", baseUrl: address, ...caller } };
  }
  const isHosted = model.endsWith("-maas");
  if (!isHosted && !model.startsWith("gemini-")) return undefined;
  const upstream = { kind: "openai-chat", baseUrl: `${address}/endpoints/openapi`, ...caller };
  return { kind: "openai-chat", model: isHosted ? model : `google/${model}`, upstream };
}

/** Returns why a model of a cloud is left out. */
export function describeForeign(model: string, cloud: Cloud): string {
  const name = cloud === "bedrock" ? "Amazon Bedrock" : "Google Vertex AI";
  return `${name} serves '${model}' in a format of its own: see docs/providers.md for the models that it serves in ours`;
}
