import { describe, expect, it } from "vitest";
import { LongNumberError, parseExact } from "../../src/wire/exact-numbers.ts";

const again = (text: string): string => JSON.stringify(parseExact(text));

describe("parseExact()", () => {
  it.each([
    ["at the top", "9007199254740993"],
    ["in an object named __proto__", '{"__proto__":{"__proto__":9007199254740993}}'],
    ["among others", '[1,"2",true,null,-9007199254740993,{"a":[1e400]}]'],
    ["of 1,000 characters", `[${"1".repeat(1000)}]`],
  ])("keeps a number %s", (_where, text) => {
    expect(again(text)).toBe(text);
  });

  it("leaves strings alone that look like numbers", () => {
    const text = '{"a\\"9007199254740993":"9007199254740993","b":"\\\\"}';
    expect(again(text)).toBe(text);
  });

  it.each(["1-1234567890123456789", "[12345678901234567e]", "[+12345678901234567890]", "tru12345678901234567890"])(
    "refuses %s",
    (text) => {
      expect(() => parseExact(text)).toThrow(SyntaxError);
    },
  );

  it("refuses a number that nobody means, without reading it to its end again and again", () => {
    expect(() => parseExact(`[1${"0".repeat(10_000_000)}1]`)).toThrow(LongNumberError);
  });
});
