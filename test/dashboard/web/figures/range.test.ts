import { describe, expect, it } from "vitest";
import { lastWeek, readRange, readTime, toField } from "../../../../src/dashboard/web/figures/range.ts";

describe("readRange()", () => {
  it.each([
    ["", { range: "24h" }],
    ["range=90d", { range: "90d" }],
    ["range=2h", { range: "24h" }],
    ["range=custom", { range: "24h" }],
    ["range=custom&from=2026-11-01T00:00&to=soon", { range: "24h" }],
    [
      "range=custom&from=2026-11-01T00:00&to=2026-11-02T12:30",
      { range: "custom", from: "2026-11-01T00:00:00.000Z", to: "2026-11-02T12:30:00.000Z" },
    ],
  ])("reads '%s'", (text, expected) => {
    expect(readRange(new URLSearchParams(text), "24h")).toEqual(expected);
  });
});

describe("fields of a chosen time", () => {
  it("are UTC, whatever the browser's clock has", () => {
    expect(toField("2026-11-02T12:30:00.000Z")).toBe("2026-11-02T12:30");
    expect(readTime("2026-11-02T12:30")).toBe("2026-11-02T12:30:00.000Z");
    expect(["", "2026-11-02", "2026-13-40T00:00"].map(readTime)).toEqual([undefined, undefined, undefined]);
  });

  it("begin with the week that ends with the running hour", () => {
    expect(lastWeek(Date.parse("2026-11-21T14:20:00Z"))).toEqual({
      range: "custom",
      from: "2026-11-14T15:00:00.000Z",
      to: "2026-11-21T15:00:00.000Z",
    });
  });
});
