import { defineEntity, p } from "@mikro-orm/core";

/** A project: the owner of keys, inferences and feedback. */
export const Project = defineEntity({
  name: "Project",
  tableName: "project",
  properties: {
    id: p.uuid().primary(),
    name: p.string().unique(),
    createdAt: p.datetime(3),
    /**
     * When somebody deleted it; null for a project that is there. Its name is its id then, so that the name is free.
     */
    deletedAt: p.datetime(3).nullable(),
  },
});

/** The project that exists from the start. Its id is fixed, so that it is known without asking the database. */
export const DEFAULT_PROJECT = { id: "00000000-0000-7000-8000-000000000001", name: "default" } as const;
