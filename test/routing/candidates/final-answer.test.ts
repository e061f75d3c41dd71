import { describe, expect, it } from "vitest";
import { normalise, readFinalAnswer } from "../../../src/routing/candidates/final-answer.ts";
import { growthOf, LINEAR } from "../../support/work-ratio.ts";

describe("readFinalAnswer()", () => {
  it.each([
    ["First 6 times 7.\n\n**Final answer:** 42", "42"],
    ["6 times 7\n#### 42", "42"],
    ["so \\(x = \\boxed{\\frac{1}{2}}\\), which was to be shown", "\\frac{1}{2}"],
    ["At first \\boxed{1}, but then \\boxed{2}.", "2"],
    ["Since A is false, the answer is B.", "B."],
    ["Answer: Paris\nThe answer is: Lyon\nIt is in the south.", "Lyon"],
    ["答えは次の通り\nAnswer：東京", "東京"],
    ["It is 5.\r\nAnswer: 5\r\n", "5"],
  ])("finds it in %j", (text, answer) => {
    expect(readFinalAnswer(text)).toBe(answer);
  });

  it.each([
    ["a plain text", "There are forty-two of them."],
    ["a heading", "#### Conclusion\nAll is well."],
    ["a word that only begins alike", "Answers: many"],
    ["an essay that says so", `The answer is ${"to look at all of it again, ".repeat(10)}`],
    ["a box that does not end", "\\boxed{42"],
    ["nothing", ""],
  ])("finds none in %s", (_, text) => {
    expect(readFinalAnswer(text)).toBeUndefined();
  });

  it.each(["answer is ", "the answer is", " ", "*", "answer: \u2028", "\\boxed{{", "\n", "> "])(
    "takes no more than linear time for %j, however often",
    async (hard) => {
      expect(await growthOf((times) => readFinalAnswer(hard.repeat(times)), 400)).toBeLessThanOrEqual(LINEAR);
    },
  );
});

describe("normalise()", () => {
  it.each([
    ["**Paris.**", "paris"],
    ["“Paris”", "PARIS"],
    ["1,234.50", "1234.5"],
    ["(B)", "b"],
    ["$42", "42"],
    ["ﬁne  thing", "fine thing"],
    ["+7", "7"],
  ])("takes %j and %j for the same", (one, other) => {
    expect(normalise(one)).toBe(normalise(other));
  });

  it.each([
    ["1.5", "15"],
    ["-7", "7"],
    ["1,2", "12"],
    ["12345678901234567890", "12345678901234567891"],
  ])("keeps %j and %j apart", (one, other) => {
    expect(normalise(one)).not.toBe(normalise(other));
  });
});
