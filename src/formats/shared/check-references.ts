import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { parseJsonObject } from "./json.ts";

/**
 * Checks that no item of a conversation stands for one that only another upstream has. Throws NOT_FOUND that names it:
 * what is missing would make another question of it.
 */
export function checkReferences({ messages }: InferenceInput): void {
  for (const [index, { content }] of messages.entries()) {
    const kind = content[0]?.kind;
    if (kind?.case !== "opaque" || kind.value.dialect !== Dialect.RESPONSES) continue;
    const item = parseJsonObject(kind.value.json);
    const isReference = item?.type === undefined || item.type === "item_reference";
    if (!isReference || typeof item?.id !== "string") continue;
    const param = `messages[${index}].id`;
    throw new InferenceError(
      ErrorReason.NOT_FOUND,
      `${param}: the upstream of this model has no item '${item.id.slice(0, 128)}': send the item itself`,
      { param },
    );
  }
}
