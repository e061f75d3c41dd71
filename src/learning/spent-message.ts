import type { MessageInitShape } from "@bufbuild/protobuf";
import type { RecentUsageSchema } from "../../gen/attune/workload/v1/workload_pb.ts";
import { describeEarned, type Outlook, type Spent } from "../hub/outlook.ts";

/** Encodes the calls of late, and what the choice among models earned. */
export function spentToMessage(spent: Spent, effect: Outlook | undefined): MessageInitShape<typeof RecentUsageSchema> {
  const { calls, routedCalls, costNanos, baseCostNanos, trialNanos, trials, checks } = spent;
  return {
    calls: BigInt(calls),
    routedCalls: BigInt(routedCalls),
    ...(costNanos !== null && { costNanoUsd: BigInt(Math.round(costNanos)) }),
    ...(baseCostNanos !== null && { baseCostNanoUsd: BigInt(Math.round(baseCostNanos)) }),
    trials: BigInt(trials),
    checks: BigInt(checks),
    ...(trialNanos !== null && { trialCostNanoUsd: BigInt(Math.round(trialNanos)) }),
    summary: describeEarned(effect ?? null, spent),
  };
}
