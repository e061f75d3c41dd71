import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { readSpent } from "../../../src/store/quotas/read-spent.ts";
import { readMeasures } from "../../../src/store/read/queries/read-measures.ts";
import { readUsageReport } from "../../../src/store/usage/read-usage-report.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { inferenceRow } from "../../support/rows.ts";

const DAY_MS = 86_400_000;
/** 30 million USD a day are more than 10 billion a year: beyond 2^53 nano-USD a day, and beyond 2^63 a year. */
const NANOS_A_DAY = 30e15;

describe.each(ENGINES)("sums of much money on %s", (engine) => {
  const databases = useDatabases(engine);

  it("are read as reports, spending and budgets", async () => {
    const { store } = databases;
    const projectId = newId();
    const row = inferenceRow({ projectId, costNanos: 1 });
    await writeBatch(store, {
      inferences: [{ row, attempts: [], request: undefined, response: undefined }],
      feedback: [],
    });
    const tables = store.query();
    const [counted] = await tables.selectFrom("UsageDay").selectAll().where("projectId", "=", projectId).execute();
    if (counted === undefined) throw new Error("nothing was counted");
    const last = counted.period;
    await tables.updateTable("UsageDay").set({ costNanos: NANOS_A_DAY }).where("projectId", "=", projectId).execute();
    const days = Array.from({ length: 364 }, (_, at) => ({
      ...counted,
      period: last - 1 - at,
      costNanos: NANOS_A_DAY,
    }));
    for (const day of days) await tables.insertInto("UsageDay").values(day).execute();
    const range = { from: new Date((last - 364) * DAY_MS), to: new Date((last + 1) * DAY_MS) };
    const [spent] = await readMeasures(store, { projectId, range, bucket: "none", by: [], measures: ["cost"] });
    expect(spent?.values.cost).toBeCloseTo(365 * NANOS_A_DAY, -6);
    const budget = {
      subject: `project:${projectId}`,
      rule: "costNanosPerMonth",
      startsAtMs: (last - 29) * DAY_MS,
    } as const;
    expect(await readSpent(store.query(), budget)).toBeCloseTo(30 * NANOS_A_DAY, -6);
    const report = await readUsageReport(store, { projectId, ...range, groupBy: ["model"] });
    expect(report.total.cost).toBeCloseTo(365 * NANOS_A_DAY, -6);
  });
});
