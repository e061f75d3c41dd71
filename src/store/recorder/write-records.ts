import type { InferenceRow } from "../entities/inference.ts";
import type { InferenceBodyRow } from "../entities/inference-body.ts";
import { DEFAULT_PROJECT } from "../entities/project.ts";
import type { Store } from "../store.ts";
import { encodeContent, type InferenceContent } from "./inference-body.ts";

/** One inference on its way to the database. */
export interface PendingRow {
  readonly row: InferenceRow;
  /** Undefined where it was given up to save memory. */
  readonly content: InferenceContent | undefined;
}

/**
 * Writes inferences and their bodies in one transaction; what is already there stays as it is, so a batch whose commit was
 * lost can be written again. Resolves to the ids whose bodies cannot be encoded: these have no body row.
 */
export async function writeRecords(store: Store, batch: readonly PendingRow[]): Promise<readonly string[]> {
  const { bodies, broken } = await encodeBodies(batch);
  await store.transaction(async (tables) => {
    await tables
      .insertInto("Inference")
      .values(batch.map(({ row }) => row))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    if (bodies.length === 0) return;
    await tables
      .insertInto("InferenceBody")
      .values(bodies)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
  return broken;
}

/** Writes a row as it already is: rejects where the database takes no writes. */
export async function writeNothing(store: Store): Promise<void> {
  const { id, name } = DEFAULT_PROJECT;
  await store.query().updateTable("Project").set({ name }).where("id", "=", id).execute();
}

async function encodeBodies(batch: readonly PendingRow[]) {
  const bodies: InferenceBodyRow[] = [];
  const broken: string[] = [];
  for (const { row, content } of batch) {
    if (content === undefined) continue;
    try {
      bodies.push({ id: row.id, ...(await encodeContent(content)) });
    } catch {
      broken.push(row.id);
    }
  }
  return { bodies, broken };
}
