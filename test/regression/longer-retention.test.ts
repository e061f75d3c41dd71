import { describe, expect, it } from "vitest";
import { firstDayKept } from "../../src/store/database/first-day-kept.ts";
import { applyRetention } from "../../src/store/retention/apply-retention.ts";
import { ENGINES, useDatabases } from "../support/database.ts";

const DAY_MS = 86_400_000;

// Where hours were kept for longer from then on, readers looked for hours that were gone, and lost the calls of days.
describe.each(ENGINES)("hours that are kept for longer than before on %s", (engine) => {
  const databases = useDatabases(engine);

  it("do not come back: days are read for those that are gone", async () => {
    const { store } = databases;
    const now = new Date("2026-11-29T12:00:00Z");
    const keep = async (retentionDays: number) => {
      const before = new Date(now.getTime() - retentionDays * DAY_MS);
      const plan = {
        kind: "hours" as const,
        retentionDays,
        expiredBefore: before,
        deleteBefore: before,
        held: undefined,
      };
      await applyRetention(store, [plan], { now, signal: new AbortController().signal });
      return await firstDayKept(store, "hours");
    };
    const gone = await keep(20);
    expect(gone).toBe(Math.floor(now.getTime() / DAY_MS) - 20);
    expect(await keep(90)).toBe(gone);
    expect(await keep(10)).toBe(gone + 10);
  });
});
