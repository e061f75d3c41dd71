import { describe, expect, it } from "vitest";
import { interpolate } from "../../src/config/interpolate.ts";

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the references are what is tested.
const ENVIRONMENT = { A: "1", EMPTY: "", NESTED: "${A}", _x9: "u" };
const FILES: Readonly<Record<string, string>> = {
  "/run/secrets/key": "sk-1\n",
  "C:\\secrets\\key": "windows\r\n",
  "of two lines": "a\nb\n\n",
  "/empty": "\n",
};

function readReferenced(file: string): string {
  const text = FILES[file];
  if (text === undefined) throw Object.assign(new Error(file), { code: "ENOENT" });
  return text;
}

const replace = (text: string) => interpolate(text, ENVIRONMENT, readReferenced);

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
    ["${env:A}", "1"],
    ["${env:EMPTY:-d}", "d"],
    ["${file:/run/secrets/key}", "sk-1"],
    ["Bearer ${file:/run/secrets/key} ${A}", "Bearer sk-1 1"],
    ["${file:C:\\secrets\\key}", "windows"],
    ["${file:of two lines}", "a\nb\n"],
    ["${file:/empty}", ""],
    ["${file:/empty:-d}", "d"],
    ["${file:/missing:-d:-e}", "d:-e"],
    ["$${file:/missing}", "${file:/missing}"],
  ])("replaces %j by %j", (text, replaced) => {
    expect(replace(text)).toEqual({ kind: "text", text: replaced });
  });

  it("names the variable that is not set", () => {
    expect(replace("${A} ${MISSING}")).toEqual({ kind: "unset", variable: "MISSING" });
    expect(replace("${env:MISSING}")).toEqual({ kind: "unset", variable: "MISSING" });
  });

  it("names the file that cannot be read", () => {
    expect(replace("${file:/missing}")).toEqual({ kind: "unreadable", file: "/missing", code: "ENOENT" });
  });

  it.each([
    "${",
    "${}",
    "${A",
    "${1A}",
    "${A-b}",
    "${A:=b}",
    "${ A }",
    "${file:}",
    "${file:/a",
    "${env:}",
    "${vault:a}",
  ])("does not know %j", (text) => {
    expect(replace(text)).toEqual({ kind: "malformed" });
  });
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: see above.
