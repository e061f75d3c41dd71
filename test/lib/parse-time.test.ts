import { describe, expect, it } from "vitest";
import { parseDay, parseMoment } from "../../src/lib/parse-time.ts";

describe("parseMoment()", () => {
  it.each([
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
    ["2027-01-31T12:00Z", "2027-01-31T12:00:00.000Z"],
    ["2027-01-31T00:30:00.5+01:00", "2027-01-30T23:30:00.500Z"],
  ])("parses %s", (text, time) => {
    expect(parseMoment(text)?.toISOString()).toBe(time);
  });

  it.each([
    "2026-02-30T00:00:00Z",
    "2025-02-29T00:00:00Z",
    "2100-02-29T00:00:00Z",
    "2026-09-31T00:00:00Z",
    "2026-02-30T00:00:00+05:00",
    "2026-13-01T00:00:00Z",
    "2026-00-10T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-01-31T24:00:00Z",
    "2026-01-31T12:60:00Z",
    "2026-01-31T12:00:60Z",
    "2026-01-31T12:00:00",
    "2026-01-31T12:00:00+24:00",
    "2026-01-31",
    "2026-1-31T12:00:00Z",
    " 2026-01-31T12:00:00Z",
    "",
  ])("refuses %j", (text) => {
    expect(parseMoment(text)).toBeUndefined();
  });
});

describe("parseDay()", () => {
  it("parses the beginning of a day in UTC", () => {
    expect(parseDay("2024-02-29")?.toISOString()).toBe("2024-02-29T00:00:00.000Z");
  });

  it.each(["2026-02-30", "2026-04-31", "2026-1-1", "2026-01-01T00:00:00Z", "0000-00-00"])("refuses %s", (text) => {
    expect(parseDay(text)).toBeUndefined();
  });
});
