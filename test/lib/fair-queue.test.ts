import { describe, expect, it } from "vitest";
import { FairQueue } from "../../src/lib/fair-queue.ts";

function shiftAll(queue: FairQueue<string>): string[] {
  const items: string[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
  return items;
}

describe("FairQueue", () => {
  it("gives owners their turns one after another, and each its items in order", () => {
    const queue = new FairQueue<string>(10, 100);
    for (const item of ["a1", "a2", "a3", "b1", "c1", "c2"]) queue.push(item.charAt(0), item);
    expect(queue.size).toBe(6);
    expect(queue.shift()).toBe("a1");
    queue.push("d", "d1");
    queue.push("a", "a4");
    expect(shiftAll(queue)).toEqual(["b1", "c1", "a2", "d1", "c2", "a3", "a4"]);
    expect(queue.size).toBe(0);
  });

  it("takes no more of one owner than it may have, and no more than there is room for", () => {
    const queue = new FairQueue<string>(2, 3);
    expect(["a1", "a2", "a3", "b1", "c1"].map((item) => queue.push(item.charAt(0), item))).toEqual([
      ...[true, true, false, true, false],
    ]);
    queue.shift();
    expect(queue.push("a", "a4")).toBe(true);
  });

  it("forgets who has left, and gives back all that wait", () => {
    const queue = new FairQueue<string>(10, 100);
    for (const item of ["a1", "a2", "b1"]) queue.push(item.charAt(0), item);
    queue.delete("b", "b1");
    queue.delete("b", "b1");
    queue.delete("a", "other");
    expect(queue.size).toBe(2);
    queue.push("c", "c1");
    expect(queue.clear("c")).toEqual(["c1"]);
    expect(queue.clear("c")).toEqual([]);
    expect(queue.clear()).toEqual(["a1", "a2"]);
    expect([queue.size, queue.shift()]).toEqual([0, undefined]);
  });
});
