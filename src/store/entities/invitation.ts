import { defineEntity, p } from "@mikro-orm/core";
import { Project } from "./project.ts";

/** An invitation to a project that waits to be accepted. The secret of its link is not here: only the hash of it. */
export const Invitation = defineEntity({
  name: "Invitation",
  tableName: "invitation",
  uniques: [{ properties: ["project", "email"] }],
  properties: {
    id: p.uuid().primary(),
    project: () => p.manyToOne(Project).fieldName("project_id").deleteRule("cascade"),
    /** In lower case. */
    email: p.string().length(320),
    /** A role of `vocabulary/roles.ts`. */
    role: p.text(),
    /** SHA-256 in hex. */
    tokenHash: p.string().length(64).unique(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
  },
});
