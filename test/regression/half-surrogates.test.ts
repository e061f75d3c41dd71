import { describe, expect, it } from "vitest";
import { argumentsText } from "../../src/formats/shared/arguments-text.ts";
import { jsonBytes } from "../../src/formats/shared/json-bytes.ts";

const HALF = "cut \ud83d here";
const LONG = "word ".repeat(400);

describe("a body for an upstream", () => {
  it.each<[string, object, object]>([
    ["short", { a: HALF }, { a: "cut \ufffd here" }],
    ["long", { a: LONG + HALF, b: LONG }, { a: `${LONG}cut \ufffd here`, b: LONG }],
    ["a low half, and a name", { "\udc00": "\udc00x" }, { "\ufffd": "\ufffdx" }],
    ["pairs and backslashes", { a: "😀 \\ud83d \\\\ud83d \ud83d" }, { a: "😀 \\ud83d \\\\ud83d \ufffd" }],
  ])("has U+FFFD in the place of half a surrogate pair: %s", (_what, value, expected) => {
    expect(JSON.parse(jsonBytes({ ...value }).toString())).toEqual(expected);
  });
});

describe("the arguments of a call for an upstream", () => {
  it.each([
    ['{"q":"cut \\ud83d here"}', '{"q":"cut \ufffd here"}'],
    ['{"q":"\\ud83d\\ude00 \\\\ud83d"}', '{"q":"\\ud83d\\ude00 \\\\ud83d"}'],
    [" ", "{}"],
  ])("have U+FFFD in the place of an escaped half: %s", (given, expected) => {
    expect(argumentsText(given)).toBe(expected);
  });
});
