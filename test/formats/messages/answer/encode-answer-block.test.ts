import { describe, expect, it } from "vitest";
import { toolInputText } from "../../../../src/formats/messages/answer/encode-answer-block.ts";

describe("toolInputText()", () => {
  it.each(['{"n":9007199254740993}', '{"b":1,"a":1e400}', '{"a":1,"a":2}', '{"2":0,"1":0}', " { } "])(
    "keeps %s as it is",
    (text) => {
      expect(toolInputText(text)).toBe(text);
    },
  );

  it.each(["", "{", "[]", "null", '"x"', "3", "get weather"])("refuses %s", (text) => {
    expect(toolInputText(text)).toBeUndefined();
  });
});
