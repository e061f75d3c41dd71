import { describe, expect, it } from "vitest";
import { TemplateClusters } from "../../../src/learning/bandit/template-clusters.ts";

const repeat = (template: string, count: number): string[] => Array.from({ length: count }, () => template);

describe("TemplateClusters", () => {
  it("gives each common template a cluster, the most common first, and one to all that are rare", () => {
    const clusters = TemplateClusters.among([...repeat("b", 30), ...repeat("a", 60), ...repeat("rare", 2)]);
    expect(["a", "b", "rare", "new"].map((template) => clusters?.find(template))).toEqual([0, 1, 2, 2]);
  });

  it("has none where all prompts are of one template, or each is of its own", () => {
    expect(TemplateClusters.among(repeat("a", 100))).toBeUndefined();
    expect(TemplateClusters.among(Array.from({ length: 100 }, (_, at) => `t${at}`))).toBeUndefined();
    expect(TemplateClusters.among([])).toBeUndefined();
  });

  it("has fifteen and that of the rare ones at most", () => {
    const clusters = TemplateClusters.among(Array.from({ length: 400 }, (_, at) => `t${at % 20}`));
    const numbers = Array.from({ length: 20 }, (_, at) => clusters?.find(`t${at}`) ?? -1);
    expect([new Set(numbers).size, Math.max(...numbers)]).toEqual([16, 15]);
  });

  it("finds the same once it was written and read", () => {
    const clusters = TemplateClusters.among([...repeat("b", 30), ...repeat("a", 60)]);
    const text = clusters?.encode() ?? "";
    expect(TemplateClusters.isReadable(text)).toBe(true);
    const read = TemplateClusters.decode(text);
    expect(["a", "b", "new"].map((template) => read.find(template))).toEqual([0, 1, 2]);
  });
});
