import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { EncodedRequest, EncodeTarget } from "./protocol.ts";

/** Says of an encoded request whether it has a cache key that its caller did not give. */
export function namedFor(
  { promptCacheKey }: InferenceInput,
  { cacheKey }: Pick<EncodeTarget, "cacheKey">,
): Pick<EncodedRequest, "optimizations"> {
  return cacheKey === undefined || promptCacheKey !== undefined ? {} : { optimizations: ["cache-key"] };
}
