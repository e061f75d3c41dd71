import { ReasoningSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { InferenceInputSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { knownMembers } from "../../../hub/field-names.ts";
import { checkCarried } from "../../shared/carried-member.ts";
import type { JsonObject } from "../../shared/json.ts";
import { extraMembers } from "../../shared/json.ts";
import { CARRIED } from "./carried-members.ts";

/** Members of the request that the hub models, or that end here. */
const MODELLED = knownMembers("chat", [InferenceInputSchema, ReasoningSchema], {
  further: ["stream", "stream_options", "n", "modalities", "functions", "function_call"],
});

/**
 * Returns the members of a request that only this format knows, or nobody; undefined if there are none. Throws
 * WireError.
 */
export function decodeExtension(body: JsonObject): JsonObject | undefined {
  const members = extraMembers(body, MODELLED);
  if (members !== undefined) checkCarried(members, CARRIED);
  return members;
}
