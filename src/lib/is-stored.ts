import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../gen/attune/inference/v1/inference_pb.ts";

/** Tells whether an inference is to be stored: what its caller said, or what its dialect does for those who do not say. */
export function isStored({ store, dialect }: Pick<InferenceInput, "store" | "dialect">): boolean {
  return store ?? (dialect === Dialect.RESPONSES || dialect === Dialect.UNSPECIFIED);
}
