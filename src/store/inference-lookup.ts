import type { InferenceLookup } from "../feedback/ports.ts";
import type { Store } from "./store.ts";

/** Tells the project of an inference that is not yet in the database; undefined if it does not know. */
export type RecentInferences = (id: string) => string | undefined;

/**
 * Creates a lookup that asks `recent` first (the inferences under way and those in the recorder's queue), and the
 * database once for all others.
 */
export function createInferenceLookup(store: Store, recent: RecentInferences): InferenceLookup {
  return {
    findRecent: recent,
    async findStored(ids) {
      const rows = await store
        .query()
        .selectFrom("Inference")
        .select(["id", "projectId"])
        .where("id", "in", [...ids])
        .execute();
      return new Map(rows.map(({ id, projectId }) => [id, projectId]));
    },
  };
}
