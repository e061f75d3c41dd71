import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import { busyHours } from "../../../../src/store/read/queries/busy-hours.ts";
import { PERIODS } from "../../../../src/store/types/period.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { idAt, inferenceRow } from "../../../support/rows.ts";

const DAY = Date.parse("2026-11-20T00:00:00.000Z") / PERIODS.hour;
/** Hours of which each has one call. */
const SPARSE = [DAY + 3, DAY + 4, DAY + 9];
/** An hour of the day before. */
const BUSY = DAY - 20;

describe.each(ENGINES)("busyHours() on %s", (engine) => {
  const databases = useDatabases(engine);
  let ids = 0;

  /** Returns the runs where each of two days has so many other calls, and the one before so many in one hour. */
  async function runsOf({ busy, others, most }: { busy: number; others: number; most?: number }) {
    const projectId = newId();
    const callAt = (hour: number, workload: string) =>
      inferenceRow({ projectId, id: idAt(new Date(hour * PERIODS.hour).toISOString(), ids++), workload });
    const hours = [...SPARSE, ...Array.from({ length: busy }, () => BUSY)];
    const rows = [...hours.map((hour) => callAt(hour, "rare")), callAt(DAY + 1, "other"), callAt(DAY - 1, "other")];
    await writeBatch(databases.store, {
      inferences: rows.map((row) => ({ row, attempts: [], request: undefined, response: undefined })),
      feedback: [],
    });
    const days = databases.store.query().updateTable("UsageDay").set({ calls: others });
    await days.where("projectId", "=", projectId).where("workload", "=", "other").execute();
    const range = { first: DAY - 48, end: DAY + 24, mostRows: most };
    const query = { rollup: "usage", projectId, filter: { workload: "rare" }, ...range } as const;
    return (await Array.fromAsync(busyHours(databases.store, query))).flat();
  }

  const sparse = [
    { first: DAY + 9, end: DAY + 10 },
    { first: DAY + 3, end: DAY + 5 },
  ];
  const busy = { first: BUSY, end: BUSY + 1 };

  it("finds the hours in which something was counted, the latest first", async () => {
    expect(await runsOf({ busy: 19, others: 10_000 })).toEqual([...sparse, busy]);
  });

  it("takes a day whole of which many are looked for", async () => {
    expect(await runsOf({ busy: 21, others: 10_000 })).toEqual([...sparse, { first: DAY - 24, end: DAY }]);
  });

  it("finds the hours of such a day where it has too many rows to look through", async () => {
    expect(await runsOf({ busy: 50, others: 22_000 })).toEqual([...sparse, busy]);
  });

  it("ends where as many rows were looked through as may be", async () => {
    expect(await runsOf({ busy: 19, others: 24_000, most: 2500 })).toEqual(sparse);
    expect(await runsOf({ busy: 19, others: 24_000, most: 1 })).toEqual([sparse[0]]);
  });
});
