import { create } from "@bufbuild/protobuf";
import {
  FinishedSchema,
  FinishReason,
  type GenerateEvent,
  GenerateEventSchema,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { blockEndEvent, blockStartEvent, startedEvent } from "../../../hub/events.ts";
import type { HubInput } from "../../../hub/input.ts";
import { brokenAnswer } from "../../shared/broken-answer.ts";
import { isJsonObject, parseJsonObject, unknownMembers } from "../../shared/json.ts";
import type { EncodedRequest, EncodeTarget, EventDecoder } from "../../shared/protocol.ts";
import { responsesJson } from "../../shared/responses-json.ts";
import { decodeUsage } from "../answer/decode-finish.ts";
import { encodeRequest } from "./encode-request.ts";

/** Members of a compaction that Attune says itself. */
const OWN = new Set(["id", "object", "created_at", "output", "usage"]);

/** Members that POST /responses/compact does not have, though POST /responses does. Its input is optional. */
const NOT_TAKEN = new Set(["store", "stream"]);

/** Encodes a request as the body of POST /responses/compact. Throws INVALID_REQUEST as encodeRequest() does. */
export function encodeCompactionRequest(input: HubInput, target: EncodeTarget): EncodedRequest {
  const { body, ...request } = encodeRequest(input, { ...target, streamed: false, cacheKey: undefined });
  const members = Object.entries(body).filter(
    ([name]) => !NOT_TAKEN.has(name) && (name !== "input" || input.messages.length > 0 || input.system.length > 0),
  );
  return { ...request, body: Object.fromEntries(members) };
}

/**
 * Creates the decoder of a compaction, which always comes whole: each of its items is a block that only this format
 * knows.
 */
export function createCompactionDecoder(): EventDecoder {
  return {
    decode: () => [],
    close: () => [],
    decodeWhole(body) {
      const json = parseJsonObject(body);
      const items = json?.output;
      if (json === undefined || !Array.isArray(items) || !items.every(isJsonObject)) {
        throw brokenAnswer("a compaction must have a list of items as its output");
      }
      const blocks = items.flatMap((item, index): GenerateEvent[] => [
        blockStartEvent(index, { kind: { case: "opaque", value: responsesJson(item) } }),
        blockEndEvent(index),
      ]);
      const value = create(FinishedSchema, {
        reason: FinishReason.STOP,
        rawReason: "completed",
        ...(isJsonObject(json.usage) && { usage: decodeUsage(json.usage, json) }),
        extension: responsesJson(unknownMembers(json, OWN)),
      });
      return [
        startedEvent({ serving: {} }),
        ...blocks,
        create(GenerateEventSchema, { event: { case: "finished", value } }),
      ];
    },
  };
}
