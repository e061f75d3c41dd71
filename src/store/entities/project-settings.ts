import { defineEntity, p } from "@mikro-orm/core";
import { Project } from "./project.ts";

/** The settings of a project; one without a row has the defaults. */
export const ProjectSettings = defineEntity({
  name: "ProjectSettings",
  tableName: "project_settings",
  properties: {
    project: () => p.manyToOne(Project).primary().fieldName("project_id").deleteRule("cascade"),
    /** The policy for requests and answers: full, redacted or none. */
    bodies: p.text(),
    /** Names of the optimisations that are switched off; null is none of them. */
    optimizationsOff: p.json<readonly string[]>().nullable(),
    /** Names of its own for models, each with the name of a model; null for none. */
    aliases: p.json<Readonly<Record<string, string>>>().nullable(),
    updatedAt: p.datetime(3),
  },
});
