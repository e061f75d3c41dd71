import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCopies } from "../../../src/learning/learner/copies.ts";
import type { StoredValue } from "../../../src/learning/ports.ts";

const MINUTE_MS = 60_000;

/** Values of one metric, each of a call of its own, sent at these minutes. */
function valuesAt(minutes: readonly number[], values: readonly (boolean | number)[] = []): StoredValue[] {
  return minutes.map((minute, at) => ({
    id: `e${String(at).padStart(4, "0")}`,
    inferenceId: `i${at}`,
    name: "passed",
    optimize: null,
    value: values[at] ?? true,
    atMs: minute * MINUTE_MS,
  }));
}

/** Ids that count, once nothing is open. */
function counted(values: readonly StoredValue[]): string[] {
  const { copies, openUntilMs } = findCopies(values, Number.POSITIVE_INFINITY);
  expect(openUntilMs.size).toBe(0);
  return values.flatMap(({ id }) => (copies.has(id) ? [] : [id]));
}

describe("findCopies()", () => {
  it.each<[string, StoredValue[], string[]]>([
    ["one value", valuesAt([0]), ["e0000"]],
    ["two equal values", valuesAt([0, 1]), ["e0000", "e0001"]],
    ["three equal values", valuesAt([0, 1, 2]), ["e0000"]],
    ["three within ten minutes to the millisecond", valuesAt([0, 5, 10]), ["e0000"]],
    ["a third that comes later", valuesAt([0, 5, 10.001]), ["e0000", "e0001", "e0002"]],
    ["values that are apart", valuesAt([0, 6, 12, 18]), ["e0000", "e0001", "e0002", "e0003"]],
    ["values without an end", valuesAt([0, 4, 8, 12, 16, 20]), ["e0000"]],
    [
      "other values between them",
      valuesAt([0, 1, 2, 3, 4], [true, false, true, false, 0.5]),
      [0, 1, 2, 3, 4].map((at) => `e000${at}`),
    ],
    ["a number that is equal", valuesAt([0, 1, 2], [0.5, 0.5, 0.5]), ["e0000"]],
  ])("tells what counts of %s", (_, values, expected) => {
    expect(counted(values)).toEqual(expected);
  });

  it("leaves the second value open until no third can come", () => {
    const values = valuesAt([0, 1]);
    const { copies, openUntilMs } = findCopies(values, 2 * MINUTE_MS);
    expect([...copies]).toEqual([]);
    expect([...openUntilMs]).toEqual([["e0001", 10 * MINUTE_MS + 5000]]);
  });

  it("takes several values for one call as its first", () => {
    const [first, ...others] = valuesAt([0, 1, 2]);
    expect(counted([first, ...others].map((value) => ({ ...value, inferenceId: "one" }) as StoredValue))).toHaveLength(
      3,
    );
  });

  it("finds the same in whatever order the values are read", () => {
    const someMinutes = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 12 });
    fc.assert(
      fc.property(someMinutes, fc.infiniteStream(fc.integer()), (minutes, shuffle) => {
        const values = valuesAt(minutes.toSorted((one, other) => one - other));
        const shuffled = values
          .map((value) => ({ value, key: shuffle.next().value }))
          .sort((one, other) => one.key - other.key)
          .map(({ value }) => value);
        expect(findCopies(shuffled, Number.POSITIVE_INFINITY).copies).toEqual(
          findCopies(values, Number.POSITIVE_INFINITY).copies,
        );
      }),
    );
  });

  it("says of a value that counts or is a copy the same for ever", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 12 }), fc.nat(12), (minutes, seen) => {
        const values = valuesAt(minutes.toSorted((one, other) => one - other));
        const early = values.slice(0, seen);
        const nowMs = (early.at(-1)?.atMs ?? 0) + 1;
        const known = findCopies(early, nowMs);
        const later = findCopies(values, Number.POSITIVE_INFINITY);
        const next = values[seen]?.atMs ?? Number.POSITIVE_INFINITY;
        for (const { id } of early) {
          const isOpen = known.openUntilMs.has(id);
          if (!isOpen && next > nowMs) expect(later.copies.has(id)).toBe(known.copies.has(id));
        }
      }),
    );
  });
});
