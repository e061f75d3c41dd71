import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findPatterns } from "../../scripts/docs/find-patterns.ts";
import { writtenPages } from "../../scripts/docs/pages.ts";

const README = join(import.meta.dirname, "..", "..", "README.md");

describe("findPatterns()", () => {
  it.each([
    ["It answers in its place.", '"in its place.": write instead'],
    ["It is too dear for that.", '"dear for that.": write expensive'],
    ["That is no model.", '"is no model.": write isn\'t a'],
    ["Done. Where a model is missing, it fails.", '"Where a model is missing, it fails.": write If, When'],
    ["The call is broken off.", '"broken off.": write canceled, held back, recorded'],
    ["A pin goes before that.", '"goes before that.": write take precedence over, come before'],
    ["The log tells of failures.", '"tells of failures.": write report, show'],
    ["Pick a colour.", '"colour.": write American spelling'],
  ])("finds what is wrong with '%s'", (text, finding) => {
    expect(findPatterns(text)).toEqual([finding]);
  });

  it("leaves code, headings, links and what is English alone", () => {
    const text = "# Beside it\n\n`in place of` [x](beside.md). There is no such model, and it is no longer served.";
    expect(findPatterns(text)).toEqual([]);
  });
});

describe("the documentation", () => {
  it.each([
    ["README.md", readFileSync(README, "utf8")] as const,
    ...writtenPages().map((page) => [page.path, page.markdown] as const),
  ])("%s has none of them", (_, markdown) => {
    expect(findPatterns(markdown)).toEqual([]);
  });
});
