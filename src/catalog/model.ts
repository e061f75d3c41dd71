import type { BudgetEfforts } from "./budget-efforts.ts";
import type { PricePicos } from "./prices.ts";

/** Public formats that models are native to. */
export const MODEL_FAMILIES = ["responses", "messages", "chat"] as const;

/** Public format that a model is native to. */
export type ModelFamily = (typeof MODEL_FAMILIES)[number];

/**
 * Stands for a number of tokens that nobody knows: it is more than any model takes, so that nothing is refused by it.
 */
export const UNKNOWN_TOKENS = 1_000_000_000;

/** A place that serves a model. */
export interface Deployment {
  /** Name of the upstream in the configuration. */
  readonly upstream: string;
  /** The upstream's name for the model. */
  readonly model: string;
  /** The price there; undefined if it is the model's price. */
  readonly price?: PricePicos | undefined;
  /** Tokens that prompt and answer may have together there; undefined if they are as many as the model takes. */
  readonly contextWindow?: number | undefined;
}

/** The optimisations of a model, which make it cheaper and faster and keep its answers. */
export interface Optimizations {
  /** Choose among the deployments by speed, load and price, and keep prompts that begin alike at one of them. */
  readonly choice: boolean;
  /** Ask the next deployment where one fails. */
  readonly failover: boolean;
  /** Ask a second deployment where the first is slow to begin a stream; needs failover. */
  readonly hedging: boolean;
  /**
   * Answer identical requests that leave nothing to chance, and come at the same time, with one call of an upstream.
   */
  readonly coalescing: boolean;
  /** Mark what is likely to come again for the prompt caches that go by marks, where the caller marks nothing. */
  readonly cacheMarks: boolean;
  /** Name prompts that begin alike by one key, for the prompt caches that take one, where the caller gives none. */
  readonly cacheKeys: boolean;
  /** Ask in a cheaper and slower tier where nobody waits for the answer, as improvements do. */
  readonly flexTier: boolean;
  /**
   * Answer identical requests that leave nothing to chance with what was answered within this time; never if absent.
   */
  readonly responseCache?: { readonly ttlSeconds: number } | undefined;
  /**
   * Ask once more where an answer breaks the form that was asked for: never, for whole answers, or for streams too,
   * which are kept back for it.
   */
  readonly checkedRetry: CheckedRetry;
}

/** The answers that are asked for once more where they fail a check. */
export const CHECKED_RETRIES = ["off", "unary", "on"] as const;

/** One of them. */
type CheckedRetry = (typeof CHECKED_RETRIES)[number];

/** Names of what can be switched. */
export const OPTIMIZATION_NAMES = [
  "choice",
  "failover",
  "hedging",
  "coalescing",
  "cacheMarks",
  "cacheKeys",
  "flexTier",
  "responseCache",
  "checkedRetry",
] as const;

/** One of them. */
export type OptimizationName = (typeof OPTIMIZATION_NAMES)[number];

const NOTHING: Optimizations = {
  choice: false,
  failover: false,
  hedging: false,
  coalescing: false,
  cacheMarks: false,
  cacheKeys: false,
  flexTier: false,
  responseCache: undefined,
  checkedRetry: "off",
};

/** The default optimisations. */
export const DEFAULT_OPTIMIZATIONS: Optimizations = {
  choice: true,
  failover: true,
  hedging: true,
  coalescing: true,
  cacheMarks: true,
  cacheKeys: true,
  flexTier: true,
  checkedRetry: "off",
};

/** Returns what may be done without what is switched off by its name; names that are not known switch nothing. */
export function withoutOptimizations(allowed: Optimizations, off: ReadonlySet<string>): Optimizations {
  if (off.size === 0) return allowed;
  const names = OPTIMIZATION_NAMES.filter((name) => off.has(name));
  return names.length === 0
    ? allowed
    : { ...allowed, ...Object.fromEntries(names.map((name) => [name, NOTHING[name]])) };
}

