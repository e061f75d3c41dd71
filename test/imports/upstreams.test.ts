import { describe, expect, it } from "vitest";
import { Upstreams } from "../../src/imports/upstreams.ts";

describe("Upstreams", () => {
  it("gives equal upstreams one name, and others a number that nothing else has", () => {
    const upstreams = new Upstreams();
    const names = [
      ["a", 1],
      ["a", 1],
      ["a-2", 2],
      ["a", 3],
      ["a", 4],
      ["constructor", 5],
    ] as const;
    expect(names.map(([wish, port]) => upstreams.nameOf(wish, { port }))).toEqual([
      ...["a", "a", "a-2", "a-3", "a-4", "constructor"],
    ]);
    expect(Object.keys(upstreams.all)).toEqual(["a", "a-2", "a-3", "a-4", "constructor"]);
  });

  it("names 50,000 of one provider at once", () => {
    const upstreams = new Upstreams();
    for (let port = 1; port <= 50_000; port++) upstreams.nameOf("openai", { port });
    expect(Object.keys(upstreams.all)).toHaveLength(50_000);
    expect(upstreams.nameOf("openai", { port: 50_000 })).toBe("openai-50000");
  });
});
