import type { TimeRange } from "../../read/queries/range.ts";
import { sumRollups } from "../../read/queries/sum-rollups.ts";
import { PERIODS } from "../../types/period.ts";
import type { Store } from "../../types/store.ts";

/** The query of what some owners of budgets have spent. */
interface SpentQuery {
  readonly projectId: string;
  readonly kind: "project" | "key" | "endUser" | "tag";
  /** Public ids, end users, or tags as `team=search`; of no meaning for the project. */
  readonly names: readonly string[];
  /** Whole days of UTC are read. */
  readonly range: TimeRange;
}

const FACTS = { endUser: "end_user", tag: "tag" } as const;

function wholeDays({ from, to }: TimeRange): TimeRange {
  const day = PERIODS.day;
  return {
    from: new Date(Math.floor(from.getTime() / day) * day),
    to: new Date(Math.ceil(to.getTime() / day) * day),
  };
}

/** Reads what owners of budgets have spent in a time, in nano-USD by their names; the project's name is empty. */
export async function readSpentBy(
  store: Store,
  { projectId, kind, names, range }: SpentQuery,
): Promise<ReadonlyMap<string, number>> {
  const common = { projectId, range: wholeDays(range), bucket: "none", sums: ["cost_nanos"] } as const;
  const rows =
    kind === "project"
      ? await sumRollups(store, { ...common, rollup: "usage", group: [] })
      : kind === "key"
        ? await sumRollups(store, { ...common, rollup: "usage", group: ["key_id"], filter: { key_id: names } })
        : await sumRollups(store, {
            ...{ ...common, rollup: "usage_fact", group: ["name"], filter: { kind: FACTS[kind], name: names } },
          });
  return new Map(rows.map(({ group: [name = ""], sums }) => [name, sums["cost_nanos"] ?? 0]));
}
