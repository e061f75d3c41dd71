import { periodAt } from "../types/period.ts";
import type { Store } from "../types/store.ts";

/** Returns the day since 1970 from which on figures are kept: by the hour, or at all. */
export async function firstDayKept(store: Store, kind: "hours" | "figures"): Promise<number> {
  const mark = await store
    .query()
    .selectFrom("RetentionMark")
    .select("deletedBefore")
    .where("kind", "=", kind)
    .executeTakeFirst();
  return mark === undefined ? 0 : periodAt("day", mark.deletedBefore.getTime());
}
