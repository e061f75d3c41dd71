import { defineEntity, p } from "@mikro-orm/core";
import { Project } from "./project.ts";
import { UserAccount } from "./user-account.ts";

/** That a person belongs to a project. */
export const Membership = defineEntity({
  name: "Membership",
  tableName: "membership",
  indexes: [{ properties: ["projectId"] }],
  properties: {
    userId: () => p.manyToOne(UserAccount).mapToPk().primary().fieldName("user_id").deleteRule("cascade"),
    projectId: () => p.manyToOne(Project).mapToPk().primary().fieldName("project_id").deleteRule("cascade"),
    /** owner, member or viewer. */
    role: p.text(),
    createdAt: p.datetime(3),
  },
});
