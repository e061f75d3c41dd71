import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

/** A deletion of a project with all its data, which can be undone until its data goes. */
export const ProjectDeletion = defineEntity({
  name: "ProjectDeletion",
  tableName: "project_deletion",
  indexes: [{ properties: ["state"] }],
  properties: {
    projectId: p.uuid().primary(),
    /** Name of the project before. */
    name: p.text(),
    /** The person or key that deleted it, and the way. */
    actorKind: p.text(),
    actorId: p.text(),
    actorLabel: p.text(),
    via: p.text(),
    requestedAt: p.datetime(3),
    /** When its data goes. */
    dueAt: p.datetime(3),
    /** waiting, running or done. */
    state: p.text(),
    /** When the process that does it was last heard of. */
    beatAt: p.datetime(3),
    endedAt: p.datetime(3).nullable(),
    /** Rows deleted so far. */
    inferences: p.bigint("number"),
    feedback: p.bigint("number"),
    conversations: p.bigint("number"),
  },
});

/** A row of `project_deletion`. */
export type ProjectDeletionRow = InferEntity<typeof ProjectDeletion>;
