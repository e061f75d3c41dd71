import { describe, expect, it } from "vitest";
import { PARTITION_PLANS, planPartitions } from "../../../src/store/partitions/partition-plan.ts";

const [WEEKS, DAYS] = ["inference", "inference_body"].map((table) =>
  PARTITION_PLANS.find((plan) => plan.table === table),
);

describe("planPartitions()", () => {
  it("plans weeks that begin on Mondays", () => {
    if (WEEKS === undefined) throw new Error("there are no weeks");
    expect(planPartitions(WEEKS, new Date("2026-11-22T23:59:59Z"), new Date("2026-11-23T00:00:00Z"))).toEqual([
      {
        name: "inference_20261116",
        fromId: "01a1e1a7-4c00-0000-0000-000000000000",
        beforeId: "01a205b3-d000-0000-0000-000000000000",
      },
      {
        name: "inference_20261123",
        fromId: "01a205b3-d000-0000-0000-000000000000",
        beforeId: "01a229c0-5400-0000-0000-000000000000",
      },
    ]);
  });

  it("plans the weeks of attempts as those of inferences, with which they are deleted", () => {
    const [inference, attempt] = PARTITION_PLANS;
    expect(attempt).toEqual({ ...inference, table: "inference_attempt" });
  });

  it("plans days, with no gap and no overlap", () => {
    if (DAYS === undefined) throw new Error("there are no days");
    const planned = planPartitions(DAYS, new Date("2024-02-28T12:00:00Z"), new Date("2024-03-01T00:00:00Z"));
    expect(planned.map(({ name }) => name)).toEqual([
      "inference_body_20240228",
      "inference_body_20240229",
      "inference_body_20240301",
    ]);
    expect(planned.slice(1).map(({ fromId }) => fromId)).toEqual(planned.slice(0, -1).map(({ beforeId }) => beforeId));
  });
});
