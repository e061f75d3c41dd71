import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { InferenceRow } from "../../../../src/store/entities/inference.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { feedbackRow, idAt, inferenceRow } from "../../../support/rows.ts";
import { type DashboardService, startDashboardService } from "../../harness.ts";
import { createPeople } from "../../people.ts";

const RANGE = { range: "custom", from: "2026-03-02T00:00:00.000Z", to: "2026-03-02T03:00:00.000Z" };

describe.each(ENGINES)("workloads in the dashboard on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: DashboardService;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url });
  });

  afterAll(() => service.close());

  it("lists those of a time with calls, costs, models and feedback, the most called first", async () => {
    const { byRole, projectId } = await createPeople(service);
    const calls: [string, Partial<InferenceRow>][] = [
      ["2026-03-01T23:59:59Z", { workload: "support" }],
      ["2026-03-02T00:00:00Z", { workload: "support", model: "a", costNanos: 100 }],
      ["2026-03-02T02:00:00Z", { workload: "support", model: "b", costNanos: 40 }],
      ["2026-03-02T02:59:59Z", { workload: "support", model: "b", costNanos: null }],
      ["2026-03-02T01:00:00Z", { workload: "", model: "a", costNanos: null }],
    ];
    const at = "2026-03-02T00:30:00Z";
    await writeBatch(service.store, {
      inferences: calls.map(([time, changes], index) => ({
        row: inferenceRow({ ...changes, projectId, id: idAt(time, index), startedAt: new Date(time) }),
        attempts: [],
        request: undefined,
        response: undefined,
      })),
      feedback: [
        feedbackRow({ projectId, id: idAt(at, 1), workload: "support", name: "quality", optimize: "min" }),
        feedbackRow({ projectId, id: idAt(at, 2), workload: "support", name: "quality", optimize: "min" }),
        // Its calls were longer ago.
        feedbackRow({ projectId, id: idAt(at, 3), workload: "old", name: "quality", optimize: null }),
      ],
    });
    const { data } = await byRole.viewer.query("workloads.list", { projectId, ...RANGE });
    const { buckets, workloads } = data as { buckets: { startMs: number }[]; workloads: unknown };
    expect(buckets.map(({ startMs }) => new Date(startMs).toISOString())).toEqual([
      "2026-03-02T00:00:00.000Z",
      "2026-03-02T01:00:00.000Z",
      "2026-03-02T02:00:00.000Z",
    ]);
    expect(workloads).toEqual([
      {
        workload: "support",
        calls: 3,
        costNanos: 140,
        pricedCalls: 2,
        callsByStep: [1, 0, 2],
        models: [
          { model: "b", calls: 2 },
          { model: "a", calls: 1 },
        ],
        metrics: [{ name: "quality", kind: "float", entries: 2, optimize: "min" }],
      },
      {
        workload: "",
        calls: 1,
        costNanos: null,
        pricedCalls: 0,
        callsByStep: [0, 1, 0],
        models: [{ model: "a", calls: 1 }],
        metrics: [],
      },
      {
        workload: "old",
        calls: 0,
        costNanos: null,
        pricedCalls: 0,
        callsByStep: [0, 0, 0],
        models: [],
        metrics: [{ name: "quality", kind: "float", entries: 1, optimize: null }],
      },
    ]);
  });
});
