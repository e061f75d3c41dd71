import { describe, expect, it } from "vitest";
import { UsualAnswers } from "../../src/quotas/usual-answers.ts";

describe("UsualAnswers", () => {
  it("knows nothing of a workload without answers", () => {
    expect(new UsualAnswers().usual("p m w")).toBe(0);
  });

  it("tells what 95% of the answers do not exceed, as a power of two", () => {
    const answers = new UsualAnswers();
    for (let answer = 0; answer < 96; answer += 1) answers.add("w", 200);
    for (let answer = 0; answer < 4; answer += 1) answers.add("w", 9000);
    expect(answers.usual("w")).toBe(256);
    for (let answer = 0; answer < 4; answer += 1) answers.add("w", 9000);
    expect(answers.usual("w")).toBe(16_384);
  });

  it("counts older answers for less and less", () => {
    const answers = new UsualAnswers();
    for (let answer = 0; answer < 2000; answer += 1) answers.add("w", 9000);
    for (let answer = 0; answer < 20_000; answer += 1) answers.add("w", 100);
    expect(answers.usual("w")).toBe(128);
  });

  it("forgets the workload that had no answer for longest", () => {
    const answers = new UsualAnswers();
    answers.add("first", 100);
    for (let workload = 0; workload < 1000; workload += 1) answers.add(`w${workload}`, 100);
    expect(answers.usual("first")).toBe(0);
    expect(answers.usual("w0")).toBe(128);
  });
});
