import { type RefusalQuery, type Refusals, readRefusals } from "../refusals/read-refusals.ts";
import type { Store } from "../types/store.ts";

/** Refused calls, each seen from its project. */
export interface ProjectRefusals {
  /** Reads the refused calls of a project. */
  read(query: RefusalQuery): Promise<Refusals>;
}

/** Creates the refused calls of a database, as projects see them. */
export function createProjectRefusals(store: Store): ProjectRefusals {
  return { read: (query) => readRefusals(store, query) };
}
