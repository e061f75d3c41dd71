import { defineEntity, p } from "@mikro-orm/core";
import { Project } from "./project.ts";

/** Filters of the history under a name, for all who may see the project. */
export const SavedView = defineEntity({
  name: "SavedView",
  tableName: "saved_view",
  uniques: [{ properties: ["project", "name"] }],
  properties: {
    id: p.uuid().primary(),
    project: () => p.manyToOne(Project).fieldName("project_id").deleteRule("cascade"),
    name: p.text(),
    /** The filters as the page's address has them: status=failed&since=24h. */
    search: p.text(),
    /** Address of the person who saved it. */
    createdBy: p.text(),
    createdAt: p.datetime(3),
  },
});
