import { defineEntity, p } from "@mikro-orm/core";

/** An entry of feedback that was taken back: it is not written again, and may be taken back again. */
export const FeedbackRemoval = defineEntity({
  name: "FeedbackRemoval",
  tableName: "feedback_removal",
  properties: {
    /** Id of the entry. */
    id: p.uuid().primary(),
    projectId: p.uuid(),
    /** Public id of the key that had sent it. */
    keyId: p.text(),
  },
});
