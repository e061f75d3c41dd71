import { describe, expect, it } from "vitest";
import { writeChange } from "../../../../../src/dashboard/features/audit-log/web/write-change.ts";

describe("writeChange()", () => {
  it.each([
    [{ costNanosPerMonth: 20e9 }, { costNanosPerMonth: 50e9 }, ["limit", "20 USD a month", "50 USD a month"]],
    [null, { name: "backend" }, ["name", undefined, "backend"]],
    [{ isEnabled: false }, { isEnabled: true }, ["is enabled", "no", "yes"]],
    [{ judgeBudgetNanos: 1e9 }, null, ["judge budget", "$1.00", undefined]],
    [null, { hedgeAfterMs: 1500 }, ["hedge after", undefined, "1.5 s"]],
    [{ models: ["a", "b"] }, { models: [] }, ["models", "a, b", "none"]],
    [null, { tags: { team: "search" } }, ["tags", undefined, '{"team":"search"}']],
    [
      { aliases: {} },
      { omittedCharacters: 52903, sha256: "74e7" },
      ["too long to record", undefined, "52,903 characters"],
    ],
    [null, { note: "x".repeat(200) }, ["note", undefined, `${"x".repeat(120)}…`]],
  ])("writes %j to %j", (before, after, [label, from, to]) => {
    expect(writeChange(before, after)).toEqual([{ label, from, to }]);
  });

  it("writes a time as one, and leaves out what is set on neither side", () => {
    const [change, ...rest] = writeChange(null, { expiresAt: "2026-11-29T10:00:00.000Z", revokedAt: null });
    expect(change).toMatchObject({ label: "expires at" });
    expect(change?.to).toMatch(/29 Nov 2026|Nov 29, 2026/);
    expect(rest).toEqual([]);
  });
});
