import { splitIntoChunks } from "../../../lib/split-into-chunks.ts";
import { OTHER_NAMES } from "../../entities/rollup-name.ts";
import type { TimeRange } from "../../read/queries/range.ts";
import { firstIdAt } from "../../types/period.ts";
import type { Store } from "../../types/store.ts";

/** Names of one query. */
const NAMES_AT_ONCE = 200;

/** A question about end users, or about tags by `name=value`. */
interface UnnamedQuery {
  readonly projectId: string;
  readonly kind: "end_user" | "tag";
  readonly names: readonly string[];
  readonly range: TimeRange;
}

/** The cost of calls in nano-USD. */
interface NamedCost {
  readonly name: string;
  readonly costNanos: number;
}

/**
 * Reads from the records, as far as these are kept, what end users or tags have cost that figures do not tell apart, as
 * there are too many; those that figures tell apart are left out.
 */
export async function readUnnamedCosts(store: Store, { names, ...query }: UnnamedQuery): Promise<NamedCost[]> {
  const { projectId, kind } = query;
  const rollupNames = store.query().selectFrom("RollupName").select("name").where("projectId", "=", projectId);
  const counted = store.query().selectFrom("UsageFactDay").select("name").where("projectId", "=", projectId);
  const others = await counted.where("kind", "=", kind).where("name", "=", OTHER_NAMES).limit(1).execute();
  if (others.length === 0) return [];
  const rows = await rollupNames.where("kind", "=", kind).execute();
  const known = new Set(rows.map(({ name }) => name));
  const costs: NamedCost[] = [];
  for (const some of splitIntoChunks(
    names.filter((name) => !known.has(name)),
    NAMES_AT_ONCE,
  )) {
    costs.push(...(kind === "tag" ? await readTags(store, query, some) : await readEndUsers(store, query, some)));
  }
  return costs;
}

type CostQuery = Omit<UnnamedQuery, "names">;

async function readEndUsers(
  store: Store,
  { projectId, range }: CostQuery,
  names: readonly string[],
): Promise<NamedCost[]> {
  const rows = await store
    .query()
    .selectFrom("Inference")
    .select((is) => ["endUserId", is.fn.sum<number | string | null>("costNanos").as("costNanos")])
    .where("projectId", "=", projectId)
    .where("endUserId", "in", [...names])
    .where("id", ">=", firstIdAt(range.from.getTime()))
    .where("id", "<", firstIdAt(range.to.getTime()))
    .groupBy("endUserId")
    .execute();
  return rows.map(({ endUserId, costNanos }) => ({ name: endUserId ?? "", costNanos: Number(costNanos ?? 0) }));
}

async function readTags(store: Store, { projectId, range }: CostQuery, names: readonly string[]): Promise<NamedCost[]> {
  const tags = names.map((tag) => ({ name: tag.slice(0, tag.indexOf("=")), value: tag.slice(tag.indexOf("=") + 1) }));
  const rows = await store
    .query()
    .selectFrom("InferenceTag")
    .innerJoin("Inference", "Inference.id", "InferenceTag.id")
    .select((is) => [
      "InferenceTag.name",
      "InferenceTag.value",
      is.fn.sum<number | string | null>("Inference.costNanos").as("costNanos"),
    ])
    .where("InferenceTag.projectId", "=", projectId)
    .where((is) => is.or(tags.map(({ name, value }) => is.and({ "InferenceTag.name": name, value }))))
    .where("InferenceTag.id", ">=", firstIdAt(range.from.getTime()))
    .where("InferenceTag.id", "<", firstIdAt(range.to.getTime()))
    .groupBy(["InferenceTag.name", "InferenceTag.value"])
    .execute();
  return rows.map(({ name, value, costNanos }) => ({ name: `${name}=${value}`, costNanos: Number(costNanos ?? 0) }));
}
