import { SimpleGrid } from "@mantine/core";
import { formatCost, formatNumber, formatPercent, formatShortCost, NONE } from "../../../parts/format.ts";
import { StatCard } from "../../../parts/stat-card.tsx";
import type { WorkloadDetails } from "../types.ts";
import { writeAhead } from "../write-worth.ts";

/** The workload's figures in the window, and its gain against base. */
export function WorkloadCards({ workload }: { readonly workload: WorkloadDetails }) {
  const { usage, entries, learned } = workload;
  const { calls, routedCalls, costNanos, baseCostNanos } = usage.total;
  const saved = costNanos === null || baseCostNanos === null ? null : baseCostNanos - costNanos;
  const ahead = learned?.figures?.rewards ? learned.figures.chosen.ahead : null;
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }} spacing="sm" className="attune-cards">
      <StatCard
        label="Calls"
        value={formatNumber(calls)}
        note={entries === 1 ? "1 entry of feedback" : `${formatNumber(entries)} entries of feedback`}
      />
      <StatCard
        label="Answered by others"
        value={formatPercent(calls === 0 ? null : routedCalls / calls)}
        note={`${formatNumber(routedCalls)} of ${formatNumber(calls)} calls`}
      />
      <StatCard
        label="Choice against base"
        value={ahead === null ? NONE : (writeAhead(ahead).split(" ")[0] ?? NONE)}
        note={
          ahead === null ? "not known yet" : `estimated reward, 95%: ${writeAhead(ahead).replace(/^\S+ \(|\)$/g, "")}`
        }
      />
      <StatCard
        label="Saved"
        value={formatShortCost(saved)}
        note={
          saved === null
            ? "no known cost"
            : `${formatShortCost(costNanos)} paid, ${formatShortCost(baseCostNanos)} by base alone`
        }
        {...(saved !== null && { exact: formatCost(saved) })}
      />
    </SimpleGrid>
  );
}
