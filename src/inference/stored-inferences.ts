import { ErrorReason, InferenceError } from "./error.ts";
import type { StoredInference } from "./ports.ts";
import { deleteStored, keepsNothing, MAX_CHAIN, readStored, type StoredPorts } from "./read-stored.ts";
import type { Caller } from "./service.ts";

/** The inferences that a caller can read back. */
export interface StoredInferences {
  /**
   * Returns an inference and, if `withPrevious`, those that it continues: the latest first. Throws NOT_FOUND if there is
   * none of that id in the caller's project.
   */
  read(id: string, withPrevious: boolean, caller: Caller): Promise<readonly [StoredInference, ...StoredInference[]]>;
  /** Deletes what was asked and answered. Throws NOT_FOUND as read() does. */
  delete(id: string, caller: Caller): Promise<void>;
}

/** Creates the way to stored inferences. */
export function createStoredInferences(ports: StoredPorts): StoredInferences {
  return {
    async read(id, withPrevious, { principal: { projectId } }) {
      const [first, ...others] = await readStored(id, { projectId, limit: withPrevious ? MAX_CHAIN : 1 }, ports);
      if (first === undefined) throw notStored(id, keepsNothing(ports.archive, projectId));
      return [first, ...others];
    },
    async delete(id, { principal: { projectId } }) {
      if (await deleteStored(id, projectId, ports)) return;
      throw notStored(id, keepsNothing(ports.archive, projectId));
    },
  };
}

function notStored(id: string, reason: string | undefined): InferenceError {
  const others = "it was never made, failed, was deleted, or was not to be stored";
  return new InferenceError(
    ErrorReason.NOT_FOUND,
    `no stored response has the id '${id.slice(0, 64)}': ${reason ?? others}`,
  );
}
