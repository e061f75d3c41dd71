import type { LearnedRow } from "./use-workloads.ts";

/** How a workload stands, in words. */
interface StandingWords {
  readonly label: string;
  readonly color: "good" | "bad" | "gray" | "indigo";
  /** What that means. */
  readonly text: string;
}

/** What each standing is called. */
export const STANDINGS: Readonly<Record<LearnedRow["standing"], StandingWords>> = {
  off: { label: "Off", color: "gray", text: "Nothing is decided and nothing is learned: base answers every call." },
  gone: {
    label: "No longer served",
    color: "gray",
    text: "The configuration does not have this model any more. What was learned stays until it is reset.",
  },
  frozen: {
    label: "Frozen",
    color: "indigo",
    text: "Someone froze it: only base answers. It goes on learning from feedback.",
  },
  pinned: { label: "Pinned", color: "indigo", text: "Someone pinned it: one model answers wherever it can." },
  waiting: {
    label: "Waiting for feedback",
    color: "gray",
    text: "Base answers, and others now and then. Without feedback nothing can be learned of them.",
  },
  learning: {
    label: "Learning",
    color: "indigo",
    text: "There is too little feedback yet to say who is best. Others are tried now and then.",
  },
  closed: {
    label: "Closed by the guard",
    color: "bad",
    text: "An account is overdrawn: others may have done worse than base by more than is allowed. Only base answers until it has room again.",
  },
  observing: {
    label: "Observing",
    color: "indigo",
    text: "Base answers every call. Who would have answered is decided and recorded with each request, and feedback is learned from.",
  },
  routed: {
    label: "Routed",
    color: "good",
    text: "Other models answer the kinds of prompts that feedback says they do better.",
  },
  base: {
    label: "Serving base",
    color: "good",
    text: "No other model was found to be better for any kind of prompt. Others are tried now and then.",
  },
};

/** What accounts are called, and what each watches. */
export const ACCOUNTS: Readonly<Record<string, { readonly label: string; readonly text: string }>> = {
  rewards: {
    label: "Rewards",
    text: "what feedback said of others' answers, against base in the same kinds of prompts",
  },
  complaints: { label: "Complaints", text: "bad words for each request; silence counts as content" },
  "attune.success": { label: "Failures", text: "answers that failed" },
  "attune.answered": { label: "Refusals", text: "requests that the model refused to answer" },
  "attune.speed": { label: "Slow answers", text: "answers that took much longer than base's" },
};

/** How accounts of metrics that are guarded are named. */
const OF_METRIC = "metric:";

/** Names an account; one that is not known is the metric that it guards. */
export function accountLabel(name: string): string {
  return ACCOUNTS[name]?.label ?? (name.startsWith(OF_METRIC) ? name.slice(OF_METRIC.length) : name);
}

/** Modes, as people choose them. */
export const MODES = [
  { value: "off", label: "Off", text: "Nothing is decided or learned: base answers." },
  {
    value: "observe",
    label: "Observe",
    text: "Base answers. What would have been done is recorded, and feedback is learned from.",
  },
  { value: "on", label: "On", text: "Other models answer where feedback says that they are better, under the guard." },
] as const;
