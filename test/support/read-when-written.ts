import { setTimeout as sleep } from "node:timers/promises";
import { readInference, type StoredInference } from "../../src/store/read/read-inference.ts";
import type { Store } from "../../src/store/types/store.ts";

/** Reads an inference once its record is written. Throws after ten seconds. */
export async function readWhenWritten(store: Store, id: string): Promise<StoredInference> {
  for (let tries = 0; tries < 500; tries++) {
    const stored = await readInference(store, id);
    if (stored !== undefined) return stored;
    await sleep(20);
  }
  throw new Error(`the inference ${id} was not recorded within ten seconds`);
}
