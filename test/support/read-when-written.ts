import { readInference, type StoredInference } from "../../src/store/read/read-inference.ts";
import type { Store } from "../../src/store/types/store.ts";
import { waitUntil } from "./wait.ts";

/** Reads an inference once its record is written. Throws where it never is. */
export function readWhenWritten(store: Store, id: string): Promise<StoredInference> {
  return waitUntil(() => readInference(store, id));
}
