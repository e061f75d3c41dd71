import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DenseList } from "../../src/lib/dense-list.ts";

describe("Slots", () => {
  it("holds what was added and not removed", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(20))), (steps) => {
        const items = Array.from({ length: 21 }, (_, name) => ({ name, slot: -1 }));
        const slots = new DenseList<(typeof items)[number]>();
        const model = new Set<number>();
        for (const [isAdded, name] of steps) {
          const item = items[name];
          if (item === undefined || (isAdded && model.has(name))) continue;
          if (isAdded) slots.add(item);
          else slots.remove(item);
          if (isAdded) model.add(name);
          else model.delete(name);
          expect(new Set(slots.all().map((held) => held.name))).toEqual(model);
          expect(slots.size).toBe(model.size);
        }
      }),
    );
  });
});
