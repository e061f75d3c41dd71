import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../../hub/error.ts";

/** Checks that a request in strict mode loses nothing on its way to `upstream`. Throws TRANSLATION_LOSS. */
export function checkStrict(input: InferenceInput, losses: readonly string[], upstream: string): void {
  if (!input.strict || losses.length === 0) return;
  throw InferenceError.lossy(losses, upstream);
}
