import { describe, expect, it } from "vitest";
import { createAlternatives } from "../../src/learning/alternatives.ts";

const placed = (name: string, ...upstreams: string[]) => ({
  name,
  deployments: upstreams.map((upstream) => ({ upstream })),
});
const MODELS = [placed("a", "one", "two"), placed("b", "two"), placed("c", "three"), placed("d", "one")];

describe("createAlternatives()", () => {
  it.each([
    ["upstream", "a", ["a", "b", "d"]],
    ["upstream", "b", ["a", "b"]],
    ["upstream", "c", ["c"]],
    ["any", "c", ["a", "b", "c", "d"]],
    [["c"], "b", ["a", "b", "c"]],
    [["c"], "c", ["c"]],
    [[], "d", ["a", "d"]],
  ] as const)("with %j lets these answer for %s: %j", (scope, base, names) => {
    const alternatives = createAlternatives(MODELS, scope);
    expect(alternatives(base)).toEqual(names);
    expect(alternatives(base)).toBe(alternatives(base));
  });

  it.each([["upstream"], ["any"], [["e"]]] as const)(
    "with %j lets models that make embeddings stand apart",
    (scope) => {
      const alternatives = createAlternatives([...MODELS, { ...placed("e", "one"), embeddings: true }], scope);
      expect(alternatives("a")).not.toContain("e");
      expect(alternatives("e")).toEqual(["e"]);
    },
  );
});
