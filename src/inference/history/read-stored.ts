import type { HubInput } from "../../hub/input.ts";
import { isUuid } from "../../lib/ids.ts";
import type { InferenceArchive, StoredInference } from "../ports.ts";

/** Most inferences that can follow one another. */
export const MAX_CHAIN = 1000;

/** The ports of stored inferences. */
export interface StoredPorts {
  readonly archive: InferenceArchive;
}

/**
 * Reads a stored inference and at most `limit - 1` that it continues, the latest first; empty if there is none of that
 * id.
 */
export async function readStored(
  id: string,
  { projectId, limit }: { readonly projectId: string; readonly limit: number },
  ports: StoredPorts,
): Promise<readonly StoredInference[]> {
  return isUuid(id) ? await ports.archive.readChain(id.toLowerCase(), projectId, limit) : [];
}

/** Says why a project has no stored inferences, if it is one whose requests and answers are not kept. */
export function keepsNothing(archive: InferenceArchive, projectId: string): string | undefined {
  if (archive.keeps?.(projectId) !== false) return undefined;
  return "this project doesn't store texts of requests and answers, so none can be read or continued by id";
}

/** Says why the texts of a call are not kept, if they are not. */
export function keepsNoTexts(
  { noTexts }: Pick<HubInput, "noTexts">,
  projectId: string,
  archive: InferenceArchive,
): string | undefined {
  if (!noTexts) return keepsNothing(archive, projectId);
  return (
    "needs the texts of the call, and 'attune-store: none' (over RPC 'no_texts') keeps none: " + "leave one of them out"
  );
}

/** Deletes a stored inference; false if there is none of that id. */
export async function deleteStored(id: string, projectId: string, ports: StoredPorts): Promise<boolean> {
  return isUuid(id) && (await ports.archive.delete(id.toLowerCase(), projectId));
}
