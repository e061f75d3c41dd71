import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findPatterns } from "../../scripts/docs/find-patterns.ts";
import { writtenPages } from "../../scripts/docs/pages.ts";
import { createDocument } from "../../src/openapi/document.ts";

describe("findPatterns()", () => {
  it.each([
    ["It answers in its place.", '"in its place.": write instead'],
    ["It is too dear for that.", '"dear for that.": write expensive'],
    ["That is no model.", '"is no model.": write isn\'t a'],
    ["Done. Where a model is missing, it fails.", '"Where a model is missing, it fails.": write If, When'],
    ["The call is broken off.", '"broken off.": write canceled, held back, recorded'],
    ["A pin goes before that.", '"goes before that.": write take precedence over, come before'],
    ["The log tells of failures.", '"tells of failures.": write report, show'],
    ["Most tokens of an answer.", '"Most tokens of an answer.": write Maximum'],
    ["It is what Attune knows of it.", '"knows of it.": write say about, know about'],
    ["An entry, of which one wins.", '"of which one wins.": write whose, with, and'],
    ["It goes to Chat as it is to others.", '"as it is to others.": write unchanged'],
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
  it.each(writtenPages().map((page) => [page.path, page.markdown] as const))("%s has none of them", (_, markdown) => {
    expect(findPatterns(markdown)).toEqual([]);
  });
});

describe("the OpenAPI document", () => {
  it("has none of them, and no name of a message in place of its comment", () => {
    const descriptions = JSON.stringify(createDocument()).match(/"(?:description|summary)":"(?:[^"\\]|\\.)*"/g) ?? [];
    const texts = descriptions.map(
      (member) => Object.values(JSON.parse(`{${member}}`) as Record<string, string>)[0] ?? "",
    );
    expect(texts.length).toBeGreaterThan(1000);
    expect(texts.flatMap(findPatterns)).toEqual([]);
    expect(texts.filter((text) => /^`?attune\.\w+\.v1\./.test(text))).toEqual([]);
  });
});

/** Texts of a module: a comment matches without a group. What is calculated in them counts as a word. */
const TEXTS = /\/\/[^\n]*|\/\*.*?\*\/|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/gs;

describe("messages, help and labels", () => {
  it("have none of them", () => {
    const src = join(import.meta.dirname, "..", "..", "src");
    // Servers have words of their own, and SQL isn't English.
    const files = globSync("**/*.{ts,tsx}", { cwd: src }).filter((file) => !/migrations|catalog.servers/.test(file));
    const found = files.flatMap((file) =>
      [...readFileSync(join(src, file), "utf8").matchAll(TEXTS)]
        .map(([, quoted, template]) => (quoted ?? template ?? "").replace(/\$\{[^}]*\}/g, "code"))
        .filter((text) => / [a-z]/.test(text) && !/\b(?:select|insert into) |;\n/.test(text))
        .flatMap((text) => findPatterns(text).map((finding) => `${file}: ${finding}`)),
    );
    expect(files.length).toBeGreaterThan(1000);
    expect(found).toEqual([]);
  });
});
