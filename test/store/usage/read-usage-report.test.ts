import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import type { InferenceRow } from "../../../src/store/entities/inference.ts";
import { readUsageReport } from "../../../src/store/usage/read-usage-report.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { idAt, inferenceRow } from "../../support/rows.ts";

const TIME = "2026-11-20T12:30:00.000Z";
const RANGE = { from: new Date("2026-11-20T12:00:00Z"), to: new Date("2026-11-20T13:00:00Z") };

describe.each(ENGINES)("readUsageReport() on %s", (engine) => {
  const databases = useDatabases(engine);

  async function write(projectId: string, calls: readonly Partial<InferenceRow>[]): Promise<void> {
    await writeBatch(databases.store, {
      inferences: calls.map((changes, index) => ({
        row: inferenceRow({ startedAt: new Date(TIME), id: idAt(TIME, index), ...changes, projectId }),
        ...{ attempts: [], request: undefined, response: undefined },
      })),
      feedback: [],
    });
  }

  it("adds up calls by each combination of dimensions, and all of them", async () => {
    const projectId = newId();
    const tokens = { inputTokens: 10, outputTokens: 5, reasoningTokens: 2, costNanos: 700, latencyMs: 100 };
    await write(projectId, [
      { id: newIdAt(1), keyId: "a", model: "m", workload: "w", status: "completed", ...tokens },
      {
        id: newIdAt(2),
        keyId: "a",
        model: "m",
        workload: "v",
        status: "failed",
        ...tokens,
        costNanos: null,
        latencyMs: 9e5,
      },
      { id: newIdAt(3), keyId: "a", model: "n", workload: "w", status: "completed", ...tokens },
      { id: newIdAt(4), keyId: "b", model: "m", workload: "w", status: "completed", usageEstimated: true, ...tokens },
    ]);
    const read = (groupBy: Parameters<typeof readUsageReport>[1]["groupBy"], keyId?: string) =>
      readUsageReport(databases.store, { projectId, ...RANGE, groupBy, keyId });
    const { groups, total } = await read(["key", "model"]);
    expect(groups.map(({ values, figures }) => [...values, figures.calls, figures.failedCalls])).toEqual([
      ["a", "m", 2, 1],
      ["a", "n", 1, 0],
      ["b", "m", 1, 0],
    ]);
    expect(total).toMatchObject({ calls: 4, failedCalls: 1, inputTokens: 40, outputTokens: 20, reasoningTokens: 8 });
    expect(total).toMatchObject({ pricedCalls: 3, costNanos: 2100, estimatedCalls: 1 });
    expect(groups.map(({ figures }) => figures.estimatedCalls)).toEqual([0, 0, 1]);
    // A failed call took 15 minutes, and says nothing of answers.
    expect(total.latencyP95Ms).toBeGreaterThan(90);
    expect(total.latencyP95Ms).toBeLessThan(110);
    const byWorkload = await read(["workload", "project"], "a");
    expect(byWorkload.groups.map(({ values, figures }) => [...values, figures.calls])).toEqual([
      ["v", projectId, 1],
      ["w", projectId, 2],
    ]);
    const alone = await read([]);
    expect(alone.groups).toEqual([{ values: [], figures: total }]);
  });

  it("finds nothing in another project, or at another time", async () => {
    const projectId = newId();
    await write(projectId, [{ id: newIdAt(5) }]);
    const other = await readUsageReport(databases.store, { projectId: newId(), ...RANGE, groupBy: ["key"] });
    expect(other).toMatchObject({ groups: [], total: { calls: 0, latencyP50Ms: undefined } });
    const later = { from: new Date("2026-11-20T13:00:00Z"), to: new Date("2026-11-20T14:00:00Z") };
    const report = await readUsageReport(databases.store, { projectId, ...later, groupBy: [] });
    expect(report.groups).toEqual([]);
  });
});

let made = 0;

/** Makes an id of the test's time; no other test has it. */
function newIdAt(index: number): string {
  made += 1;
  return idAt(TIME, 1000 * index + made);
}
