import { BufferArena } from "../../../lib/buffer-arena.ts";
import { compressBody } from "../../../lib/compress-body.ts";
import type { InferenceBodyRow } from "../../entities/inference-body.ts";
import type { InferenceWrite, RecordBatch } from "../../types/record-batch.ts";
import type { Store } from "../../types/store.ts";
import { type BatchWriter, createBatchWriter } from "./batch-writer.ts";

/** The statements and memory of each database that is open. */
interface WriterState {
  /** Has its statements. */
  readonly write: BatchWriter;
  /** Of a batch that is over, for the bodies of the next one. */
  spare: BufferArena | undefined;
}

const states = new WeakMap<Store, WriterState>();

/**
 * Writes a batch in one transaction, and counts what is new in the rollups. What is already there stays as it is, so a
 * batch whose commit was lost can be written again, whole or in part, by any process.
 */
export async function writeBatch(store: Store, { inferences, feedback }: RecordBatch): Promise<void> {
  // Of several with one id the first is written, and with it what it came with: a later one may stand for an inference
  // that was cut off.
  const first = new Map(inferences.map((inference) => [inference.row.id, inference] as const).reverse());
  const state = getState(store);
  const { spare: memory = new BufferArena() } = state;
  state.spare = undefined;
  const bodies = await compressBodies([...first.values()], memory);
  const attempts = new Map([...first].map(([id, inference]) => [id, inference.attempts]));
  const items = new Map([...first].map(([id, inference]) => [id, inference.items]));
  await state.write({ inferences: inferences.map(({ row }) => row), attempts, bodies, items, feedback });
  // After a failure a statement may still be under way, and read it.
  memory.beginAnew();
  state.spare = memory;
}

function getState(store: Store): WriterState {
  const state = states.get(store) ?? { write: createBatchWriter(store), spare: undefined };
  states.set(store, state);
  return state;
}

async function compressBodies(
  writes: readonly InferenceWrite[],
  memory: BufferArena,
): Promise<ReadonlyMap<string, InferenceBodyRow>> {
  const bodies = new Map<string, InferenceBodyRow>();
  for (const { row, request, response, words: [prompt, answer] = ["", ""] } of writes) {
    if (request === undefined || response === undefined) continue;
    bodies.set(row.id, {
      id: row.id,
      projectId: row.projectId,
      prompt,
      answer,
      request: copyInto(memory, await compressBody(request)),
      response: copyInto(memory, await compressBody(response)),
    });
  }
  return bodies;
}

/**
 * A compressed body lies in twice the memory that it fills, which would outlive collections of new objects until the
 * batch is written.
 */
function copyInto(memory: BufferArena, bytes: Uint8Array): Uint8Array {
  const room = memory.reserve(bytes.length);
  room.set(bytes);
  return memory.take(room);
}
