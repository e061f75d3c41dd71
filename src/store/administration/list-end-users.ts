import { OTHER_NAMES } from "../entities/rollup-name.ts";
import type { Store } from "../types/store.ts";

/** Lists the end users of a project that figures tell apart or that have a quota by name, by their ids. */
export async function listEndUsers(
  store: Store,
  { projectId, after, most }: { readonly projectId: string; readonly after: string; readonly most: number },
): Promise<readonly string[]> {
  const counted = store
    .query()
    .selectFrom("RollupName")
    .select("name")
    .where((is) => is.and({ projectId, kind: "end_user" }))
    .where("name", "!=", OTHER_NAMES);
  const rows = await counted
    .where("name", ">", after)
    .union(({ selectFrom }) =>
      selectFrom("Quota")
        .select("name")
        .where((is) => is.and({ projectId, kind: "endUser" }))
        .where("name", ">", after),
    )
    .orderBy("name")
    .limit(most)
    .execute();
  return rows.map(({ name }) => name);
}
