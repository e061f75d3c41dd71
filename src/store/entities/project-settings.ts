import { defineEntity, p } from "@mikro-orm/core";
import { Project } from "./project.ts";

/** What the owners of a project have set; a project without a row has the defaults. */
export const ProjectSettings = defineEntity({
  name: "ProjectSettings",
  tableName: "project_settings",
  properties: {
    project: () => p.manyToOne(Project).primary().fieldName("project_id").deleteRule("cascade"),
    /** What is kept of requests and answers: full, redacted or none. */
    bodies: p.text(),
    /** Names of the optimisations that are switched off; null is none of them. */
    optimizationsOff: p.json<readonly string[]>().nullable(),
    updatedAt: p.datetime(3),
  },
});
