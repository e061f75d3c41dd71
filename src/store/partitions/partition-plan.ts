import { firstIdAt } from "../types/period.ts";

/** Tables that have partitions on PostgreSQL; each has the id of the inference as its `id`. */
export type PartitionedTable = "inference" | "inference_attempt" | "inference_tag" | "inference_body";

/** The division of a table into partitions by the time in its ids. */
export interface PartitionPlan {
  readonly table: PartitionedTable;
  /** Days of one partition. */
  readonly daysEach: number;
  /** Days since 1970 on which any partition begins. */
  readonly firstDay: number;
  /** Days for which there are partitions before they are needed. */
  readonly daysAhead: number;
}

/** A partition as it should be. */
export interface PlannedPartition {
  readonly name: string;
  /** Its ids are not less than the first, and less than the second. */
  readonly fromId: string;
  readonly beforeId: string;
}

const DAY_MS = 86_400_000;

/**
 * The tables with partitions. Rows of inferences are small, and lists look through all of their partitions: weeks,
 * which begin on Mondays. Attempts and tags go with them. Bodies are large, are only read by their ids, and are often
 * kept for a few days only: days.
 */
export const PARTITION_PLANS: readonly PartitionPlan[] = [
  { table: "inference", daysEach: 7, firstDay: 4, daysAhead: 28 },
  { table: "inference_attempt", daysEach: 7, firstDay: 4, daysAhead: 28 },
  { table: "inference_tag", daysEach: 7, firstDay: 4, daysAhead: 28 },
  { table: "inference_body", daysEach: 1, firstDay: 0, daysAhead: 28 },
];

/** Returns the partitions that a range of time needs, both ends included, the oldest first. */
export function planPartitions(plan: PartitionPlan, from: Date, to: Date): PlannedPartition[] {
  const planned: PlannedPartition[] = [];
  for (let start = getStart(plan, from); start <= to.getTime() / DAY_MS; start += plan.daysEach) {
    const date = new Date(start * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "");
    planned.push({
      name: `${plan.table}_${date}`,
      fromId: firstIdAt(start * DAY_MS),
      beforeId: firstIdAt((start + plan.daysEach) * DAY_MS),
    });
  }
  return planned;
}

/** Returns when the partition of a time begins. */
export function partitionStart(plan: PartitionPlan, time: Date): Date {
  return new Date(getStart(plan, time) * DAY_MS);
}

/** Days since 1970 on which the partition of a time begins. */
function getStart({ daysEach, firstDay }: PartitionPlan, time: Date): number {
  return Math.floor((time.getTime() / DAY_MS - firstDay) / daysEach) * daysEach + firstDay;
}
