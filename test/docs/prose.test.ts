import { describe, expect, it } from "vitest";
import { cellsOf, gradeOf, longSentencesOf, paragraphsOf, sentencesOf, wordsOf } from "../../scripts/docs/prose.ts";

const PAGE = `# A page

One sentence, with [a link](page.md#part) and \`code: x\`. Another one: it has a part.

- an item
- **two** items

| name | says |
| --- | --- |
| a | [long](somewhere.md) \\| text |

\`\`\`sh
attune serve # | no cell |
\`\`\`
`;

describe("the prose of a page", () => {
  it("is its paragraphs and items, without code, tables and headings", () => {
    expect(paragraphsOf(PAGE)).toEqual([
      "One sentence, with a link and code. Another one: it has a part.",
      "an item",
      "two items",
    ]);
  });

  it("has sentences, which end at full stops", () => {
    expect(sentencesOf(PAGE)).toEqual([
      ...["One sentence, with a link and code.", "Another one: it has a part.", "an item", "two items"],
    ]);
    expect(longSentencesOf(PAGE, 6)).toEqual(["One sentence, with a link and code."]);
    expect(longSentencesOf("It goes on; and on: and on.", 6)).toHaveLength(1);
  });

  it("has cells, without links' targets", () => {
    expect(cellsOf(PAGE).filter((cell) => cell !== "")).toEqual([
      ...["name", "says", "---", "---", "a", "[long] \\| text"],
    ]);
  });

  it("has a grade, which longer words and sentences raise", () => {
    const short = gradeOf(["We go home.", "It is late."]);
    const long = gradeOf([
      "Administrative organisations systematically underestimate the deterioration of documentation.",
    ]);
    expect(long).toBeGreaterThan(short + 10);
    expect(gradeOf([])).toBe(0);
    expect(wordsOf("It's 4.5 %, isn't it?")).toEqual(["It's", "isn't", "it"]);
  });
});
