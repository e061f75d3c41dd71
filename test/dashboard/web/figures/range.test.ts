import { describe, expect, it } from "vitest";
import { lastWeek, readRange } from "../../../../src/dashboard/web/figures/range.ts";

describe("readRange()", () => {
  it.each([
    ["", { range: "24h" }],
    ["range=90d", { range: "90d" }],
    ["range=2h", { range: "24h" }],
    ["range=custom", { range: "24h" }],
    ["range=custom&from=2026-11-01T00:00Z&to=soon", { range: "24h" }],
    [
      "range=custom&from=2026-11-01T00:00Z&to=2026-11-02T12:30Z",
      { range: "custom", from: "2026-11-01T00:00:00.000Z", to: "2026-11-02T12:30:00.000Z" },
    ],
  ])("reads '%s'", (text, expected) => {
    expect(readRange(new URLSearchParams(text), "24h")).toEqual(expected);
  });
});

describe("lastWeek()", () => {
  it("ends with the running hour", () => {
    expect(lastWeek(Date.parse("2026-11-21T14:20:00Z"))).toEqual({
      range: "custom",
      from: "2026-11-14T15:00:00.000Z",
      to: "2026-11-21T15:00:00.000Z",
    });
  });
});
