import { type ManagedItem, readManagedItems } from "../managed/managed-items.ts";
import type { Store } from "../types/store.ts";

/** The items that `attune apply` manages, each seen from its project. */
export interface ManagedItems {
  /** Lists what is managed of a project. */
  list(projectId: string, limit: number): Promise<readonly ManagedItem[]>;
}

/** Creates the managed items of a database, as projects see them. */
export function createManagedItems(store: Store): ManagedItems {
  return { list: (projectId, limit) => readManagedItems(store, { projectId, limit }) };
}
