import type { GenerateResponse } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { type JsonObject, mergeMembers } from "../../shared/json.ts";
import { encodeStopReason } from "../stop-reason.ts";
import { encodeBlock, ownMembers } from "./encode-answer-block.ts";
import { encodeSearch } from "./encode-search.ts";
import { encodeUsage } from "./encode-usage.ts";

/** Encodes a whole answer. */
export function encodeResponse(response: GenerateResponse): string {
  const { id, model, finished } = response;
  const blocks = response.content.flatMap((block, index) => {
    const search = encodeSearch(block, { inferenceId: id, index });
    if (search === undefined) return encodeBlock(block) ?? [];
    return [{ ...search.call, input: search.input }, search.result].map((json) => JSON.stringify(json));
  });
  const head = JSON.stringify({ id, type: "message", role: "assistant", model }).slice(0, -1);
  const hasRefusal = response.content.some(({ kind }) => kind.case === "refusal");
  const hasCalls = response.content.some(({ kind }) => kind.case === "toolUse");
  const rest: JsonObject = {
    stop_reason: finished === undefined ? null : encodeStopReason(finished, { hasRefusal, hasCalls }),
    stop_sequence: finished?.stopSequence ?? null,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage: encodeUsage(finished?.usage),
  };
  const tail = JSON.stringify(mergeMembers(rest, ownMembers(finished?.extension))).slice(1);
  return `${head},"content":[${blocks.join(",")}],${tail}`;
}
