import { defineEntity, p } from "@mikro-orm/core";

/** A name of the callers' own that the rollups of a project tell apart; others are counted together. */
export const RollupName = defineEntity({
  name: "RollupName",
  tableName: "rollup_name",
  properties: {
    projectId: p.uuid().primary(),
    /** workload, metric, end_user or tag. */
    kind: p.string().length(10).primary(),
    name: p.text().primary(),
  },
});

/** The name under which names beyond the cap are counted. */
export const OTHER_NAMES = "(other)";

/** Names that a project's figures tell apart where nobody says how many. */
export const NAMES_PER_PROJECT = 200;

/** The kinds of names that callers give. */
export type NameKind = "workload" | "metric" | "end_user" | "tag";

/** The names of a kind that are told apart, in multiples of those of workloads. */
const NAMES_OF_KIND: Record<NameKind, number> = { workload: 1, metric: 1, end_user: 10, tag: 1 };

/** The kinds of names, in the order in which every transaction adds them. */
export const NAME_KINDS = ["metric", "workload", "end_user", "tag"] as const satisfies readonly NameKind[];

/** Returns the largest number of names of a kind that a project's figures tell apart. */
export function mostNames(kind: NameKind, namesPerProject: number): number {
  return NAMES_OF_KIND[kind] * namesPerProject;
}
