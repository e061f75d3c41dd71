import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import type { RecordBatch } from "../../types/record-batch.ts";

/** The options of joining writes. */
export interface JoinOptions {
  readonly write: (batch: RecordBatch) => Promise<void>;
  /** Tells whether a write failed because of what was written, so that it would fail again. */
  readonly isDataFault: (error: unknown) => boolean;
  /** Returns the number of possible writers. */
  readonly writers: () => number;
  /** Most entries that are written together; a batch that is larger by itself is written alone. */
  readonly mostEntries: number;
}

/** The time within which writers count as simultaneous, across clocks and processes. */
const GATHER_MS = 10;
/** Batches are not joined beyond so many bytes of bodies. */
const MOST_BYTES = 8 * 2 ** 20;

interface WaitingBatch {
  readonly batch: RecordBatch;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Returns what writes a batch together with those that others want to write at that time: a transaction writes the same
 * pages of indexes and rollups whatever it holds. Where the values of one are at fault, each is written by itself.
 */
export function joinWrites(options: JoinOptions): (batch: RecordBatch) => Promise<void> {
  let waiting: WaitingBatch[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    isWriting = true;
    // Those that are ready in this turn.
    await nextTurn();
    if (waiting.length < options.writers()) await delay(GATHER_MS);
    while (waiting.length > 0) {
      const count = fitting(waiting, options.mostEntries);
      const together = waiting.slice(0, count);
      waiting = waiting.slice(count);
      await writeTogether(together, options);
    }
    isWriting = false;
  }

  return (batch) =>
    new Promise((resolve, reject) => {
      waiting.push({ batch, resolve, reject });
      if (!isWriting) void writeAll();
    });
}

async function writeTogether(writes: readonly WaitingBatch[], { write, isDataFault }: JoinOptions): Promise<void> {
  try {
    await write(joined(writes.map(({ batch }) => batch)));
    for (const { resolve } of writes) resolve();
  } catch (error) {
    if (writes.length === 1 || !isDataFault(error)) for (const { reject } of writes) reject(error);
    else for (const { batch, resolve, reject } of writes) await write(batch).then(resolve, reject);
  }
}

function joined(batches: readonly RecordBatch[]): RecordBatch {
  const [only, ...others] = batches;
  if (only !== undefined && others.length === 0) return only;
  return {
    inferences: batches.flatMap(({ inferences }) => inferences),
    feedback: batches.flatMap(({ feedback }) => feedback),
  };
}

/** Returns how many from the front are written together: the first at least. */
function fitting(writes: readonly WaitingBatch[], mostEntries: number): number {
  let [entries, bytes] = [0, 0];
  const end = writes.findIndex(({ batch }, position) => {
    entries += batch.inferences.length + batch.feedback.length;
    bytes += getBytes(batch);
    return position > 0 && (entries > mostEntries || bytes > MOST_BYTES);
  });
  return end === -1 ? writes.length : end;
}

function getBytes({ inferences }: RecordBatch): number {
  return inferences.reduce((sum, { request, response }) => sum + (request?.length ?? 0) + (response?.length ?? 0), 0);
}
