import { createRandom } from "../../lib/hash.ts";
import { asksForSeveral, findSelection, getCandidates } from "../candidates/requested-candidates.ts";
import type { Selection } from "../candidates/selection.ts";
import { ANSWERS_OF_TRIAL, isTrial } from "../candidates/selector-trial.ts";
import type { PlanStep, RequestFacts } from "./plan-step.ts";
import type { Candidates } from "./plan-strategy.ts";

/** The step that has several answers made: where the caller asks for them, and for selector trials. */
export const addCandidates: PlanStep = (draft, facts) => {
  if (!facts.context.isAnswered) return draft;
  const candidates = asksForSeveral(facts.input) ? requestedCandidates(facts) : selectorTrial(facts);
  return candidates === undefined ? draft : { ...draft, candidates };
};

/** Returns how what was learned takes part in the choice among several answers; undefined where it does not. */
export function selectionFor({ input, found, context, workload }: RequestFacts): Selection | undefined {
  if (input.plain || found.isDirected) return undefined;
  return findSelection(workload(), context.inferenceId);
}

function requestedCandidates(facts: RequestFacts): Candidates {
  const { judge } = facts;
  return getCandidates(facts.input, facts.found.model, { judge, selection: selectionFor(facts) });
}

/** Several answers that nobody asked for, to measure what was learned; undefined for nearly all requests. */
function selectorTrial(facts: RequestFacts): Candidates | undefined {
  const { input, context, found, workload, judge } = facts;
  const { model, isDirected } = found;
  if (model.candidates === undefined || isDirected) return undefined;
  const random = createRandom(`${context.inferenceId} trial`);
  if (!isTrial({ input, model, context, find: workload, random })) return undefined;
  const selection = selectionFor(facts);
  return getCandidates(input, model, {
    judge,
    count: ANSWERS_OF_TRIAL,
    selection: selection && { ...selection, isTrial: true },
  });
}
