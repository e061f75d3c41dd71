import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJsonFault } from "../../../src/formats/shared/json-fault.ts";
import { growthOf, LINEAR } from "../../support/work-ratio.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("findJsonFault()", () => {
  it.each([
    ["", 0, 1, 1, "a value"],
    ["{", 1, 1, 2, "a name in double quotes or '}'"],
    ['{"a"', 4, 1, 5, "':'"],
    ['{"a": }', 6, 1, 7, "a value"],
    ['{"a": 1', 7, 1, 8, "',' or '}'"],
    ['{"a": 1,}', 8, 1, 9, "a name in double quotes"],
    ["{'a': 1}", 1, 1, 2, "a name in double quotes or '}'"],
    ["[1 2]", 3, 1, 4, "',' or ']'"],
    ["[1,]", 3, 1, 4, "a value"],
    ["[01]", 2, 1, 3, "',' or ']'"],
    ["{}{}", 2, 1, 3, "the end"],
    ["{/* none */}", 1, 1, 2, "a name in double quotes or '}'"],
    ['{\n  "a": NaN\n}', 9, 2, 8, "a value"],
    ['{\r\n\r\n"a" 1}', 9, 3, 5, "':'"],
    ['["abc', 5, 1, 6, "the closing double quote of a text"],
    ['["a\nb"]', 3, 1, 4, "no control character in a text: write it as an escape such as \\n"],
    ['["\\x"]', 2, 1, 3, "an escape such as \\n, \\\\ or \\u00e9"],
    ["\uFEFF{}", 0, 1, 1, "a value"],
    ["undefined", 0, 1, 1, "a value"],
  ])("of %j", (text, position, line, column, expected) => {
    expect(isJson(text)).toBe(false);
    expect(findJsonFault(text)).toEqual({ position, line, column, expected });
  });

  it("finds a fault in what is not JSON, and in nothing else", () => {
    const piece = fc.constantFrom(...'{}[],:"\\ \n-+.eE01tfn', "true", "null", '"a"', "\\u00e9", "\u0000", "é");
    const changed = fc
      .tuple(fc.json(), fc.nat(), fc.nat({ max: 3 }), fc.array(piece, { maxLength: 3 }))
      .map(([json, place, cut, pieces]) => {
        const at = place % (json.length + 1);
        return json.slice(0, at) + pieces.join("") + json.slice(at + cut);
      });
    fc.assert(
      fc.property(
        fc.oneof(
          changed,
          fc.array(piece).map((pieces) => pieces.join("")),
        ),
        (text) => {
          const fault = findJsonFault(text);
          expect(fault === undefined).toBe(isJson(text));
          if (fault === undefined) return;
          // What comes before it is the beginning of some JSON text: the parser does not stop earlier.
          const stops = /position (\d+)/.exec(messageOf(text))?.[1];
          if (stops !== undefined) expect(fault.position).toBeLessThanOrEqual(Number(stops));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("takes no longer than the text is long", async () => {
    const find = (times: number) => {
      const texts = [
        "[".repeat(times),
        `["${"a".repeat(5 * times)}`,
        `["${"\\n".repeat(times)}`,
        "\n".repeat(5 * times),
      ];
      for (const text of texts) expect(findJsonFault(text)?.position).toBe(text.length);
    };
    expect(await growthOf(find, 50_000)).toBeLessThanOrEqual(LINEAR);
  });
});

function messageOf(text: string): string {
  try {
    JSON.parse(text);
    return "";
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : "";
  }
}
