import type { FeedbackEntryRow } from "../entities/feedback-entry.ts";
import type { InferenceRow } from "../entities/inference.ts";
import type { InferenceBodyRow } from "../entities/inference-body.ts";
import type { Store } from "../store.ts";
import { compressBody } from "./inference-body.ts";

/** One inference on its way to the database. */
export interface InferenceWrite {
  readonly row: InferenceRow;
  /** What was asked, as protobuf, not compressed; undefined where bodies were given up. */
  readonly request: Uint8Array | undefined;
  /** What was answered, likewise. */
  readonly response: Uint8Array | undefined;
}

/** What is written together. */
export interface RecordBatch {
  readonly inferences: readonly InferenceWrite[];
  readonly feedback: readonly FeedbackEntryRow[];
}

/**
 * Writes a batch in one transaction. What is already there stays as it is, so a batch whose commit was lost can be written
 * again, whole or in part, by any process.
 */
export async function writeBatch(store: Store, { inferences, feedback }: RecordBatch): Promise<void> {
  const bodies = await compressBodies(inferences);
  await store.transaction(async (tables) => {
    if (inferences.length > 0) {
      // In order of ids, as all do it: two transactions with rows in common then never wait for each other.
      const rows = inferences.map(({ row }) => row).sort(byId);
      const inserted = await tables
        .insertInto("Inference")
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .returning("id")
        .execute();
      // A body that was deleted meanwhile must not come back.
      const newBodies = inserted.flatMap(({ id }) => bodies.get(id) ?? []).sort(byId);
      if (newBodies.length > 0) {
        await tables
          .insertInto("InferenceBody")
          .values(newBodies)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
    }
    if (feedback.length > 0) {
      await tables
        .insertInto("FeedbackEntry")
        .values([...feedback].sort(byId))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  });
}

async function compressBodies(writes: readonly InferenceWrite[]): Promise<ReadonlyMap<string, InferenceBodyRow>> {
  const bodies = new Map<string, InferenceBodyRow>();
  for (const { row, request, response } of writes) {
    if (request === undefined || response === undefined) continue;
    bodies.set(row.id, {
      id: row.id,
      request: await compressBody(request),
      response: await compressBody(response),
    });
  }
  return bodies;
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1;
}
