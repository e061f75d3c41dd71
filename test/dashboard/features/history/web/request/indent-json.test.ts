import { describe, expect, it } from "vitest";
import { indentJson } from "../../../../../../src/dashboard/features/history/web/request/indent-json.ts";

describe("indentJson()", () => {
  it.each([
    ["{}", "{}"],
    ["[ ]", "[]"],
    ['{"a":1}', '{\n  "a": 1\n}'],
    ['{"a":{},"b":[]}', '{\n  "a": {},\n  "b": []\n}'],
    ['[1,[2,{"c":null}],true]', '[\n  1,\n  [\n    2,\n    {\n      "c": null\n    }\n  ],\n  true\n]'],
    ["[12345678901234567890, 1.50, -1e-7]", "[\n  12345678901234567890,\n  1.50,\n  -1e-7\n]"],
    ['{"a\\"{,":"x\\\\"}', '{\n  "a\\"{,": "x\\\\"\n}'],
    ['["é\\u00e9 , : [ "]', '[\n  "é\\u00e9 , : [ "\n]'],
  ])("%s", (text, indented) => {
    expect(indentJson(text)).toBe(indented);
  });

  it.each(["", "12", '"text"', "null", "{", "[1,]", "no json"])("leaves %j alone", (text) => {
    expect(indentJson(text)).toBeUndefined();
  });
});
