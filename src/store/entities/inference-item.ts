import { createHash } from "node:crypto";
import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

/**
 * An item of an answer that its upstream has named: clients of the Responses format may refer to it by this name alone,
 * to whatever process. It is of no use without the answer, and goes with it.
 */
export const InferenceItem = defineEntity({
  name: "InferenceItem",
  tableName: "inference_item",
  indexes: [{ properties: ["projectId", "name", "inferenceId"] }, { properties: ["inferenceId"] }],
  properties: {
    id: p.uuid().primary(),
    inferenceId: p.uuid(),
    projectId: p.uuid(),
    /** Digest of the item's id, of itemName(). */
    name: p.text(),
    /** Digest of what the answer was an answer to, of askedBefore(). */
    asked: p.text(),
  },
});

/** A row of `inference_item`. */
export type InferenceItemRow = InferEntity<typeof InferenceItem>;

/** Returns the digest by which an item is found: 96 bits, half the room of an id. */
export function itemName(itemId: string): string {
  return createHash("sha256").update(itemId).digest("base64").slice(0, 16);
}
