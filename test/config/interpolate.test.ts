import { describe, expect, it } from "vitest";
import { interpolate } from "../../src/config/interpolate.ts";

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the references are what is tested.
const ENVIRONMENT = { A: "1", EMPTY: "", NESTED: "${A}", _x9: "u" };

describe("interpolate()", () => {
  it.each([
    ["", ""],
    ["plain $A $ {A} }", "plain $A $ {A} }"],
    ["${A}", "1"],
    ["a${A}b${_x9}${A}", "a1bu1"],
    ["${EMPTY}", ""],
    ["${EMPTY:-d}", "d"],
    ["${MISSING:-d e}", "d e"],
    ["${MISSING:-}", ""],
    ["${A:-d}", "1"],
    ["${NESTED}", "${A}"],
    ["$${A}", "${A}"],
    ["$$${A}", "$${A}"],
    ["${MISSING:-http://h:1/$x}", "http://h:1/$x"],
  ])("replaces %j by %j", (text, replaced) => {
    expect(interpolate(text, ENVIRONMENT)).toEqual({ kind: "text", text: replaced });
  });

  it("names the variable that is not set", () => {
    expect(interpolate("${A} ${MISSING}", ENVIRONMENT)).toEqual({ kind: "unset", variable: "MISSING" });
  });

  it.each(["${", "${}", "${A", "${1A}", "${A-b}", "${A:=b}", "${ A }"])("does not know %j", (text) => {
    expect(interpolate(text, ENVIRONMENT)).toEqual({ kind: "malformed" });
  });
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: see above.
