import { withLearningPause } from "../../src/store/learning/learning-pause.ts";
import type { Store } from "../../src/store/types/store.ts";

/** Has rebuilds of a database wait until what it resolves to is called. */
export async function pauseLearning(store: Store): Promise<() => Promise<void>> {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const pause = withLearningPause(store, async () => {
    begun.resolve();
    await ended.promise;
  });
  await Promise.race([begun.promise, pause]);
  return async () => {
    ended.resolve();
    await pause;
  };
}
