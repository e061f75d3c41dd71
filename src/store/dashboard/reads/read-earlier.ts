import type { InferenceRow } from "../../entities/inference.ts";
import type { Store } from "../../types/store.ts";

/** A request that comes before another in a conversation. */
type EarlierRequest = Pick<InferenceRow, "id" | "model" | "status" | "startedAt" | "previousId">;

/** Reads the requests that one continues, the latest first, at most `limit`. */
export async function readEarlier(
  store: Store,
  { projectId, previousId, limit }: { projectId: string; previousId: string | null; limit: number },
): Promise<EarlierRequest[]> {
  const earlier: EarlierRequest[] = [];
  for (let id = previousId; id !== null && earlier.length < limit; ) {
    const row = await store
      .query()
      .selectFrom("Inference")
      .select(["id", "model", "status", "startedAt", "previousId"])
      .where("id", "=", id)
      .where("projectId", "=", projectId)
      .executeTakeFirst();
    if (row === undefined) break;
    earlier.push(row);
    id = row.previousId;
  }
  return earlier;
}
