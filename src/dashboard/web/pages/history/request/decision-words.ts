import { nameText } from "../../../parts/name-text.ts";
import { armName } from "../../workloads/arm-name.ts";
import { familyName } from "../../workloads/family-name.ts";
import type { RequestDetails } from "../types.ts";

/** How it was decided who answers. */
export type DecisionData = NonNullable<RequestDetails["decision"]>;

const percent = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 });

/** Says why a model was chosen, a sentence each: what was decided, and what became of it. */
export function decisionWords(decision: DecisionData): readonly string[] {
  const outcome = outcomeOf(decision);
  return [
    choiceOf(decision),
    ...(decision.asked === null
      ? []
      : [
          `Several answers were asked for, of ${decision.asked.map(nameText).join(" and ")}, and the best of them was given.`,
        ]),
    ...(outcome === undefined ? [] : [outcome]),
    `The request is of the kind ${familyName(decision.family)}.`,
  ];
}

function choiceOf(decision: DecisionData): string {
  const { choice, chosen, best, base, controlChance, exploreChance, hasRoom, unlearned } = decision;
  const name = nameText(armName(chosen));
  switch (choice) {
    case "control":
      return `${name} was taken as control: base answers ${percent.format(controlChance)} of such requests whatever the estimates say, so that there is always something to compare with.`;
    case "explored":
      return `${name} was tried to learn more: ${percent.format((1 - controlChance) * exploreChance)} of such requests go to a model by how doubtful its worth is.`;
    case "best":
      if (unlearned !== null) {
        return `${name} was taken because ${unlearned === 1 ? "an answer" : `${unlearned} answers`} of other models had not been learned from yet, and the guard has no room for more at a time.`;
      }
      if (!hasRoom) return `${name} was taken because an account of the guard was overdrawn: only base answers then.`;
      return best === base
        ? `${name}, which is base, was taken because no other model was thought to be better by more than the doubt.`
        : `${name} was taken because its estimate is the best of those that could answer, also less some of the doubt.`;
    case "only":
      return chosen === base
        ? `${name}, which is base, was taken because nobody else may answer: the workload is held or has no feedback yet, or no other model can take the request.`
        : `${name} was taken because the workload is pinned to it, or the conversation began with it.`;
  }
}

/** What kept the choice from being followed. */
function outcomeOf({ kept, base, chosen, mode }: DecisionData): string | undefined {
  switch (kept) {
    case "observed":
      return chosen === base
        ? "The workload was only observed; base would have answered all the same."
        : `The workload was only observed: base, ${nameText(base)}, answered in its place.`;
    case "unfit":
      return "Every other model would have lost a part of the request in translation, or could not take it.";
    case "conversation":
      return "The conversation went on with the model that it was under way with: a tool loop, or state that only its maker can read.";
    case null:
      return mode === "off" ? "Learning was off." : undefined;
  }
}
