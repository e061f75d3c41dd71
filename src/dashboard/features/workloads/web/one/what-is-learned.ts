import { nameText } from "../../../../web/parts/name-text.ts";
import type { WorkloadDetails } from "../types.ts";

const OBJECTIVES: Readonly<Record<string, string>> = {
  quality: "the best rewards, whatever they cost",
  balanced: "better rewards, and lower cost where that loses next to nothing",
  cost: "lower cost, as long as answers are not worse than base's by more than half a percent",
  latency: "faster answers, as long as they are not worse than base's by more than half a percent",
};

/** Says what is learned of a workload, and from what. */
export function whatIsLearned({ model, holds, learned, entries, ...workload }: WorkloadDetails): string {
  if (workload.isMadeUp) {
    return (
      `Calls of ${nameText(model)}. The sandbox generates test answers, so there is nothing to learn from them. ` +
      "To see what feedback does, run “npm run demo”. You don't need an API key."
    );
  }
  const others = workload.others.filter((name) => !holds.excluded.includes(name));
  const objective = OBJECTIVES[holds.objective] ?? holds.objective;
  const who =
    others.length === 0 ? "No other model may answer." : `${list(others)} may answer instead. Objective: ${objective}.`;
  const rewards = Math.round(learned?.rewards ?? 0);
  const metrics = learned?.metrics ?? [];
  const from =
    rewards === 0
      ? entries === 0
        ? "No feedback yet."
        : "Attune hasn't learned from the feedback yet."
      : `Learned from ${rewards.toLocaleString("en-US")} ${rewards === 1 ? "reward" : "rewards"} in ${families(learned?.familyCount ?? 0)}${
          metrics.length === 0 ? "" : `; ${list(metrics)} count by rank`
        }.`;
  return `Base model: ${nameText(model)}. ${who} ${from}${describeExploring(workload.exploring)}`;
}

const shares = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 });
const losses = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

/** Says how much explores on users, and at what price. */
export function describeExploring(exploring: WorkloadDetails["exploring"]): string {
  if (exploring === null || exploring.share === 0) return "";
  const { share, lost } = exploring;
  const price = lost > 0 ? `costs an estimated ${losses.format(lost * 1000)} rewards per 1,000 calls` : "costs nothing";
  return ` ${shares.format(share)} of the calls try other models, which ${price}.`;
}

function families(count: number): string {
  return count === 1 ? "one kind of prompt" : `${count.toLocaleString("en-US")} kinds of prompt`;
}

const MOST_NAMED = 6;

function list(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map(nameText);
  const more = names.length - shown.length;
  const parts = more > 0 ? [...shown, `${more} more`] : shown;
  const last = parts.pop() ?? "";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}
