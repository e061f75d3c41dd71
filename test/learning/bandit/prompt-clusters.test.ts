import { describe, expect, it } from "vitest";
import { PromptClusters } from "../../../src/learning/bandit/prompt-clusters.ts";

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

  it("is found alike by whoever reads what was written, and takes 14 KB at most", () => {
    const clusters = PromptClusters.learn(
      prompts(0, 40)
        .flat()
        .map((prompt, at) => `${prompt} ${"lorem ipsum".slice(at % 7)} word${at} number${at * 7}`),
      16,
    );
    const text = clusters.encode();
    expect(text.length).toBeLessThan(15_000);
    const read = PromptClusters.decode(text);
    expect(read.encode()).toBe(text);
    expect(read.count).toBe(clusters.count);
    for (const prompt of prompts(40, 80).flat()) expect(read.find(prompt)).toBe(clusters.find(prompt));
  });

  it.each(["", "1:", "2:AAAAAA==", "1:AAAA", "1://///w==", "1:AAIAAg=="])("does not read %j", (text) => {
    expect(() => PromptClusters.decode(text)).toThrow(RangeError);
  });

  it("looks at no more than the first 2,000 characters, and at how long a prompt is", () => {
    const clusters = PromptClusters.learn(prompts(0, 40).flat(), 3);
    const [, painter] = KINDS;
    const begin = painter(7).padEnd(2000, " the painter of Basel");
    const length = 4_000_000;
    expect(clusters.find(begin.padEnd(length, "{}[];\n"))).toBe(clusters.find(begin.padEnd(length, "x")));
  });
});
