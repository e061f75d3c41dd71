import { nameText } from "../../../../web/parts/name-text.ts";
import { armName } from "../../../workloads/web/arm-name.ts";
import { familyName } from "../../../workloads/web/family-name.ts";
import type { RequestDetails } from "../types.ts";

/** The decision on which model answers. */
export type DecisionData = NonNullable<RequestDetails["decision"]>;

const percent = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 });

/** Says why a model was chosen, a sentence each: what was decided, and what became of it. */
export function decisionWords(decision: DecisionData): readonly string[] {
  const outcome = describeOutcome(decision);
  return [
    describeChoice(decision),
    ...(decision.asked === null
      ? []
      : [`Attune asked ${decision.asked.map(nameText).join(" and ")} for an answer each and returned the best one.`]),
    ...(outcome === undefined ? [] : [outcome]),
    `Kind of prompt: ${familyName(decision.family)}.`,
  ];
}

function describeChoice(decision: DecisionData): string {
  const { choice, chosen, best, base, controlChance, exploreChance, hasRoom, pendingDecisions, kept } = decision;
  const name = nameText(armName(chosen));
  if (kept === "unread") {
    return (
      `${name} is base. It was chosen because this process hadn't loaded the workload's learned state yet: ` +
      "the first calls don't wait for that."
    );
  }
  switch (choice) {
    case "control":
      return (
        `${name} was chosen as control: base answers ${percent.format(controlChance)} of such requests ` +
        "regardless of the estimates, for comparison."
      );
    case "explored":
      return (
        `${name} was chosen to explore: ${percent.format((1 - controlChance) * exploreChance)} of such ` +
        "requests go to models with uncertain estimates."
      );
    case "best":
      if (pendingDecisions !== null) {
        return (
          `${name} was chosen because ${pendingDecisions === 1 ? "an answer" : `${pendingDecisions} answers`} ` +
          "of other models had no feedback yet, and the regret budgets allow no more at a time."
        );
      }
      if (!hasRoom) return `${name} was chosen because a regret budget was exceeded: only base answers then.`;
      return best === base
        ? `${name} is base. It was chosen because no other model is better by more than the uncertainty.`
        : `${name} was chosen because it has the best estimate, even at the lower end of its uncertainty.`;
    case "only":
      return chosen === base
        ? `${name} is base. It was chosen because no other model may answer: the workload is frozen or has no ` +
            "feedback yet, or no other model can handle the request."
        : `${name} was chosen because the workload is pinned to it, or the conversation or session began with it.`;
  }
}

/** Returns why the choice was not followed; undefined if it was. */
function describeOutcome({ kept, base, chosen, mode }: DecisionData): string | undefined {
  switch (kept) {
    case "observed":
      return chosen === base
        ? "The workload is in observe mode. The choice was base anyway."
        : `The workload is in observe mode: base (${nameText(base)}) answered instead.`;
    case "unfit":
      return "No other model can handle the request without losing a part of it in translation.";
    case "conversation":
      return "The conversation continued with the same model: a tool loop, or state that only this model can read.";
    case "unread":
      return undefined;
    case "session":
      return "The session continued with the model that was chosen in it.";
    case null:
      return mode === "off" ? "Learning was off." : undefined;
  }
}
