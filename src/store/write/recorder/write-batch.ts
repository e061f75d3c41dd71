import { compressBody } from "../../../lib/compress-body.ts";
import type { InferenceBodyRow } from "../../entities/inference-body.ts";
import type { InferenceWrite, RecordBatch } from "../../types/record-batch.ts";
import type { Store } from "../../types/store.ts";
import { type BatchWriter, createBatchWriter } from "./batch-writer.ts";

/** Statements of each database that is open. */
const writers = new WeakMap<Store, BatchWriter>();

/**
 * Writes a batch in one transaction, and counts what is new in the rollups. What is already there stays as it is, so a
 * batch whose commit was lost can be written again, whole or in part, by any process.
 */
export async function writeBatch(store: Store, { inferences, feedback }: RecordBatch): Promise<void> {
  // Of several with one id the first is written, and with it what it came with: a later one may stand for an inference
  // that was cut off.
  const first = new Map(inferences.map((inference) => [inference.row.id, inference] as const).reverse());
  const bodies = await compressBodies([...first.values()]);
  const attempts = new Map([...first].map(([id, inference]) => [id, inference.attempts]));
  await writerOf(store)({ inferences: inferences.map(({ row }) => row), attempts, bodies, feedback });
}

function writerOf(store: Store): BatchWriter {
  const writer = writers.get(store) ?? createBatchWriter(store);
  writers.set(store, writer);
  return writer;
}

async function compressBodies(writes: readonly InferenceWrite[]): Promise<ReadonlyMap<string, InferenceBodyRow>> {
  const bodies = new Map<string, InferenceBodyRow>();
  for (const { row, request, response, words: [prompt, answer] = ["", ""] } of writes) {
    if (request === undefined || response === undefined) continue;
    bodies.set(row.id, {
      ...{ id: row.id, projectId: row.projectId, prompt, answer },
      request: await compressBody(request),
      response: await compressBody(response),
    });
  }
  return bodies;
}
