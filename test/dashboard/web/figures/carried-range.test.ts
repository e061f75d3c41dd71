import { describe, expect, it } from "vitest";
import { carriedRange } from "../../../../src/dashboard/web/figures/carried-range.ts";

const CUSTOM = "from=2026-11-01T00%3A00Z&to=2026-11-02T00%3A00Z";

describe("carriedRange()", () => {
  it.each([
    ["", "spend", ""],
    ["?range=7d&by=key", "spend", "?range=7d"],
    ["?range=7d", "history", "?since=7d"],
    ["?since=7d&model=a", "overview", "?range=7d"],
    // Only the history has it.
    ["?since=6h", "overview", ""],
    ["?range=2h", "spend", ""],
    [`?range=custom&${CUSTOM}`, "spend", `?range=custom&${CUSTOM}`],
    [`?range=custom&${CUSTOM}`, "history", `?${CUSTOM}`],
    [`?${CUSTOM}`, "errors", `?range=custom&${CUSTOM}`],
    ["?range=custom", "spend", ""],
  ])("of '%s' for %s is '%s'", (search, path, expected) => {
    expect(carriedRange(search, path)).toBe(expected);
  });
});
