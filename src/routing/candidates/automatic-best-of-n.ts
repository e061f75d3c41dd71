import type { CatalogModel } from "../../catalog/model.ts";
import type { HubInput } from "../../hub/input.ts";
import { askedForm } from "../../inference/checks/asked-form.ts";
import type { PlanContext } from "../../inference/ports.ts";
import type { LearnedWorkload } from "../../learning/workload.ts";
import { asksForChoices, asksForSeveral } from "./asked-candidates.ts";

/** A request that the policy may have answered by several models at once. */
interface BestOfNFacts {
  readonly input: HubInput;
  readonly model: CatalogModel;
  readonly context: Pick<PlanContext, "streamed">;
  readonly workload: LearnedWorkload;
  /**
   * Returns whether a machine tells of what is asked for in a form whether it is of it, and nothing cheaper is done
   * with that.
   */
  readonly isJudged: () => boolean;
}

/**
 * Tells which arms of several answers a request may be given unasked: those that are not known to be slower than they
 * may be, where the choice among answers has proved itself, or a machine can make it; none else.
 */
export function allowsBestOfN(facts: BestOfNFacts): (arm: string) => boolean {
  const { model, context, workload } = facts;
  if (!workload.state.hasSeveral || !isBestOfNAllowed(facts)) return () => false;
  return (arm) => workload.latencies?.isTooSlow(arm, context.streamed, model.candidates?.maxSlowdown) !== true;
}

function isBestOfNAllowed({ input, model, context, workload, isJudged }: BestOfNFacts): boolean {
  const learned = model.candidates?.learned ?? "off";
  if (learned === "off" || (context.streamed && learned === "unary")) return false;
  if (input.compact || asksForSeveral(input) || asksForChoices(input)) return false;
  if (workload.selector?.isProven === true) return true;
  return isJudged() && askedForm(input, model.checks)?.isStructured === true;
}
