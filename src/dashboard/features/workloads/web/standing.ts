import type { LearnedRow } from "./types.ts";

/** The standing of a workload, in words. */
interface StandingWords {
  readonly label: string;
  readonly color: "good" | "bad" | "gray" | "indigo";
  /** The explanation of the standing. */
  readonly text: string;
}

/** The name of each standing. */
export const STANDINGS: Readonly<Record<LearnedRow["standing"], StandingWords>> = {
  off: { label: "Off", color: "gray", text: "Base answers every call. Attune learns nothing." },
  gone: {
    label: "No longer served",
    color: "gray",
    text: "The configuration no longer has this model. The learned state stays until someone resets it.",
  },
  frozen: {
    label: "Frozen",
    color: "indigo",
    text: "Only the base model answers, until someone resumes it. Attune still learns from feedback.",
  },
  pinned: { label: "Pinned", color: "indigo", text: "One model answers wherever it can, until someone unpins it." },
  waiting: {
    label: "Waiting for feedback",
    color: "gray",
    text: "Base answers every call until something is learned from feedback.",
  },
  learning: {
    label: "Learning",
    color: "indigo",
    text: "There is not enough feedback yet to name the best model. Other models answer a few calls.",
  },
  closed: {
    label: "Only base: budget used up",
    color: "bad",
    text:
      "A regret budget is exceeded: other models may have lost more against base than is allowed. Only base " +
      "answers until the budget has room again: each piece of feedback adds some.",
  },
  observing: {
    label: "Observing",
    color: "indigo",
    text: "Base answers every call. Attune records which model it would have chosen, and learns from feedback.",
  },
  exploring: {
    label: "Exploring",
    color: "indigo",
    text: "Another model answers some kinds of prompts. Feedback does not show significantly yet that it is better.",
  },
  routed: {
    label: "Routed",
    color: "good",
    text: "Other models answer the kinds of prompts where feedback shows that they do better.",
  },
  base: {
    label: "Serving base",
    color: "good",
    text: "No other model is better for any kind of prompt. Other models answer a few calls.",
  },
};

/** Says what a standing means: where it observes, base answers all calls, however much is learned. */
export function standingText({ standing, mode }: Pick<LearnedRow, "standing" | "mode">): string {
  if (standing !== "learning" || mode !== "observe") return STANDINGS[standing].text;
  return "There is not enough feedback yet to name the best model. Base answers every call, as the mode is Observe.";
}

/** The names of the regret budgets, and what each guards. */
export const ACCOUNTS: Readonly<Record<string, { readonly label: string; readonly text: string }>> = {
  rewards: {
    label: "Rewards",
    text: "feedback on other models against base, for the same kinds of prompts",
  },
  complaints: { label: "Complaints", text: "negative feedback per request; no feedback counts as satisfied" },
  "attune.success": { label: "Failures", text: "answers that failed" },
  "attune.answered": { label: "Refusals", text: "requests that the model refused to answer" },
  "attune.speed": { label: "Slow answers", text: "answers that took much longer than base's" },
};

/** The prefix of the budgets of guarded metrics. */
const OF_METRIC = "metric:";

/** Names an account; one that is not known is the metric that it guards. */
export function accountLabel(name: string): string {
  return ACCOUNTS[name]?.label ?? (name.startsWith(OF_METRIC) ? name.slice(OF_METRIC.length) : name);
}

/** Modes, as people choose them. */
export const MODES = [
  { value: "off", label: "Off", text: "Base answers every call. Attune learns nothing." },
  {
    value: "observe",
    label: "Observe",
    text: "Base answers. Attune records what it would have chosen, and learns from feedback.",
  },
  {
    value: "on",
    label: "On",
    text: "Other models answer where feedback shows that they are better, within the regret budgets.",
  },
] as const;
