import type { GenerateResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { HubInput } from "../../hub/input.ts";
import type { JsonObject } from "../shared/json.ts";
import { WireError } from "../shared/read.ts";
import { readResponsesJson } from "../shared/responses-json.ts";
import { encodeUsage } from "./answer/encode-outcome.ts";
import { decodeRequest } from "./request/decode-request.ts";

/** Decodes a request of POST /v1/responses/compact, which needs no more than a model. Throws WireError. */
export function decodeCompactRequest(body: JsonObject): HubInput {
  for (const name of ["stream", "background"]) {
    if (body[name] === true)
      throw new WireError(name, "a compaction cannot be streamed or made in the background: leave it out");
  }
  if ((body.conversation ?? null) !== null) {
    throw new WireError("conversation", "a compaction can't have a conversation: send its items in 'input'");
  }
  const isWithoutInput = (body.input ?? null) === null;
  const { input } = decodeRequest({ ...body, store: false, ...(isWithoutInput && { input: "-" }) });
  if (isWithoutInput) input.messages = [];
  input.compact = true;
  return input;
}

/**
 * Encodes a compaction: what stands for the conversation from now on. Where its maker kept no messages of the user,
 * those of the conversation, whose items are `before`, stay, as the format has it.
 */
export function encodeCompaction(response: GenerateResponse, before: readonly JsonObject[]): JsonObject {
  const { id, createdAt, content, finished } = response;
  const items = content.flatMap(({ kind }) => (kind.case === "opaque" ? (readResponsesJson(kind.value) ?? []) : []));
  const userMessages = before.filter(({ type, role }) => type === "message" && role === "user");
  return {
    ...readResponsesJson(finished?.extension),
    id,
    object: "response.compaction",
    created_at: Number(createdAt?.seconds ?? 0),
    output: items.length > 1 ? items : [...userMessages, ...items],
    usage: finished?.usage === undefined ? null : encodeUsage(finished.usage),
  };
}
