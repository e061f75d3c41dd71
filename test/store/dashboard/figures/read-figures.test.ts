import { describe, expect, it } from "vitest";
import { readFigures } from "../../../../src/store/dashboard/figures/read-figures.ts";
import { readMinutes } from "../../../../src/store/dashboard/figures/read-minutes.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS } from "../../../../src/store/dashboard/figures/steps.ts";
import { deleteEndUser } from "../../../../src/store/end-users/delete-end-user.ts";
import type { InferenceRow } from "../../../../src/store/entities/inference.ts";
import { ensurePartitions } from "../../../../src/store/partitions/ensure-partitions.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { idAt, inferenceRow } from "../../../support/rows.ts";

describe.each(ENGINES)("readFigures() on %s", (engine) => {
  const databases = useDatabases(engine);
  let count = 0;

  /** Writes calls of a project of their own. */
  async function write(calls: readonly (readonly [time: string, changes?: Partial<InferenceRow>])[]): Promise<string> {
    const projectId = crypto.randomUUID();
    const times = calls.map(([time]) => Date.parse(time));
    await ensurePartitions(databases.store, new Date(Math.min(...times)), new Date(Math.max(...times)));
    const inferences = calls.map(([time, changes]) => {
      count += 1;
      const row = inferenceRow({ id: idAt(time, count), projectId, startedAt: new Date(time), ...changes });
      return { row, attempts: [], request: undefined, response: undefined };
    });
    await writeBatch(databases.store, { inferences, feedback: [] });
    return projectId;
  }

  const at = (time: string) => Date.parse(time);

  it("leaves the running hour out of both sides of the comparison, times too", async () => {
    const projectId = await write([
      ["2026-11-10T08:10:00Z", { latencyMs: 100 }],
      ["2026-11-10T09:50:00Z", { latencyMs: 100 }],
      ["2026-11-10T10:10:00Z", { latencyMs: 1 }],
      ["2026-11-10T11:10:00Z", { latencyMs: 100 }],
      ["2026-11-10T12:10:00Z", { latencyMs: 10_000 }],
      ["2026-11-10T12:15:00Z", { latencyMs: 10_000, status: "failed" }],
    ]);
    const { total, compared, steps } = await readFigures(databases.store, {
      projectId,
      fromMs: at("2026-11-10T10:00Z"),
      toMs: at("2026-11-10T12:20Z"),
      stepMs: HOUR_MS,
      periodMs: 3 * HOUR_MS,
      group: "none",
    });
    expect([total.calls, total["failed.calls"]]).toEqual([4, 1]);
    // 10:00 to 12:00, and 07:00 to 09:00.
    expect([compared.now.calls, compared.now["failed.calls"], compared.before.calls]).toEqual([2, 0, 1]);
    expect(compared.now["completed.latency.p95"]).toBe(compared.before["completed.latency.p95"]);
    expect(total["completed.latency.p95"]).toBeGreaterThan(9000);
    expect(total["completed.latency.p99"]).toBe(total["completed.latency.p95"]);
    // Three calls of 20 tokens that completed in 10.101 s.
    expect(total["completed.tokensPerSecond"]).toBeCloseTo(60 / 10.101);
    expect(steps.map(({ startMs, figures }) => [new Date(startMs).toISOString(), figures.calls])).toEqual([
      ["2026-11-10T10:00:00.000Z", 1],
      ["2026-11-10T11:00:00.000Z", 1],
      ["2026-11-10T12:00:00.000Z", 2],
    ]);
  });

  it.each([
    {
      stepMs: 6 * HOUR_MS,
      expected: [
        ["2026-11-08T18:00", 1],
        ["2026-11-09T00:00", 2],
        ["2026-11-15T12:00", 1],
      ],
    },
    {
      stepMs: DAY_MS,
      expected: [
        ["2026-11-08T00:00", 1],
        ["2026-11-09T00:00", 2],
        ["2026-11-15T00:00", 1],
      ],
    },
    // The ninth is a Monday.
    {
      stepMs: WEEK_MS,
      expected: [
        ["2026-11-02T00:00", 1],
        ["2026-11-09T00:00", 3],
      ],
    },
  ])("puts calls into steps of $stepMs ms", async ({ stepMs, expected }) => {
    const projectId = await write([
      ["2026-11-08T23:59:59Z"],
      ["2026-11-09T00:00:00Z"],
      ["2026-11-09T05:59:59Z"],
      ["2026-11-15T12:00:00Z"],
    ]);
    const { points } = await readFigures(databases.store, {
      projectId,
      fromMs: at("2026-11-02T00:00Z"),
      toMs: at("2026-11-16T00:00Z"),
      stepMs,
      periodMs: 2 * WEEK_MS,
      group: "model",
    });
    expect(
      points.map(({ startMs, group, figures }) => [new Date(startMs).toISOString().slice(0, 16), group, figures.calls]),
    ).toEqual(expected.map(([start, calls]) => [start, ["some-model"], calls]));
  });

  it("reads calls one by one in steps below an hour, and adds them up as the rollups do", async () => {
    const changes = {
      costNanos: 10,
      baseCostNanos: 30,
      cacheReadTokens: 4,
      cacheWriteTokens: 3,
      latencyMs: 250,
      timeToFirstTokenMs: 50,
      streamed: true,
    };
    const projectId = await write([
      ["2026-11-10T09:59:00Z", changes],
      ["2026-11-10T10:00:00Z", changes],
      ["2026-11-10T10:31:00Z", { costNanos: null, status: "failed" }],
      ["2026-11-10T10:59:59.999Z", changes],
      ["2026-11-10T11:00:00Z", changes],
    ]);
    const query = {
      projectId,
      fromMs: at("2026-11-10T10:00Z"),
      toMs: at("2026-11-10T11:00Z"),
      periodMs: HOUR_MS,
      group: "deployment" as const,
    };
    const minutes = await readFigures(databases.store, { ...query, stepMs: 2 * MINUTE_MS });
    const hours = await readFigures(databases.store, { ...query, stepMs: HOUR_MS });
    expect(
      minutes.points.map(({ startMs, group, figures }) => [(startMs - query.fromMs) / MINUTE_MS, group, figures.calls]),
    ).toEqual([
      [0, ["anthropic", "real-model"], 1],
      [30, ["anthropic", "real-model"], 1],
      [58, ["anthropic", "real-model"], 1],
    ]);
    expect([minutes.total, minutes.compared]).toEqual([hours.total, hours.compared]);
    expect(minutes.total).toMatchObject({ calls: 3, "failed.calls": 1, cost: 20, saved: 40, "priced.calls": 2 });
  });

  it("does not read calls one by one where there are too many", async () => {
    const projectId = await write([["2026-11-10T10:00:00Z"], ["2026-11-10T10:01:00Z"], ["2026-11-10T10:02:00Z"]]);
    const query = {
      projectId,
      fromMs: at("2026-11-10T10:00Z"),
      toMs: at("2026-11-10T11:00Z"),
      stepMs: MINUTE_MS,
      by: [],
      measures: ["calls"] as const,
    };
    expect((await readMinutes(databases.store, query, 3))?.length).toBe(3);
    expect(await readMinutes(databases.store, query, 2)).toBeUndefined();
  });

  it("counts what the rollups count where an end user's calls were deleted, in whole hours", async () => {
    const projectId = await write([
      ["2026-11-10T10:02:00Z"],
      ["2026-11-10T10:20:00Z", { endUserId: "gone", costNanos: 7 }],
      ["2026-11-10T12:00:00Z"],
    ]);
    await deleteEndUser(databases.store, { projectId, endUserId: "gone" });
    const read = async (from: string, stepMs: number) => {
      const fromMs = at(from);
      const time = { fromMs, toMs: fromMs + HOUR_MS, periodMs: HOUR_MS, stepMs };
      const { total, ...series } = await readFigures(databases.store, { projectId, ...time, group: "none" });
      return [series.stepMs, total.calls, total.cost];
    };
    expect(await read("2026-11-10T10:00Z", MINUTE_MS)).toEqual([HOUR_MS, 2, 1007]);
    expect(await read("2026-11-10T10:00Z", HOUR_MS)).toEqual([HOUR_MS, 2, 1007]);
    expect(await read("2026-11-10T12:00Z", MINUTE_MS)).toEqual([MINUTE_MS, 1, 1000]);
  });
});
