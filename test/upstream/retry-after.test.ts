import { describe, expect, it } from "vitest";
import { readRetryAfterMs } from "../../src/upstream/retry-after.ts";

const NOW = Date.parse("2026-11-22T10:00:00Z");
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
  ])("reads %s", (_, headers, expected) => {
    expect(readRetryAfterMs(headers, NOW)).toBe(expected);
  });
});
