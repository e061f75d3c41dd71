import { z } from "zod";
import { CACHE_POINTS } from "../hub/converse-abilities.ts";
import { auth } from "./auth-schema.ts";
import { anyText, baseUrl, boolean, headers, integer, keys, proxyUrl, requiredSecret, secret, text } from "./fields.ts";
import type { Frozen } from "./frozen.ts";
import { profiles } from "./profile-schema.ts";

const DAY_MS = 86_400_000;
const MAX_KEYS = 100;

const timeouts = keys({
  connectMs: integer(1, DAY_MS).default(10_000).describe("To open a connection"),
  firstByteMs: integer(1, DAY_MS).default(300_000).describe("From the request to the first byte of the answer"),
  idleMs: integer(1, DAY_MS).default(120_000).describe("Between two reads of the answer"),
  totalMs: integer(1, DAY_MS).default(3_600_000).describe("From the request to the end of the answer"),
});

const answerLimits = keys({
  eventBytes: integer(2 ** 16, 2 ** 28)
    .default(2 ** 24)
    .describe("Bytes of one event of a stream, or of an answer that is not streamed"),
  eventValues: integer(1000, 10_000_000)
    .default(250_000)
    .describe("Values of one event, or of an answer that is not streamed: members of objects and items of arrays"),
  answerBytes: integer(2 ** 16, 2 ** 40)
    .default(2 ** 26)
    .describe("Bytes of a stream"),
});

const tls = keys({
  ca: anyText().optional().describe("Authorities that are trusted in place of the system's, as PEM"),
  cert: anyText().optional().describe("Certificate of this client and those between, as PEM"),
  key: anyText().optional().describe("Key of that certificate, as PEM"),
});

const queue = keys({
  concurrentCalls: integer(1, 100_000).describe("Most calls at once"),
  waitMs: integer(1, DAY_MS).default(10_000).describe("Time in milliseconds that a call beyond them may wait"),
});

/** The ways to ask an upstream: like its caller, or always for a stream. */
const ASK = ["as-called", "stream"] as const;

const httpUpstream = {
  baseUrl: baseUrl().describe("Address below which the format's paths are: https://api.openai.com/v1"),
  apiKey: secret().optional().describe("Key of the upstream; absent if the variable that it refers to is not set"),
  apiKeys: z
    .array(requiredSecret(), { error: "must be a list of keys" })
    .min(1, { error: "must have at least one key" })
    .max(MAX_KEYS, { error: `must have at most ${MAX_KEYS} keys` })
    .optional()
    .describe("Several keys in place of apiKey; calls are spread over them by what their rate limits have left"),
  auth: auth.optional().describe("Who calls, where that is not said by a key in the header of the format"),
  proxy: proxyUrl().optional().describe("HTTP proxy on the way to it, which is asked for a tunnel"),
  tls: tls.optional().describe("Certificates of connections to it"),
  ask: z
    .enum(ASK, { error: `must be ${ASK.join(" or ")}` })
    .default("as-called")
    .describe("as-called: ask as the caller did; stream: always ask for a stream"),
  timeouts: timeouts.prefault({}).describe("Limits in milliseconds"),
  limits: answerLimits.prefault({}).describe("Limits of an answer; a longer one is cut off with an error"),
  queue: queue.optional().describe("Calls at once of one process; those beyond wait, and projects take turns"),
  headers: headers().default({}).describe("Headers of every request beyond those of the format"),
};

const apiVersion = text(/^[\w.-]+$/, "must be a version such as 2024-10-21")
  .optional()
  .describe("Version of Azure OpenAI's dated API, whose baseUrl ends in /openai; absent for its v1 API");

const openAiUpstream = { ...httpUpstream, apiVersion, profile: profiles.responses };

const chatUpstream = { ...httpUpstream, apiVersion, profile: profiles.chat };

/** Clouds that serve Messages in a way of their own. */
export const PLATFORMS = ["bedrock", "vertex"] as const;

const messagesUpstream = {
  ...httpUpstream,
  profile: profiles.messages,
  platform: z
    .enum(PLATFORMS, { error: `must be ${PLATFORMS.join(" or ")}, or absent` })
    .optional()
    .describe(
      "bedrock: InvokeModel of Amazon Bedrock; vertex: rawPredict of Google Vertex AI; absent for the API of Anthropic",
    ),
};

const converseUpstream = {
  ...httpUpstream,
  profile: profiles.converse,
  structuredOutput: boolean()
    .default(false)
    .describe("Whether its models take a schema for their answer, and tools that bind"),
  effort: boolean().default(false).describe("Whether its models take an effort"),
  citations: boolean().default(false).describe("Whether its models cite documents, and take what is said about them"),
  cachePoints: z
    .enum(CACHE_POINTS, { error: `must be ${CACHE_POINTS.slice(0, -1).join(", ")} or ${CACHE_POINTS.at(-1)}` })
    .default("none")
    .describe("Places of cache points: prompt: instructions and messages; all: tools too, and for an hour where asked"),
};

/** Kinds of upstream that are reached over HTTP. */
export const HTTP_KINDS = ["openai-chat", "openai-responses", "anthropic-messages", "bedrock-converse"] as const;

/** The kinds that make embeddings. */
export const EMBEDDING_KINDS = ["openai-chat", "openai-responses"] as const;

const kindError = `must have the kind ${HTTP_KINDS.join(", ")} or sandbox`;

/** An upstream, by its kind. */
export const upstream = z.discriminatedUnion(
  "kind",
  [
    keys({ kind: z.literal("openai-chat").describe("Chat Completions"), ...chatUpstream }),
    keys({ kind: z.literal("openai-responses").describe("Responses"), ...openAiUpstream }),
    keys({ kind: z.literal("anthropic-messages").describe("Messages"), ...messagesUpstream }),
    keys({ kind: z.literal("bedrock-converse").describe("Converse of Amazon Bedrock"), ...converseUpstream }),
    keys({ kind: z.literal("sandbox").describe("Deterministic, no network") }),
  ],
  { error: ({ code }) => (code === "invalid_union" ? kindError.replace("have the kind", "be") : kindError) },
);

/** The settings that upstreams of all kinds over HTTP have, and a version of the API, as the schema gives them. */
export type ParsedHttpUpstream = Frozen<Extract<z.output<typeof upstream>, { readonly kind: "openai-chat" }>>;
