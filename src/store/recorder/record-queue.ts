import type { InferenceRecord } from "../../inference/ports.ts";
import { recordToRow } from "./record-to-row.ts";
import type { PendingRow } from "./write-records.ts";

/** A record that waits. */
export interface QueuedRecord extends PendingRow {
  /** How often it failed alone while the database took something else. */
  strikes: number;
}

/** What became of an offered record. */
export type Admission = "kept" | "kept-without-body" | "dropped";

/** Records without bodies that may wait, as a multiple of those with: a row is far smaller than its bodies. */
const ROWS_PER_BODY = 8;

/** Records that wait for the database, oldest first, found by id. Bounded: past the bound bodies go first, then records. */
export class RecordQueue {
  readonly #maxWithBody: number;
  readonly #records = new Map<string, QueuedRecord>();

  constructor(maxWithBody: number) {
    this.#maxWithBody = maxWithBody;
  }

  get size(): number {
    return this.#records.size;
  }

  /** Takes a record, or what there is room for. */
  offer(record: InferenceRecord): Admission {
    if (this.size >= this.#maxWithBody * ROWS_PER_BODY) return "dropped";
    const keepsBody = this.size < this.#maxWithBody;
    const content = keepsBody ? { input: record.input, output: record.output } : undefined;
    this.#records.set(record.id, { row: recordToRow(record), content, strikes: 0 });
    return keepsBody ? "kept" : "kept-without-body";
  }

  find(id: string): QueuedRecord | undefined {
    return this.#records.get(id);
  }

  /** Returns the oldest records; they stay until they are removed. */
  oldest(count: number): QueuedRecord[] {
    return this.#records.values().take(count).toArray();
  }

  remove(records: readonly QueuedRecord[]): void {
    for (const { row } of records) this.#records.delete(row.id);
  }

  /** Puts a record behind the others, so that it does not hold them up. */
  moveToEnd(record: QueuedRecord): void {
    this.#records.delete(record.row.id);
    this.#records.set(record.row.id, record);
  }
}
