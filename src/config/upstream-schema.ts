import { z } from "zod";
import { CACHE_POINTS } from "../hub/converse-abilities.ts";
import { across, type CrossMistake } from "./across.ts";
import { auth } from "./auth-schema.ts";
import {
  anyText,
  baseUrl,
  boolean,
  headers,
  integer,
  keys,
  name,
  proxyUrl,
  requiredSecret,
  secret,
  text,
} from "./fields.ts";
import { findTlsMistake } from "./find-tls-mistake.ts";
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
    .describe("Bytes of one stream event, or of a whole answer"),
  eventValues: integer(1000, 10_000_000)
    .default(250_000)
    .describe("Values of one stream event, or of a whole answer: object members and array items"),
  answerBytes: integer(2 ** 16, 2 ** 40)
    .default(2 ** 26)
    .describe("Bytes of a stream"),
});

const certificates = keys({
  ca: anyText().optional().describe("Trusted certificate authorities in PEM, instead of the system's"),
  cert: anyText().optional().describe("Client certificate in PEM, with its intermediate certificates"),
  key: anyText().optional().describe("Private key of the client certificate in PEM"),
});

const tls = across(certificates, ({ cert, key }) =>
  (cert === undefined) === (key === undefined)
    ? []
    : [{ path: [], message: "must have both cert and key, or neither" }],
);

const queue = keys({
  concurrentCalls: integer(1, 100_000).describe("Concurrent calls"),
  waitMs: integer(1, DAY_MS).default(10_000).describe("Milliseconds that a call may wait"),
});

/** The ways to ask an upstream: like its caller, or always for a stream. */
const ASK = ["as-called", "stream"] as const;

const httpUpstream = {
  baseUrl: baseUrl().describe("Base URL of the API: https://api.openai.com/v1"),
  apiKey: secret().optional().describe("API key; absent if its variable isn't set"),
  apiKeys: z
    .array(requiredSecret(), { error: "must be a list of keys" })
    .min(1, { error: "must have at least one key" })
    .max(MAX_KEYS, { error: `must have at most ${MAX_KEYS} keys` })
    .optional()
    .describe("Several keys instead of apiKey; calls are spread over them by their remaining rate limits"),
  auth: auth.optional().describe("Authentication, if it isn't a key in the format's usual header"),
  proxy: proxyUrl().optional().describe("HTTP proxy for connections to it (CONNECT)"),
  tls: tls.optional().describe("Certificates for connections to it"),
  ask: z
    .enum(ASK, { error: `must be ${ASK.join(" or ")}` })
    .default("as-called")
    .describe("as-called: streamed if the caller asked for it; stream: always streamed"),
  timeouts: timeouts.prefault({}).describe("Time limits in milliseconds"),
  limits: answerLimits.prefault({}).describe("Size limits of an answer; a larger one ends with an error"),
  queue: queue.optional().describe("Limits concurrent calls of a process; others wait, and projects take turns"),
  headers: headers().default({}).describe("Further headers of every request"),
};

const apiVersion = text(/^[\w.-]+$/, "must be a version such as 2024-10-21")
  .optional()
  .describe("Version of Azure OpenAI's dated API, with a baseUrl that ends in /openai; omit it for the v1 API");

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
      "bedrock: InvokeModel of Amazon Bedrock; vertex: rawPredict of Google Vertex AI; absent for Anthropic's own API",
    ),
};

const converseUpstream = {
  ...httpUpstream,
  profile: profiles.converse,
  structuredOutput: boolean().default(false).describe("Its models accept an answer schema and strict tools"),
  effort: boolean().default(false).describe("Its models accept an effort"),
  citations: boolean().default(false).describe("Its models cite documents, and accept document titles and contexts"),
  cachePoints: z
    .enum(CACHE_POINTS, { error: `must be ${CACHE_POINTS.slice(0, -1).join(", ")} or ${CACHE_POINTS.at(-1)}` })
    .default("none")
    .describe("Where cache points go: prompt: instructions and messages; all: tools too, and for an hour on request"),
};

