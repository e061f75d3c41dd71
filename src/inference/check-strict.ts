import type { InferenceInput } from "../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "./error.ts";

/** Checks that a request in strict mode loses nothing on its way to `upstream`. Throws TRANSLATION_LOSS. */
export function checkStrict(input: InferenceInput, losses: readonly string[], upstream: string): void {
  if (!input.strict || losses.length === 0) return;
  throw new InferenceError(
    ErrorReason.TRANSLATION_LOSS,
    `the upstream's format cannot carry: ${losses.join(", ")}. Leave these out, or allow the loss by not asking for strict mode`,
    { param: losses[0], refusedLosses: losses, upstream },
  );
}
