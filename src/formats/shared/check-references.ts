import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { findReference } from "../../hub/item-references.ts";

/**
 * Checks that no item of a conversation stands for one that only another upstream has. Throws NOT_FOUND that names it:
 * what is missing would make another question of it.
 */
export function checkReferences({ messages }: InferenceInput): void {
  for (const [index, message] of messages.entries()) {
    const id = findReference(message);
    if (id === undefined) continue;
    const param = `messages[${index}].id`;
    throw new InferenceError(
      ErrorReason.NOT_FOUND,
      `${param}: the upstream of this model has no item '${id.slice(0, 128)}': send the item itself`,
      { param },
    );
  }
}
