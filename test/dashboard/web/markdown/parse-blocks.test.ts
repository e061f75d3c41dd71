import { describe, expect, it } from "vitest";
import { parseBlocks } from "../../../../src/dashboard/web/parts/markdown/parse-blocks.ts";

const paragraph = (text: string) => ({ kind: "paragraph", text });

describe("parseBlocks()", () => {
  it.each([
    ["one\ntwo\n\nthree", [paragraph("one\ntwo"), paragraph("three")]],
    ["## Why\nbecause", [{ kind: "heading", level: 2, text: "Why" }, paragraph("because")]],
    ["#hash", [paragraph("#hash")]],
    [
      "```ts\nconst a = 1;\n\n# no heading\n```\nafter",
      [{ kind: "code", text: "const a = 1;\n\n# no heading" }, paragraph("after")],
    ],
    ["```\nnever closed", [{ kind: "code", text: "never closed" }]],
    ["a\n---\nb", [paragraph("a"), { kind: "rule" }, paragraph("b")]],
    ["> a\n> b\nc", [{ kind: "quote", blocks: [paragraph("a\nb")] }, paragraph("c")]],
    [
      "- a\n- b\n  - c\n\ntext",
      [
        {
          kind: "list",
          start: undefined,
          items: [[paragraph("a")], [paragraph("b"), { kind: "list", start: undefined, items: [[paragraph("c")]] }]],
        },
        paragraph("text"),
      ],
    ],
    ["3. a\n4. b", [{ kind: "list", start: 3, items: [[paragraph("a")], [paragraph("b")]] }]],
    [
      "- not\n1. one list",
      [
        { kind: "list", start: undefined, items: [[paragraph("not")]] },
        { kind: "list", start: 1, items: [[paragraph("one list")]] },
      ],
    ],
    [
      "| a | b |\n| --- | :-: |\n| 1 | 2 |\n\nx",
      [{ kind: "table", head: ["a", "b"], rows: [["1", "2"]] }, paragraph("x")],
    ],
    ["<script>alert(1)</script>", [paragraph("<script>alert(1)</script>")]],
  ])("takes %j apart", (text, expected) => {
    expect(parseBlocks(text)).toEqual(expected);
  });

  it("nests no deeper than eight", () => {
    const text = `${"> ".repeat(5000)}x`;
    expect(JSON.stringify(parseBlocks(text)).split('"quote"').length - 1).toBe(8);
  });
});
