import { defineEntity, p } from "@mikro-orm/core";

/** A name of the callers' own that the rollups of a project tell apart; others are counted together. */
export const RollupName = defineEntity({
  name: "RollupName",
  tableName: "rollup_name",
  properties: {
    projectId: p.uuid().primary(),
    /** workload or metric. */
    kind: p.string().length(10).primary(),
    name: p.text().primary(),
  },
});

/** The name under which names beyond the cap are counted. */
export const OTHER_NAMES = "(other)";

/** Names that a project's figures tell apart where nobody says how many. */
export const NAMES_PER_PROJECT = 200;

/** The kinds of names that callers give. */
export type NameKind = "workload" | "metric";