/** A model that can be called. */
export interface CatalogModel {
  /** Name without the prefix. */
  readonly name: string;
  /** Other names that requests may give it, without the prefix; none if absent. */
  readonly aliases?: readonly string[] | undefined;
  readonly displayName: string;
  /** True if public lists alone know it: it answers who asks for it, and never in another model's place. */
  readonly listed?: boolean | undefined;
  readonly family: ModelFamily;
  /** Formats in which it may be called over HTTP; all of them if absent. */
  readonly routes?: readonly ModelFamily[] | undefined;
  readonly purpose: string;
  /** True if it makes embeddings, and answers nothing; answers alone if absent. */
  readonly embeddings?: boolean | undefined;
  /** Tokens that prompt and answer may have together, or UNKNOWN_TOKENS. */
  readonly contextWindow: number;
  /** Most tokens of a prompt; all of the window if absent. */
  readonly maxInputTokens?: number | undefined;
  /** Most tokens of an answer, or UNKNOWN_TOKENS. */
  readonly maxOutputTokens: number;
  /** Fewest prompt tokens that the provider's cache stores; 0 if it has no cache. */
  readonly minCacheableTokens: number;
  /**
   * The kind of thinking where an upstream of the Messages format serves it: as the model sees fit, with a budget of
   * tokens, or not at all. As it sees fit if absent.
   */
  readonly thinking?: "adaptive" | "budget" | "none" | undefined;
  /** The effort for a budget of thinking tokens where an OpenAI kind serves it; the defaults if absent. */
  readonly budgetEfforts?: BudgetEfforts | undefined;
  readonly price?: PricePicos | undefined;
  /** When it was released; the epoch if that is not known. */
  readonly createdAt: Date;
  /** The day from which its provider says that it serves it no more; unknown if absent. */
  readonly retiresAt?: Date | undefined;
  readonly deployments: readonly Deployment[];
  /** The optimisations; the defaults if absent. */
  readonly optimizations?: Optimizations | undefined;
  /** The rules for the texts of its answers, beside what requests ask for; none if absent. */
  readonly checks?: readonly AnswerRule[] | undefined;
  /** The number of answers that a request may ask for, to get the best of them; one if absent. */
  readonly candidates?: CandidateSettings | undefined;
}

/** The settings of several answers. */
export interface CandidateSettings {
  readonly max: number;
  /** For which answers that is also done unasked, where it was learned that it pays: none if absent. */
  readonly learned?: LearnedCandidates | undefined;
  /**
   * Part of such requests that are given either of two answers, to measure how well the best is chosen, until that is
   * known: from 0 to 1.
   */
  readonly selectorTrials?: number | undefined;
  /**
   * The slowdown against base that automatic several answers may have on average: unary ones, and the first tokens of
   * streams. What is absent is as the learner has it.
   */
  readonly maxSlowdown?: { readonly unary?: number; readonly firstToken?: number } | undefined;
}

/**
 * The requests that may get the best of several without asking: none, those that are not streamed, or streams too,
 * which are buffered.
 */
export const LEARNED_CANDIDATES = ["off", "unary", "on"] as const;

/** One of them. */
type LearnedCandidates = (typeof LEARNED_CANDIDATES)[number];

/** A rule for answers: a pattern or a schema for the text, or a webhook for the whole answer. One of these, or more. */
export interface AnswerRule {
  /** The workload whose answers it is for; all if absent. */
  readonly workload?: string | undefined;
  /** A regular expression that has to match somewhere. */
  readonly pattern?: string | undefined;
  /** A JSON schema, as JSON text. */
  readonly schemaJson?: string | undefined;
  readonly webhook?: AnswerWebhook | undefined;
}

/** A service of the operator's own that is sent an answer and says whether it passes. */
export interface AnswerWebhook {
  /** An http or https address. It may hold secrets, so that no more of it than its origin is ever told. */
  readonly url: string;
  /** The deadline of its response; an answer waits no longer for it. */
  readonly deadlineMs: number;
  /** Most calls of it that this process makes at once. */
  readonly concurrency: number;
  /** The secret that signs its calls; they are not signed if absent. */
  readonly secret?: string | undefined;
  /** Headers of every call beside the service's own. */
  readonly headers: Readonly<Record<string, string>>;
  /** True if it is sent the texts of the prompt too. */
  readonly sendPrompt: boolean;
}
