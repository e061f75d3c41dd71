import { POLICY_VERSION } from "../learning/bandit/settings.ts";
import type { Course } from "./course.ts";
import type { Interval, RunningMean } from "./running-mean.ts";

/** A course of action on the requests that got feedback; figures are null where the records cannot tell. */
interface CourseReport {
  /** `base`, `policy`, or the model that always answers where it can. */
  readonly name: string;
  /** Reward of a request, 0 to 1, with its interval at 95%. */
  readonly reward: Interval | null;
  /** The same against base. */
  readonly delta: Interval | null;
  /** True if it is shown to be better than base. */
  readonly isBetter: boolean;
  /** Cost as a multiple of what base would have cost; null where prices are not known. */
  readonly costRatio: number | null;
  readonly deviatingShare: number;
  /** Returns the effective number of answers; those of large weight count as few. */
  readonly effectiveAnswers: number;
  /** Share of the requests in which its model had no chance to answer. */
  readonly uncoveredShare: number;
  /** Why the figures are null. */
  readonly doubt: string | null;
}

/** The report of a replay of records. */
export interface LoggedReport {
  readonly run: {
    readonly base: string;
    readonly policy: string;
    readonly objective: string;
    readonly requests: number;
    readonly rewards: number;
    /**
     * Requests that went on with the model of their conversation, or were answered by one that is not configured any
     * more.
     */
    readonly passedOver: number;
    /** Feedback on requests that are not, or no more, among those that are looked at. */
    readonly unmatchedFeedback: number;
  };
  /** The figures of what was served. */
  readonly served: { readonly reward: Interval | null; readonly deviatingShare: number };
  readonly courses: readonly CourseReport[];
  /** The rate of feedback by the model that answered. */
  readonly feedback: readonly { readonly model: string; readonly requests: number; readonly share: number }[];
  readonly warnings: readonly string[];
}

/** The counts of the requests that a model answered. */
export interface Feedbacks {
  requests: number;
  rewarded: number;
}

/** The counts of a replay. */
export interface Counted {
  readonly options: {
    readonly key: { readonly model: string };
    readonly models: readonly string[];
    readonly objective: string;
  };
  readonly courses: readonly { readonly name: string; readonly rewards: Course; readonly costs: Course }[];
  readonly served: { readonly rewards: RunningMean; readonly deviations: number };
  /** By model. */
  readonly feedback: readonly Feedbacks[];
  readonly requests: number;
  readonly passedOver: number;
  readonly tooLate: number;
}

/** Standard deviations from which on two shares are taken to differ. */
const DIFFERENT = 3;

/** Puts together what a replay has found. */
export function createReport(replay: Counted): LoggedReport {
  const { options, courses, served } = replay;
  const { key, models, objective } = options;
  const ofBase = courses.find(({ name }) => name === "base")?.costs;
  return {
    run: {
      base: key.model,
      policy: POLICY_VERSION,
      objective,
      requests: replay.requests,
      rewards: served.rewards.count,
      passedOver: replay.passedOver,
      unmatchedFeedback: replay.tooLate,
    },
    served: {
      reward: served.rewards.interval() ?? null,
      deviatingShare: share(served.deviations, replay.requests - replay.passedOver),
    },
    courses: courses.map(({ name, rewards, costs }): CourseReport => {
      const figures = rewards.figures();
      const isPriced = costs.doubt === undefined && ofBase !== undefined && ofBase.doubt === undefined;
      return {
        name,
        reward: figures?.value ?? null,
        delta: figures?.delta ?? null,
        isBetter: figures?.isBetter ?? false,
        costRatio: isPriced && ofBase.mean > 0 ? costs.mean / ofBase.mean : null,
        deviatingShare: rewards.deviatingShare,
        effectiveAnswers: rewards.effective,
        uncoveredShare: rewards.uncoveredShare,
        doubt: rewards.doubt ?? null,
      };
    }),
    feedback: replay.feedback.flatMap(({ requests, rewarded }, arm) =>
      requests === 0 ? [] : [{ model: models[arm] ?? "", requests, share: share(rewarded, requests) }],
    ),
    warnings: getWarnings(replay),
  };
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/**
 * Returns the warnings: where one model gets feedback more often than base, rewards say little of requests without any.
 */
function getWarnings({ feedback, options: { models, key } }: Counted): string[] {
  const base = feedback[models.indexOf(key.model)];
  if (base === undefined || base.requests === 0) return [];
  const ofBase = share(base.rewarded, base.requests);
  return feedback.flatMap((other, arm) => {
    if (other === base || other.requests === 0) return [];
    const all = share(base.rewarded + other.rewarded, base.requests + other.requests);
    const spread = Math.sqrt(all * (1 - all) * (1 / base.requests + 1 / other.requests));
    const ofOther = share(other.rewarded, other.requests);
    if (Math.abs(ofOther - ofBase) <= DIFFERENT * spread) return [];
    return [
      `${models[arm]} got feedback on ${text(ofOther)} of its answers, and ${key.model} on ${text(ofBase)}: ` +
        "this report holds for requests with feedback",
    ];
  });
}

function text(part: number): string {
  return `${(part * 100).toFixed(1)}%`;
}
