import type { StoredValue } from "../ports.ts";

/** Equal values of a name for at least three calls of a session within so long are copies of one. */
export const COPIES_WITHIN_MS = 600_000;

/** Values are written by several processes: one that was sent before the end may come a little later. */
const LATE_MS = 5000;

/** The standing of values: copies count for nothing, and of others it is known only from a time on that they count. */
export interface Copies {
  readonly copies: ReadonlySet<string>;
  /** Milliseconds since 1970, by the id of the entry. */
  readonly openUntilMs: ReadonlyMap<string, number>;
}

/**
 * Finds the copies among the values of one metric in a session. The first of them counts. The second of two equal
 * values is open until no third can come, so that no reward has to be taken back. Depends on nothing but what is
 * stored: each process finds the same, whenever it looks.
 */
export function findCopies(values: readonly StoredValue[], nowMs: number): Copies {
  const copies = new Set<string>();
  const openUntilMs = new Map<string, number>();
  for (const equal of Map.groupBy(firstOfEach(values), ({ value }) => Number(value)).values()) {
    for (const [at, { id, atMs }] of equal.entries()) {
      const [second, first, next] = [equal[at - 2], equal[at - 1], equal[at + 1]];
      if (first === undefined || atMs - first.atMs > COPIES_WITHIN_MS) continue;
      const endMs = first.atMs + COPIES_WITHIN_MS;
      const isThird = second !== undefined && atMs - second.atMs <= COPIES_WITHIN_MS;
      if (isThird || (next !== undefined && next.atMs <= endMs)) copies.add(id);
      else if (nowMs < endMs + LATE_MS) openUntilMs.set(id, endMs + LATE_MS);
    }
  }
  return { copies, openUntilMs };
}

/** The first value of each inference, in the order of time: a later one of the same name counts for nothing anyway. */
function firstOfEach(values: readonly StoredValue[]): StoredValue[] {
  const first = new Map<string, StoredValue>();
  for (const value of values.toSorted((one, other) => one.atMs - other.atMs || (one.id < other.id ? -1 : 1))) {
    if (!first.has(value.inferenceId)) first.set(value.inferenceId, value);
  }
  return [...first.values()];
}
