import { describe, expect, it } from "vitest";
import { objectsInText } from "../../src/lib/objects-in-text.ts";

describe("objectsInText()", () => {
  it.each<[string, string[]]>([
    ["none here", []],
    ['400 {"error":{"code":1}} at f (x.js:1)', ['{"error":{"code":1}}']],
    ['{"a":"}"} and {"b":"\\"}"}', ['{"a":"}"}', '{"b":"\\"}"}']],
    ["an open { one", []],
    ["} {} }", ["{}"]],
  ])("finds those of %s", (text, expected) => {
    expect([...objectsInText(text)]).toEqual(expected);
  });
});
