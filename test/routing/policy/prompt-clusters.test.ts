import { describe, expect, it } from "vitest";
import { PromptClusters } from "../../../src/routing/policy/prompt-clusters.ts";

const KINDS = [
  (index: number) => `Solve for x: ${index}x + 3 = ${index * 2}. Give the sum of its roots.`,
  (index: number) => `Who was the painter that lived in Basel in the year ${1500 + index}?`,
  (index: number) => `def solve_${index}(items):\n    # return the list without duplicates\n    return [${index}]`,
] as const;

const prompts = (from: number, to: number): string[][] =>
  KINDS.map((kind) => Array.from({ length: to - from }, (_, index) => kind(from + index)));

describe("PromptClusters", () => {
  it("puts prompts of one kind together, also those that it has not seen, and apart from others", () => {
    const clusters = PromptClusters.learn(prompts(0, 40).flat(), 3);
    const found = prompts(40, 80).map((ofKind) => new Set(ofKind.map((prompt) => clusters.find(prompt))));
    expect(found.map(({ size }) => size)).toEqual([1, 1, 1]);
    expect(new Set(found.flatMap((numbers) => [...numbers])).size).toBe(3);
  });

  it("makes the same clusters of the same prompts", () => {
    const numbers = (): number[] => {
      const clusters = PromptClusters.learn(prompts(0, 20).flat(), 5);
      return prompts(20, 30)
        .flat()
        .map((prompt) => clusters.find(prompt));
    };
    expect(numbers()).toEqual(numbers());
  });

  it("has one cluster where there is nothing to learn from, and finds one for any text", () => {
    expect(PromptClusters.learn([], 16).find("hello")).toBe(0);
    const clusters = PromptClusters.learn(["a", "a", ""], 16);
    for (const text of ["", "\ud800", "\u0000".repeat(10_000), "a"]) expect(clusters.find(text)).toBeLessThan(3);
  });
});