/** Finds credentials of which one would not count, and keys that stand twice: these would get twice the calls. */
function checkCredentials({ auth, apiKey, apiKeys }: Credentials): CrossMistake[] {
  const list = apiKeys ?? [];
  const beside = "can't be combined with apiKey: put that key into the list, and leave apiKey out";
  const isHeader = auth?.type === undefined || auth.type === "header";
  const unsent = isHeader ? [] : Object.entries({ apiKey, apiKeys }).filter(([, given]) => given !== undefined);
  const unsentMessage = `is not sent with auth of the type ${auth?.type}: leave one out`;
  const repeated = list.flatMap((key, at) => {
    const first = list.indexOf(key);
    const message = `is the same key as apiKeys[${first}]: leave one out`;
    return key === undefined || first === at ? [] : [{ path: ["apiKeys", at], message }];
  });
  return [
    ...unsent.map(([name]) => ({ path: [name], message: unsentMessage })),
    ...(apiKeys !== undefined && apiKey !== undefined ? [{ path: ["apiKeys"], message: beside }] : repeated),
  ];
}

interface Credentials {
  readonly auth?: { readonly type?: string | undefined } | undefined;
  readonly apiKey?: string | undefined;
  readonly apiKeys?: readonly (string | undefined)[] | undefined;
}

/** Kinds of upstream that are reached over HTTP. */
export const HTTP_KINDS = ["openai-chat", "openai-responses", "anthropic-messages", "bedrock-converse"] as const;

/** The kinds that make embeddings. */
export const EMBEDDING_KINDS = ["openai-chat", "openai-responses"] as const;

const chat = keys({ kind: z.literal("openai-chat").describe("Chat Completions"), ...chatUpstream });
const responses = keys({ kind: z.literal("openai-responses").describe("Responses"), ...openAiUpstream });
const messages = keys({ kind: z.literal("anthropic-messages").describe("Messages"), ...messagesUpstream });
const converse = keys({
  kind: z.literal("bedrock-converse").describe("Converse of Amazon Bedrock"),
  ...converseUpstream,
});

const kindError = `must have the kind ${HTTP_KINDS.join(", ")} or sandbox`;

/** An upstream, by its kind. */
const upstream = z.discriminatedUnion(
  "kind",
  [
    across(chat, checkCredentials),
    across(responses, checkCredentials),
    across(messages, checkCredentials),
    across(converse, checkCredentials),
    keys({ kind: z.literal("sandbox").describe("Deterministic, no network") }),
  ],
  { error: ({ code }) => (code === "invalid_union" ? kindError.replace("have the kind", "be") : kindError) },
);

/** Name of the upstream that is always there, and of the model that it is asked for. */
export const SANDBOX = "sandbox";

/** Upstreams by name. */
export const upstreams = across(
  z.record(name(), upstream, { error: "must be a map of names to upstreams" }),
  (named): CrossMistake[] =>
    Object.entries(named).flatMap(([name, given]): CrossMistake[] => {
      const isReserved = name === SANDBOX && given?.kind !== undefined && given.kind !== SANDBOX;
      const message = "has a name that is reserved for the kind sandbox: choose another";
      const { cert, key, ca } = (given !== undefined && "tls" in given && given.tls) || {};
      const mistake =
        (cert === undefined) === (key === undefined)
          ? findTlsMistake(`upstreams.${name}.tls`, { cert, key, authorities: { ca } })
          : undefined;
      return [
        ...(isReserved ? [{ path: [name], message }] : []),
        ...(mistake ? [{ path: [name, "tls", mistake.member], message: mistake.message }] : []),
      ];
    }),
);

/** The settings that upstreams of all kinds over HTTP have, and a version of the API, as the schema gives them. */
export type ParsedHttpUpstream = Frozen<Extract<z.output<typeof upstream>, { readonly kind: "openai-chat" }>>;
