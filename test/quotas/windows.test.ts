import { describe, expect, it } from "vitest";
import { windowEnd, windowStart } from "../../src/quotas/windows.ts";

const at = (text: string): number => Date.parse(text);

describe("windowStart() and windowEnd()", () => {
  it.each([
    ["minute", "2026-02-28T23:59:59.999Z", "2026-02-28T23:59:00Z", "2026-03-01T00:00:00Z"],
    ["day", "2026-02-28T23:59:59.999Z", "2026-02-28T00:00:00Z", "2026-03-01T00:00:00Z"],
    ["day", "2026-03-01T00:00:00Z", "2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z"],
    ["month", "2026-12-31T23:59:59.999Z", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"],
    ["month", "2028-02-29T12:00:00Z", "2028-02-01T00:00:00Z", "2028-03-01T00:00:00Z"],
  ] as const)("finds the %s of %s", (kind, now, start, end) => {
    expect(windowStart(kind, at(now))).toBe(at(start));
    expect(windowEnd(kind, at(now))).toBe(at(end));
  });

  it.each(["total", "inFlight"] as const)("has no end for %s", (kind) => {
    expect(windowStart(kind, at("2026-11-27T00:00:00Z"))).toBe(0);
    expect(windowEnd(kind, at("2026-11-27T00:00:00Z"))).toBeUndefined();
  });
});
