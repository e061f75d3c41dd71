import { InferenceError } from "../../hub/error.ts";

/**
 * Makes the refusal of a file at `place` that is known by its id, and not to this upstream: no answer could be about
 * it.
 */
export function foreignFile(place: string, fileId: string): InferenceError {
  return InferenceError.invalid(
    place,
    `the file '${fileId}' is stored by another service than this model's; send its bytes`,
  );
}
