import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TagSplitter, type TextPart } from "../../../../src/formats/shared/think-tags/tag-splitter.ts";

/** Splits a text that comes in pieces; parts of one kind that follow each other are joined. */
function split(pieces: readonly string[], opens = false): TextPart[] {
  const splitter = new TagSplitter(opens);
  const parts = [...pieces.flatMap((piece) => splitter.feed(piece)), ...splitter.end()];
  return parts.reduce<TextPart[]>((joined, { kind, text }) => {
    const last = joined.at(-1);
    if (last?.kind !== kind) {
      joined.push({ kind, text });
      return joined;
    }
    joined[joined.length - 1] = { kind, text: last.text + text };
    return joined;
  }, []);
}

const thinking = (text: string): TextPart => ({ kind: "thinking", text });
const said = (text: string): TextPart => ({ kind: "text", text });

const CASES: readonly [string, string, TextPart[]][] = [
  ["thinking and an answer", "<think>\nplan</think>\n\nHello", [thinking("plan"), said("Hello")]],
  ["blank thinking", "<think>\n\n</think>\n\nHello", [said("Hello")]],
  ["thinking that was cut off", "<think>plan </thi", [thinking("plan </thi")]],
  ["thinking alone", "\n<think>plan</think>\n", [thinking("plan")]],
  ["tags further on", "write <think> like this </think>", [said("write <think> like this </think>")]],
  ["the beginning of a tag", "<thi", [said("<thi")]],
  ["another tag", "<thing>a", [said("<thing>a")]],
  ["a second tag", "<think>a</think>b<think>c</think>", [thinking("a"), said("b<think>c</think>")]],
  ["other words", "<thinking>\nplan</thinking>\nHello", [thinking("plan"), said("Hello")]],
  ["Gemini's word", "<thought>plan</think></thought>Hello", [thinking("plan</think>"), said("Hello")]],
  ["brackets", "[THINK]plan[/THINK]Hello [THINK]", [thinking("plan"), said("Hello [THINK]")]],
  ["a channel", "<|channel>thought\nplan<channel|>Hello", [thinking("plan"), said("Hello")]],
  ["blank text", " \n", [said(" \n")]],
  ["nothing", "", []],
  ["a tag that comes late", `${" ".repeat(1001)}<think>a</think>`, [said(`${" ".repeat(1001)}<think>a</think>`)]],
];

/** Texts of templates that end the prompt with the tag. */
const OPENED: readonly [string, string, TextPart[]][] = [
  ["thinking and an answer", "plan\n</think>\n\nHello", [thinking("plan\n"), said("Hello")]],
  ["a tag of its own", "<think>\nplan</think>Hello", [thinking("plan"), said("Hello")]],
  ["blank thinking", "\n\n</think>\n\nHello", [said("Hello")]],
  ["other words", "plan[/THINK]Hello</think>", [thinking("plan"), said("Hello</think>")]],
  ["what is like a tag", "a < b, </thin, </b> so</think>c", [thinking("a < b, </thin, </b> so"), said("c")]],
  ["thinking that was cut off", "plan </thi", [thinking("plan </thi")]],
  ["a second tag", "a</think>b</think>c", [thinking("a"), said("b</think>c")]],
];

describe("TagSplitter", () => {
  it.each(OPENED)("splits %s that begins inside thinking, alike over any cut", (_what, text, parts) => {
    expect(split([text], true)).toEqual(parts);
    expect(split([...text], true)).toEqual(parts);
    fc.assert(
      fc.property(fc.array(fc.nat({ max: text.length }), { maxLength: 20 }), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        const pieces = places.slice(1).map((end, at) => text.slice(places[at], end));
        expect(split(pieces, true)).toEqual(parts);
      }),
    );
  });

  it.each(CASES)("splits %s", (_what, text, parts) => {
    expect(split([text])).toEqual(parts);
  });

  it.each(CASES)("splits %s alike over any cut", (_what, text, parts) => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: text.length }), { maxLength: 20 }), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        expect(split(places.slice(1).map((end, at) => text.slice(places[at], end)))).toEqual(parts);
      }),
    );
  });
});
