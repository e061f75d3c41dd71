import { defineEntity, p } from "@mikro-orm/core";
import { Project } from "./project.ts";
import { UserAccount } from "./user-account.ts";

/** The membership of a person in a project. */
export const Membership = defineEntity({
  name: "Membership",
  tableName: "membership",
  indexes: [{ properties: ["project"] }],
  properties: {
    user: () => p.manyToOne(UserAccount).primary().fieldName("user_id").deleteRule("cascade"),
    project: () => p.manyToOne(Project).primary().fieldName("project_id").deleteRule("cascade"),
    /** A role of `vocabulary/roles.ts`. */
    role: p.text(),
    /** The issuer of the provider whose groups give the role; null where a person gave it. */
    grantedBy: p.text().nullable(),
    createdAt: p.datetime(3),
  },
});
