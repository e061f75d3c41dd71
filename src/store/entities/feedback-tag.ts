import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

/** Characters that the name and the value of a tag may have to be found by: more do not fit into an index. */
export const FINDABLE_TAG_CHARACTERS = 200;

/** One tag of one entry of feedback, so that inferences can be found by it; long ones are only in the entry. */
export const FeedbackTag = defineEntity({
  name: "FeedbackTag",
  tableName: "feedback_tag",
  indexes: [{ properties: ["feedbackId"] }],
  properties: {
    projectId: p.uuid().primary(),
    key: p.text().primary(),
    value: p.text().primary(),
    inferenceId: p.uuid().primary(),
    feedbackId: p.uuid().primary(),
  },
});

/** A row of `feedback_tag`. */
export type FeedbackTagRow = InferEntity<typeof FeedbackTag>;
