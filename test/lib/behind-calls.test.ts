import { describe, expect, it } from "vitest";
import { mapBehindCalls } from "../../src/lib/behind-calls.ts";

describe("mapBehindCalls()", () => {
  it("lets others go on between items that take long, and keeps their order", async () => {
    const begun = performance.now();
    const turns: number[] = [];
    const timer = setInterval(() => turns.push(performance.now() - begun), 1);
    const results = await mapBehindCalls([1, 2, 3, 4, 5, 6], (item, index) => {
      const until = performance.now() + 5;
      while (performance.now() < until);
      return item * 10 + index;
    });
    clearInterval(timer);
    expect(results).toEqual([10, 21, 32, 43, 54, 65]);
    expect(turns.length).toBeGreaterThanOrEqual(3);
  });

  it("maps a short list at once", async () => {
    expect(await mapBehindCalls(["a"], (item) => item)).toEqual(["a"]);
  });
});
