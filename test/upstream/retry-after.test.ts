import { describe, expect, it } from "vitest";
import { readRetryAfterMs } from "../../src/upstream/read-answer.ts";

const NOW = Date.parse("2026-11-22T10:00:00Z");
const LONGEST = 2 ** 31 - 1;
const at = (time: string) => new Date(time).toUTCString();

describe("readRetryAfterMs()", () => {
  it.each([
    ["milliseconds before all else", { "retry-after-ms": "250", "retry-after": "9" }, 250],
    ["seconds", { "retry-after": "9" }, 9000],
    ["a date", { "retry-after": at("2026-11-22T10:00:30Z") }, 30_000],
    [
      "a date of an upstream whose clock is 400 days behind",
      { "retry-after": at("2025-10-18T10:00:30Z"), date: at("2025-10-18T10:00:00Z") },
      30_000,
    ],
    [
      "a date of an upstream whose clock is an hour ahead",
      { "retry-after": at("2026-11-22T11:00:30Z"), date: at("2026-11-22T11:00:00Z") },
      30_000,
    ],
    ["a date that is over", { "retry-after": at("2026-11-22T09:00:00Z") }, 0],
    ["no time", { "retry-after": "soon" }, undefined],
    ["parts of a second", { "retry-after": " 1.5 " }, 1500],
    ["seconds beyond 64 bits", { "retry-after": "9223372036854775808000" }, LONGEST],
    ["seconds beyond a double", { "retry-after": "9".repeat(400) }, LONGEST],
    ["milliseconds beyond 64 bits", { "retry-after-ms": "99999999999999999999" }, LONGEST],
    ["a date far away", { "retry-after": "Fri, 31 Dec 9999 23:59:59 GMT" }, LONGEST],
    ["a date beyond all dates", { "retry-after": "Fri, 31 Dec 999999 23:59:59 GMT" }, undefined],
    [
      "a date of an upstream with a date beyond all dates",
      { "retry-after": at("2026-11-22T10:00:30Z"), date: "x" },
      30_000,
    ],
    ["less than nothing", { "retry-after": "-5", "retry-after-ms": "-1" }, undefined],
    ["what is no number", { "retry-after": "NaN", "retry-after-ms": "Infinity" }, undefined],
    ["another notation", { "retry-after": "1e400", "retry-after-ms": "0x10" }, undefined],
    ["nothing", { "retry-after": "", "retry-after-ms": " " }, undefined],
    ["a list", { "retry-after": ["1", "2"] }, undefined],
  ] as readonly (readonly [string, Record<string, string | string[]>, number | undefined])[])(
    "reads %s",
    (_, headers, expected) => {
      expect(readRetryAfterMs(headers, NOW)).toBe(expected);
    },
  );
});
