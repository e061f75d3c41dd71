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
