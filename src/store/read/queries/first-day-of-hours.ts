import { periodAt } from "../../types/period.ts";
import type { Store } from "../../types/store.ts";

/** Returns the day since 1970 from which on figures are kept by the hour; those of earlier days are kept by the day alone. */
export async function firstDayOfHours(store: Store): Promise<number> {
  const mark = await store
    .query()
    .selectFrom("RetentionMark")
    .select("deletedBefore")
    .where("kind", "=", "hours")
    .executeTakeFirst();
  return mark === undefined ? 0 : periodAt("day", mark.deletedBefore.getTime());
}
