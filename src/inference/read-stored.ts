import { isUuid } from "../lib/ids.ts";
import type { InFlight } from "./in-flight.ts";
import type { InferenceArchive, StoredInference } from "./ports.ts";

/** Most inferences that can follow one another. */
export const MAX_CHAIN = 1000;

/** How long a request waits for the end of the inference that it names. */
const UNDER_WAY_MS = 5000;

/** Where stored inferences are found: those that are under way will be stored in a moment. */
export interface StoredPorts {
  readonly archive: InferenceArchive;
  readonly inFlight: InFlight;
}

/** Reads a stored inference and at most `limit - 1` that it continues, the latest first; empty if there is none of that id. */
export async function readStored(
  id: string,
  { projectId, limit }: { readonly projectId: string; readonly limit: number },
  ports: StoredPorts,
): Promise<readonly StoredInference[]> {
  const key = await settledKey(id, projectId, ports);
  return key === undefined ? [] : await ports.archive.readChain(key, projectId, limit);
}

/** Says why a project has no stored inferences, if it is one whose requests and answers are not kept. */
export function keepsNothing(archive: InferenceArchive, projectId: string): string | undefined {
  if (archive.keeps?.(projectId) !== false) return undefined;
  return "this project keeps no texts of requests and answers, so that none can be read or continued by its id";
}

/** Deletes a stored inference; false if there is none of that id. */
export async function deleteStored(id: string, projectId: string, ports: StoredPorts): Promise<boolean> {
  const key = await settledKey(id, projectId, ports);
  return key !== undefined && (await ports.archive.delete(key, projectId));
}

/** Returns the id as the archive knows it, once the inference is no longer under way; undefined for what is no UUID. */
async function settledKey(id: string, projectId: string, { inFlight }: StoredPorts): Promise<string | undefined> {
  if (!isUuid(id)) return undefined;
  const key = id.toLowerCase();
  if (inFlight.find(key)?.projectId === projectId) await inFlight.ended(key, UNDER_WAY_MS);
  return key;
}
