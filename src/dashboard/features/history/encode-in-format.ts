import type { CatalogModel } from "../../../catalog/model.ts";
import { openaiChatProtocol } from "../../../formats/chat/protocol.ts";
import { anthropicMessagesProtocol } from "../../../formats/messages/protocol.ts";
import { openaiResponsesProtocol } from "../../../formats/responses/protocol.ts";
import type { EncodedRequest } from "../../../formats/shared/protocol.ts";
import type { HubInput } from "../../../hub/input.ts";

/** The public formats, by which a recorded request is written again. */
const PROTOCOLS = {
  chat: openaiChatProtocol,
  responses: openaiResponsesProtocol,
  messages: anthropicMessagesProtocol,
} as const;

/** A public format. */
export type FormatName = keyof typeof PROTOCOLS;

/** The target of a request that is written for Attune itself: it takes all that its callers may send. */
const TARGET = {
  profile: { instructionRole: "as-called", cacheBreakpoints: true, n: 128 },
  inferenceId: "",
  projectId: "",
} as const;

/** Tokens of an answer in a format that needs a limit, where the request has none. */
const OUTPUT_TOKENS = 4096;
const MODEL: CatalogModel = {
  name: "",
  displayName: "",
  purpose: "",
  contextWindow: 1_000_000,
  family: "chat",
  maxOutputTokens: OUTPUT_TOKENS,
  minCacheableTokens: 0,
  createdAt: new Date(0),
  deployments: [],
};

/**
 * Writes a recorded request in a public format, for a model. Throws INVALID_REQUEST for what that format must refuse by
 * name.
 */
export function encodeInFormat(
  input: HubInput,
  { format, model, streamed }: { readonly format: FormatName; readonly model: string; readonly streamed: boolean },
): EncodedRequest {
  const deployment = { upstream: "attune", model };
  return PROTOCOLS[format].encodeRequest(input, { ...TARGET, model: MODEL, deployment, streamed });
}
