/** Events of the history of a workload, each with what it tells. */
export const WORKLOAD_EVENTS = {
  begun: "the workload began, and with what",
  outlook: "what `on` would do",
  switched:
    "another model is best in a family with 20 rewards or more, and answered there; with both estimates and the " +
    "rewards they rest on",
  closed: "a regret budget was exceeded, with its name",
  reopened: "all regret budgets have room again",
  constraint: "a model breaks a bound on a metric, or breaks none any more",
  divided: "[clusters](learning.md#clusters-of-prompts) have won or lost in a family",
  selector:
    "[what chooses among several answers](best-of-n.md) is good enough, or no longer is, or is " +
    "[measured anew](best-of-n.md#selector-trials); with its accuracy",
  drift: "a model is not what it was: most of what was known of it is forgotten",
  "metrics-full": "there are more than 100 names of number metrics, and one that few use has no place; told once a day",
  unreadable: "the state is of another version, and began anew",
  controls: "what somebody set, with the person or key, if known",
  reset: "somebody had what was learned forgotten",
  rebuilt: "somebody had it learned anew",
} as const satisfies Readonly<Record<string, string>>;

/** A kind of event in the history of a workload. */
export type WorkloadEventKind = keyof typeof WORKLOAD_EVENTS;
