import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listDocLinks, parseDoc } from "../../../../../src/dashboard/features/docs/web/parse-doc.ts";

const DOCS = join(import.meta.dirname, "../../../../../docs");

const locate = (target: string) => (target.startsWith("none") ? undefined : `/docs/${target}`);

describe("parseDoc()", () => {
  it("takes a page apart at its headings, but for comments in its code", () => {
    const text = "# The `title`\n\nFirst.\n\n## One & two\n\n```sh\n# no heading\n```\n\n### Below it\n\nLast.";
    expect(parseDoc(text, "page", locate)).toEqual({
      title: "The title",
      sections: [
        { heading: "The title", level: 1, id: "the-title", text: "First." },
        { heading: "One & two", level: 2, id: "one--two", text: "```sh\n# no heading\n```" },
        { heading: "Below it", level: 3, id: "below-it", text: "Last." },
      ],
    });
  });

  it("has links lead to pages from where they stand, and leaves out those of other files, pictures and comments", () => {
    const text =
      '<!-- not run -->\n<p><img alt="x"></p>\n[`a`](a.md#b) [up](../rpc.md) [self](#c) [n](../none.md) [w](https://e.com)';
    expect(parseDoc(text, "reference/http", locate).sections[0]?.text).toBe(
      "[a](/docs/reference/a#b) [up](/docs/rpc) [self](/docs/reference/http#c) n [w](https://e.com)",
    );
  });
});

describe("listDocLinks()", () => {
  it("names pages by what they are for, each once", () => {
    const contents =
      "| cut cost | [cost](cost.md), [a rubric](rubric.md#x) |\n\n[how it learns](learning.md), [again](cost.md)";
    expect(listDocLinks(contents)).toEqual([
      { label: "Cut cost: cost", target: "cost" },
      { label: "Cut cost: a rubric", target: "rubric#x" },
      { label: "How it learns", target: "learning" },
    ]);
  });

  it("finds the pages of docs/README.md, all of which there are", () => {
    const links = listDocLinks(readFileSync(join(DOCS, "README.md"), "utf8"));
    expect(links.length).toBeGreaterThan(50);
    for (const { target } of links)
      expect(existsSync(join(DOCS, `${target.replace(/#.*/, "")}.md`)), target).toBe(true);
  });
});
