import { DatabaseTimeoutError } from "../../lib/database-state.ts";
import type { KnownKey, ReadKey } from "./key-cache.ts";

/** Reads keys by their hashes in one query; the answer lacks those that are not good. */
type ReadKeys = (hashes: readonly string[]) => Promise<ReadonlyMap<string, KnownKey>>;

/** Most hashes of one query. */
const MAX_BATCH = 500;
/** Most queries at a time: a part of the connections that the process may have. */
const MAX_RUNNING = 2;
/** Most hashes that wait for a query. */
const MAX_WAITING = 20_000;

interface Waiting {
  readonly promise: Promise<KnownKey | undefined>;
  resolve(key: KnownKey | undefined): void;
  reject(error: unknown): void;
}

/**
 * Returns a reader of single keys that asks for all that wait in one query. Whatever number of unknown keys is tried at
 * once, they take up two connections, and each query answers hundreds of them.
 */
export function batchReads(readKeys: ReadKeys): ReadKey {
  const waiting = new Map<string, Waiting>();
  let running = 0;
  let scheduled = false;

  function start(): void {
    scheduled = false;
    while (running < MAX_RUNNING && waiting.size > 0) ask();
  }

  function ask(): void {
    const batch = [...waiting].slice(0, MAX_BATCH);
    for (const [hash] of batch) waiting.delete(hash);
    running += 1;
    readKeys(batch.map(([hash]) => hash))
      .then(
        (found) => {
          for (const [hash, { resolve }] of batch) resolve(found.get(hash));
        },
        (error: unknown) => {
          for (const [, { reject }] of batch) reject(error);
        },
      )
      .finally(() => {
        running -= 1;
        start();
      });
  }

  return (hash) => {
    const known = waiting.get(hash);
    if (known !== undefined) return known.promise;
    if (waiting.size >= MAX_WAITING)
      return Promise.reject(new DatabaseTimeoutError(`${MAX_WAITING} keys wait to be read`));
    const read = Promise.withResolvers<KnownKey | undefined>();
    waiting.set(hash, read);
    // Those that come in the same turn go into the same query.
    if (!scheduled) queueMicrotask(start);
    scheduled = true;
    return read.promise;
  };
}
