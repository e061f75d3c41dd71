import type { Store } from "../../src/store/types/store.ts";
import { readInference, type StoredInference } from "./read-inference.ts";
import { waitUntil } from "./wait.ts";

/** Reads an inference once its record is written. Throws where it never is. */
export function readWhenWritten(store: Store, id: string): Promise<StoredInference> {
  return waitUntil(() => readInference(store, id));
}
