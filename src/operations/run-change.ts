import type { Store } from "../store/types/store.ts";
import { withinTransaction } from "../store/types/within-transaction.ts";

/** Ends the transaction of a dry run. */
class DryRun extends Error {
  readonly response: unknown;

  constructor(response: unknown) {
    super("nothing is changed");
    this.response = response;
  }
}

/** Runs a change in a transaction, which a dry run rolls back. */
export async function runChange<T>(store: Store, isDryRun: boolean, change: (store: Store) => Promise<T>): Promise<T> {
  try {
    return await store.unitOfWork(async (em) => {
      const response = await change(withinTransaction(store, em));
      if (isDryRun) throw new DryRun(response);
      return response;
    });
  } catch (thrown) {
    if (thrown instanceof DryRun) return thrown.response as T;
    throw thrown;
  }
}
