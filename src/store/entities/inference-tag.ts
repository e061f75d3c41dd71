import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

/** One tag of one inference, so that inferences can be found by it. */
export const InferenceTag = defineEntity({
  name: "InferenceTag",
  tableName: "inference_tag",
  indexes: [{ properties: ["projectId", "name", "value", "id"] }],
  properties: {
    /** Of the inference. */
    id: p.uuid().primary(),
    name: p.text().primary(),
    value: p.text(),
    projectId: p.uuid(),
  },
});

/** A row of `inference_tag`. */
export type InferenceTagRow = InferEntity<typeof InferenceTag>;
