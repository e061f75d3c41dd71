import { describe, expect, it } from "vitest";
import { mapInBatches } from "../../src/lib/map-in-batches.ts";

/** Takes a millisecond: 64 of them are more than the share of a turn, however fast the machine is. */
function work(): void {
  const end = performance.now() + 1;
  while (performance.now() < end);
}

describe("mapInBatches()", () => {
  it("maps a list in its order", async () => {
    const items = Array.from({ length: 200 }, (_, index) => index);
    expect(await mapInBatches(items, (item, index) => [item, index])).toEqual(items.map((item) => [item, item]));
  });

  it("lets others have their turn, however many lists there are", async () => {
    let done = 0;
    const seen: number[] = [];
    const items = Array.from({ length: 192 }, () => undefined);
    const lists = Array.from({ length: 3 }, () =>
      mapInBatches(items, () => {
        work();
        done += 1;
      }),
    );
    const look = (): void => {
      seen.push(done);
      if (done < 3 * items.length) setImmediate(look);
    };
    look();
    await Promise.all(lists);
    // Two parts of the first list come in the first turn, with the first parts of the others; later, one in each turn.
    expect(Math.max(...seen.slice(1).map((count, at) => count - (seen[at] ?? 0)))).toBeLessThanOrEqual(4 * 64);
  });
});
