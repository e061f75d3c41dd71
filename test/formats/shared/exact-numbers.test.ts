import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LongNumberError, parseExact, parseExactInSteps } from "../../../src/formats/shared/exact-numbers.ts";

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

  it("keeps integers of all lengths as they are written", () => {
    // From 10^21 on, JavaScript writes what a double holds with an exponent.
    const long = fc.bigInt({ min: -(10n ** 21n) + 1n, max: 10n ** 21n - 1n });
    const round = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 10n }), fc.nat({ max: 10 }));
    const written = fc
      .oneof(
        long,
        round.map(([digits, zeros]) => digits * 10n ** BigInt(zeros)),
      )
      .map(String);
    fc.assert(fc.property(written, (number) => again(number) === number));
  });

  it.each([
    ["10000000000000000000000", 1e22],
    ["12345678901234567000", 12345678901234567000],
    ["-100000000000000000000", -1e20],
  ])("takes %s as a number: a double holds all its digits", (text, number) => {
    expect(parseExact(text)).toBe(number);
  });
});

describe("parseExactInSteps()", () => {
  it("says the same as parseExact(), and lets others in before each step", async () => {
    let pauses = 0;
    const value = await parseExactInSteps("[9007199254740993, 1]", async () => void pauses++);
    expect(JSON.stringify(value)).toBe("[9007199254740993,1]");
    expect(pauses).toBe(2);
  });

  it("has nothing to put back where a double holds every number", async () => {
    expect(await parseExactInSteps("[1e2]", () => undefined)).toEqual([100]);
  });

  it("refuses what is not JSON", async () => {
    await expect(parseExactInSteps("[9007199254740993", () => undefined)).rejects.toThrow(SyntaxError);
  });
});
