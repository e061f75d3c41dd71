/** Reasons why an improvement is done, each with what people are told of it. */
export const IMPROVEMENT_ENDS = {
  settled: "no other model promises more than base any more",
  calls: "all calls were made",
  budget: "its money is spent, or a budget in USD is exhausted: allow more to find out more",
  requests: "no recorded request is left that other models can be asked",
  judge:
    "the judge has not proved itself: people have to rate more answers, or the judge needs another model or a rubric",
  "no-judge":
    "the workload has no judge, or its project keeps no texts: set a judge with 'attune workloads set --judge'",
  "no-models": "no other model may be asked: check which models may answer in base's place, and that they are healthy",
} as const;

/** Reason why an improvement ended by itself. */
export type ImprovementEnd = keyof typeof IMPROVEMENT_ENDS;

/** The recorded requests that other models are asked for, where nobody says how many. */
export const USUAL_CALLS = 300;

/** Pairs that people have to judge blind before one judge alone may grade more than the usual calls. */
export const LEAST_REVIEWED = 20;

/** Describes why fewer requests are asked than somebody wants; undefined where that is not so. */
export function describeCallLimit(wanted: number, mostCalls: number): string | undefined {
  if (mostCalls >= wanted) return undefined;
  return `One judge alone may favor a model, so at most ${mostCalls} requests are asked. To ask more, set a second judge, or judge ${LEAST_REVIEWED} pairs blind first.`;
}
