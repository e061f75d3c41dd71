import { defineEntity, p } from "@mikro-orm/core";
import { Project } from "./project.ts";

/** Requests that were chosen, under a name. */
export const Dataset = defineEntity({
  name: "Dataset",
  tableName: "dataset",
  uniques: [{ properties: ["project", "name"] }],
  properties: {
    id: p.uuid().primary(),
    project: () => p.manyToOne(Project).fieldName("project_id").deleteRule("cascade"),
    name: p.text(),
    /** Address of the person who made it. */
    createdBy: p.text(),
    createdAt: p.datetime(3),
  },
});

/**
 * A request of a dataset. It has no texts: they are deleted with those of the request, which may be gone while it is
 * still listed here.
 */
export const DatasetRow = defineEntity({
  name: "DatasetRow",
  tableName: "dataset_row",
  properties: {
    dataset: () => p.manyToOne(Dataset).primary().fieldName("dataset_id").deleteRule("cascade"),
    inferenceId: p.uuid().primary(),
  },
});
