import { describe, expect, it } from "vitest";
import { firstWordsText, nameText, plainText, shortName } from "../../../src/dashboard/web/parts/name-text.ts";

describe("nameText()", () => {
  it.each([
    ["production backend", "production backend"],
    ["\u202enimda", "\ufffdnimda"],
    ["a\u2066b\u2069\u0007\n", "a\ufffdb\ufffd\ufffd\ufffd"],
    ["שלום", "\u2068שלום\u2069"],
    ["\u202eשלום", "\u2068\ufffdשלום\u2069"],
    ["👩‍💻", "👩‍💻"],
  ])("%j", (name, shown) => expect(nameText(name)).toBe(shown));
});

describe("plainText()", () => {
  it("keeps lines and tabs", () => {
    expect(plainText("a\n\tb\r\n\u202ec\u0000")).toBe("a\n\tb\r\n\ufffdc\ufffd");
  });
});

describe("firstWordsText()", () => {
  it("marks words that were cut at 200 characters, or at 199 before a character of two", () => {
    expect(firstWordsText("")).toBe("");
    expect(firstWordsText("a".repeat(198))).toBe("a".repeat(198));
    expect(firstWordsText("a".repeat(199))).toBe(`${"a".repeat(199)}…`);
    expect(firstWordsText("a".repeat(200))).toBe(`${"a".repeat(200)}…`);
  });
});

describe("shortName()", () => {
  it("cuts a long name, never within a character", () => {
    expect(shortName("a".repeat(36))).toBe("a".repeat(36));
    expect(shortName("a".repeat(37))).toBe(`${"a".repeat(35)}…`);
    expect(shortName("👍".repeat(40))).toBe(`${"👍".repeat(35)}…`);
  });
});
