import { InferenceError } from "../../hub/error.ts";
import type { Work } from "../handlers.ts";
import type { ClearedPlaces } from "./cleared.ts";
import type { Ledger } from "./ledger.ts";

/** The surroundings of a document that is applied. */
export interface ApplyContext {
  readonly work: Work;
  readonly ledger: Ledger;
  /** The members of limits and of learning that the document takes away. */
  readonly cleared: ClearedPlaces;
  readonly isDryRun: boolean;
}

/** A project of the document, as it is in the database. */
export interface AppliedProject {
  readonly id: string;
  readonly name: string;
  /** Its place in the document. */
  readonly place: string;
}

/** Runs work on a part of a document; errors name the place in the document instead of that in the part. */
export async function atPlace<T>(rename: (place: string) => string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    throw thrown instanceof InferenceError ? thrown.atPlaces(rename) : thrown;
  }
}

/** Throws INVALID_REQUEST where two items have the same name; `nameOf` returns undefined for one without. */
export function checkUnique<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string | undefined,
  placeOf: (at: number) => string,
): void {
  const seen = new Set<string>();
  for (const [at, item] of items.entries()) {
    const name = nameOf(item);
    if (name === undefined) continue;
    if (seen.has(name)) throw InferenceError.invalid(placeOf(at), "is here twice: remove one");
    seen.add(name);
  }
}
