import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExact } from "../../../src/formats/shared/exact-numbers.ts";
import {
  isJsonObject,
  lookAtJsonObject,
  mergeMembers,
  parseJson,
  parseJsonObject,
  unknownMembers,
} from "../../../src/formats/shared/json.ts";

const again = (text: string): string => JSON.stringify(parseJson(text));

describe("parseJson()", () => {
  it.each([
    '{"a":9007199254740993}',
    '{"a":-12345678901234567890}',
    '{"a":1e400}',
    '{"a":[0.12345678901234567890123]}',
    '{"a":100000000000000000000000001}',
  ])("writes %s again as it came", (text) => {
    expect(again(text)).toBe(text);
  });

  it.each([
    ['{"a":1e-07}', 1e-7],
    ['{"a":1.50e1}', 15],
    ['{"a":1E+2}', 100],
    ['{"a":3.141592653589793}', Math.PI],
    ['{"a":1000000000000000000000}', 1e21],
    ['{"a":0.00000000000000000000}', 0],
    ['{"a":-0e10}', -0],
  ])("makes a number of %s, which a double holds", (text, number) => {
    expect(parseJson(text)).toEqual({ a: number });
  });

  it("takes words that look like numbers for words", () => {
    const text = '{"id":"01a1fc1d-7d6e-7000-9afe-9498e9974e32","b":": 12345678901234567890, 1e5"}';
    expect(again(text)).toBe(text);
  });

  it("agrees with JSON.parse wherever that loses nothing", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("says the same as the exact parse of every text, short and long", () => {
    const number = fc.oneof(
      fc.bigInt().map(String),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((double) => JSON.stringify(double)),
      fc
        .tuple(fc.integer(), fc.nat({ max: 10 ** 20 }), fc.integer({ min: -400, max: 400 }))
        .map(([a, b, c]) => `${a}.${b}e${c}`),
      fc.nat().map(String),
    );
    const text = fc.string().map((value) => JSON.stringify(value));
    const member = fc.tuple(text, fc.oneof(number, text, fc.json())).map((pair) => pair.join(" : "));
    const object = fc.array(member, { maxLength: 30 }).map((members) => `{ ${members.join(" ,")}}`);
    fc.assert(
      fc.property(object, fc.boolean(), (json, isLong) => {
        const given = isLong ? `${" ".repeat(1024)}${json}` : json;
        expect(JSON.stringify(parseJson(given))).toBe(JSON.stringify(parseExact(given)));
      }),
    );
  });

  it("never loses a digit of an integer", () => {
    fc.assert(
      fc.property(fc.bigInt(), (integer) => {
        const written = again(`{"a":${integer}}`);
        expect(BigInt(/-?\d+/.exec(written)?.[0] ?? 0)).toBe(integer);
      }),
    );
  });
});

describe("isJsonObject()", () => {
  it.each([
    [{}, true],
    [Object.create(null), true],
    [[], false],
    [null, false],
    ["{}", false],
    [parseJson("[1e400]"), false],
  ])("judges %j", (value, expected) => {
    expect(isJsonObject(value)).toBe(expected);
  });

  it("does not take a raw number for an object", () => {
    expect(parseJsonObject("1e400")).toBeUndefined();
  });
});

describe("lookAtJsonObject()", () => {
  it("rounds what a double cannot hold", () => {
    expect(lookAtJsonObject('{"a":9007199254740993,"b":[1e400],"c":"1e400"}')).toEqual({
      a: 9_007_199_254_740_992,
      b: [Number.POSITIVE_INFINITY],
      c: "1e400",
    });
  });

  it.each(["1e400", "[]", "null", "{", '"text"'])("does not take %s for an object", (text) => {
    expect(lookAtJsonObject(text)).toBeUndefined();
  });
});

describe("unknownMembers()", () => {
  it("returns what is not known, and nothing where all is", () => {
    const known = new Set(["a"]);
    expect(unknownMembers({ a: 1, b: 2, c: undefined }, known)).toEqual({ b: 2 });
    expect(unknownMembers({ a: 1 }, known)).toBeUndefined();
  });

  it("keeps a member of the name __proto__ as a member", () => {
    const rest = unknownMembers(parseJson('{"__proto__":{"x":1}}') as Record<string, unknown>, new Set());
    expect(JSON.stringify(rest)).toBe('{"__proto__":{"x":1}}');
  });
});

describe("mergeMembers()", () => {
  it.each([
    ["adds what is not there", { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    ["keeps what is there", { a: 1 }, { a: 2 }, { a: 1 }],
    ["replaces null", { citations: null }, { citations: [1] }, { citations: [1] }],
    [
      "merges objects",
      { source: { type: "url" } },
      { source: { type: "file", x: 1 } },
      { source: { type: "url", x: 1 } },
    ],
    ["does nothing for no extension", { a: 1 }, undefined, { a: 1 }],
  ])("%s", (_what, target, extension, expected) => {
    expect(mergeMembers(target, extension)).toEqual(expected);
  });

  it("keeps a member named __proto__ a member", () => {
    const merged = mergeMembers({}, JSON.parse('{"__proto__":{"admin":true}}'));
    expect(JSON.stringify(merged)).toBe('{"__proto__":{"admin":true}}');
    expect(merged["admin"]).toBeUndefined();
  });
});
