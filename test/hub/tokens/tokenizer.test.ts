import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadTokenizer, splitStretches } from "../../../src/hub/tokens/tokenizer.ts";

const texts = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ maxLength: 60, unit: "binary" }),
  fc
    .array(fc.constantFrom("word ", "\u{1F43B}", "日本語", "é", "\n\n", "<|endoftext|>", "\ud83d"))
    .map((parts) => parts.join("")),
);

describe("loadTokenizer()", () => {
  it("splits a text into pieces that are the text again, and counts their tokens", async () => {
    const tokenizer = await loadTokenizer();
    fc.assert(
      fc.property(texts, (text) => {
        const pieces = [...tokenizer.split(text)];
        expect(pieces.map((piece) => piece.text).join("")).toBe(text.toWellFormed());
        expect(pieces.reduce((sum, piece) => sum + piece.tokens, 0)).toBe(tokenizer.count(text));
        for (const piece of pieces) expect(piece.tokens).toBeGreaterThan(0);
      }),
    );
  });

  it("counts as the vocabulary does: the bear has two tokens", async () => {
    const tokenizer = await loadTokenizer();
    expect([...tokenizer.split("a \u{1F43B}")].map(({ text }) => text).join("|")).toMatch(/^a\| ?\|?\u{1F43B}$/u);
    expect(tokenizer.count("hello world")).toBe(2);
  });
});

describe("splitStretches()", () => {
  it("cuts before spaces and between characters, and loses nothing", () => {
    const long = fc.oneof(
      fc.string({ unit: "binary", minLength: 400, maxLength: 3000 }),
      fc.array(fc.constantFrom("word ", "\u{1F43B}", "x".repeat(300), " ", "\ud83d")).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(long, (text) => {
        const stretches = [...splitStretches(text)];
        expect(stretches.join("")).toBe(text);
        for (const stretch of stretches) expect(stretch.length).toBeLessThanOrEqual(512);
        expect(stretches.map((stretch) => stretch.toWellFormed()).join("")).toBe(text.toWellFormed());
      }),
    );
    expect([...splitStretches(`${"word ".repeat(200)}`)].slice(1).every((stretch) => stretch.startsWith(" "))).toBe(
      true,
    );
  });
});
