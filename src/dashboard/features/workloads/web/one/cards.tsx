import { SimpleGrid } from "@mantine/core";
import { formatCost, formatNumber, formatPercent, formatShortCost, NONE } from "../../../../web/parts/format.ts";
import { StatCard } from "../../../../web/parts/stat-card.tsx";
import type { WorkloadDetails } from "../types.ts";
import { writeAhead, writeWorth } from "../write-worth.ts";

interface Props {
  readonly workload: WorkloadDetails;
}

/** The workload's figures in the window, as its calls were recorded. */
export function MeasuredCards({ workload: { usage, entries } }: Props) {
  const { calls, routedCalls, costNanos, baseCostNanos } = usage.total;
  const saved = costNanos === null || baseCostNanos === null ? null : baseCostNanos - costNanos;
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
      <StatCard
        label="Calls"
        value={formatNumber(calls)}
        note={entries === 1 ? "1 feedback entry" : `${formatNumber(entries)} feedback entries`}
      />
      <StatCard
        label="Routed"
        value={formatPercent(calls === 0 ? null : routedCalls / calls)}
        note={`another model answered ${formatNumber(routedCalls)} of ${formatNumber(calls)} calls`}
      />
      <StatCard
        label="Saved"
        value={formatShortCost(saved)}
        note={
          saved === null
            ? "no known cost"
            : `${formatShortCost(costNanos)} paid, ${formatShortCost(baseCostNanos)} for the base model alone`
        }
        {...(saved !== null && { exact: formatCost(saved) })}
      />
    </SimpleGrid>
  );
}

/** The gain that feedback lets expect of the choice, against the base model alone. */
export function EstimatedCards({ workload: { learned } }: Props) {
  const figures = learned?.figures?.rewards ? learned.figures : null;
  const ahead = figures?.chosen.ahead ?? null;
  const base = figures?.arms.find(({ isBase }) => isBase);
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
      <StatCard
        label="Gain over the base model"
        value={ahead === null ? NONE : (writeAhead(ahead).split(" ")[0] ?? NONE)}
        note={ahead === null ? "not known yet" : `reward, 95%: ${writeAhead(ahead).replace(/^\S+ \(|\)$/g, "")}`}
      />
      <StatCard
        label="Reward of the base model"
        value={base === undefined ? NONE : writeWorth(base.worth)}
        note={base === undefined ? "not known yet" : "from 0 to 1, over all its kinds of prompts"}
      />
      <StatCard
        label="Rewards"
        value={formatNumber(Math.round(learned?.rewards ?? 0))}
        note="feedback that counts for learning"
      />
    </SimpleGrid>
  );
}
