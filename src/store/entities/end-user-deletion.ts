import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

/** A deletion of an end user's data, in the background. */
export const EndUserDeletion = defineEntity({
  name: "EndUserDeletion",
  tableName: "end_user_deletion",
  indexes: [{ properties: ["projectId", "id"] }],
  properties: {
    id: p.uuid().primary(),
    projectId: p.uuid(),
    endUserId: p.text(),
    /** The person or key that asked for it, and the way. */
    actorKind: p.text(),
    actorId: p.text(),
    actorLabel: p.text(),
    via: p.text(),
    requestedAt: p.datetime(3),
    /** running, done or failed. */
    state: p.text(),
    /** When the process that does it was last heard of. */
    beatAt: p.datetime(3),
    /** Rows deleted so far. */
    inferences: p.integer(),
    feedback: p.integer(),
    conversations: p.integer(),
  },
});

/** A row of `end_user_deletion`. */
export type EndUserDeletionRow = InferEntity<typeof EndUserDeletion>;
