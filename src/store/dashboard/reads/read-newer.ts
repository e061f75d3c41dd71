import type { Store } from "../../types/store.ts";

/** Reads the id of the request that was made after another one of a project; null where there is none. */
export async function readNewer(
  store: Store,
  { projectId, id }: { readonly projectId: string; readonly id: string },
): Promise<string | null> {
  const rows = store.query().selectFrom("Inference").select("id").where("projectId", "=", projectId);
  const row = await rows.where("id", ">", id).orderBy("id").limit(1).executeTakeFirst();
  return row?.id ?? null;
}
