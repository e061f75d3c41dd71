import { create, toBinary } from "@bufbuild/protobuf";
import { type ContentBlock, type Usage, UsageSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import {
  type CandidateAnswer,
  CandidateAnswerSchema,
  Deviation,
  type Serving,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { InferenceError } from "../../hub/error.ts";
import { attemptsToMessages } from "../attempts/attempt-message.ts";
import type { AttemptProgress } from "../attempts/attempt-progress.ts";
import { type CostMembers, runCosts } from "../attempts/run-costs.ts";
import type { ReusedAnswer } from "../coalescing/reused-answer.ts";
import type { AttemptRecord, AttemptRole, Plan } from "../ports.ts";

/** The names of attempts beyond the first in `attune-optimizations`. */
const ACTING_ROLES = [
  ["failover", "failover"],
  ["hedge", "hedge"],
  ["retry", "checked-retry"],
] as const satisfies readonly (readonly [AttemptRole, string])[];

/** The source of an inference's answer: attempts of its own, of which one wins, or another inference's answer. */
export class AnswerSource {
  /** In the order in which they began. */
  readonly attempts: AttemptProgress[] = [];
  /**
   * The attempt whose answer the caller gets, of several choices the first; undefined while nobody has answered, and
   * where another inference's answer is given.
   */
  winner: AttemptProgress | undefined;
  /** Another inference's answer; undefined where it asks for itself. */
  given: ReusedAnswer | undefined;
  /** Attempts whose answers the caller gets. */
  #winners = 0;
  readonly #inferenceId: string;
  readonly #plan: Plan;
  /** The attempt whose failure the caller gets. */
  #failedAttempt: AttemptProgress | undefined;

  constructor({ id, plan }: { readonly id: string; readonly plan: Plan }) {
    this.#inferenceId = id;
    this.#plan = plan;
  }

  /** The caller gets the answer of an attempt; returns its position among those that it gets. */
  won(attempt: AttemptProgress): number {
    this.winner ??= attempt;
    return this.#winners++;
  }

  /** The inference has failed with an error, which may be that of an attempt. */
  failed(error: InferenceError): void {
    this.#failedAttempt = this.attempts.find((attempt) => attempt.error === error);
  }

  /**
   * Returns the attempt that answered, its own or another inference's; where none did, the one whose failure is
   * reported, or the last.
   */
  get shown(): AttemptProgress | undefined {
    return this.#answering ?? this.#failedAttempt ?? this.attempts.at(-1);
  }

  /** Returns the tokens of all that the caller gets; undefined where they are not several choices. */
  get choiceUsages(): Usage[] | undefined {
    const usages = this.attempts.flatMap(({ isWinner, usage }) => (isWinner && usage !== undefined ? [usage] : []));
    return usages.length > 1 ? usages : undefined;
  }

  /** Returns the tokens of all that the caller gets; `first` are those of the first choice. */
  totalUsage(first: Usage | undefined): Usage | undefined {
    const usages = this.choiceUsages;
    return usages === undefined ? first : sumUsage(usages);
  }

  get records(): AttemptRecord[] {
    return this.attempts.map(({ record }) => record);
  }

  /** Answers of candidates that were not chosen. */
  get notChosen(): CandidateAnswer[] {
    return this.attempts.flatMap(({ notChosen }, attempt) =>
      notChosen.length === 0 ? [] : [bufferedCandidate(attempt, notChosen)],
    );
  }

  /** Returns the buffered answers of its attempts, as far as they have come. */
  get keptBack(): CandidateAnswer[] {
    return this.attempts.flatMap(({ held }, attempt) => {
      const content = held?.response.content ?? [];
      return content.length === 0 ? [] : [bufferedCandidate(attempt, content)];
    });
  }

  /** Returns whether the model itself has answered that was asked for, with nothing found wrong. */
  get isUnfailedBase(): boolean {
    const { winner } = this;
    return winner?.begun.planned.model === this.#plan.model && (winner.verdict?.failed.length ?? 0) === 0;
  }

  /** Returns who serves the inference, as far as it is known now; `reported` is the upstream's own report. */
  serving(reported: Serving | undefined): Serving {
    const { winner } = this;
    const model = winner?.begun.planned.model;
    return {
      $typeName: "attune.inference.v1.Serving",
      model: model?.name ?? "",
      upstream: winner?.place.upstream ?? "",
      upstreamModel: reported?.upstreamModel || (winner?.place.model ?? ""),
      upstreamRequestId: reported?.upstreamRequestId ?? "",
      upstreamHeaders: reported?.upstreamHeaders ?? {},
      optimizations: this.#optimizations(),
      deviation: this.#deviation,
      translationLosses: [...(winner?.request.losses ?? [])],
      attempts: attemptsToMessages(this.#inferenceId, this.attempts),
      quotas: [],
    };
  }

  /** Returns the costs of the inference so far, with this usage. */
  costs(usage: Usage | undefined, attempts: readonly AttemptRecord[]): CostMembers {
    const base = this.#plan.model;
    const { model = base, deployment } = this.shown?.begun.planned ?? {};
    return runCosts({
      base,
      served: model,
      price: deployment && (deployment.price ?? model.price),
      usages: this.choiceUsages ?? (usage === undefined ? [] : [usage]),
      attempts,
      at: attempts[0]?.startedAt,
      isMarked: this.#answering?.request.optimizations?.includes("cache-marks") ?? false,
      shared: this.given?.kind,
    });
  }

  /** The attempt that answers, be it another inference's. */
  get #answering(): AttemptProgress | undefined {
    return this.given?.kind === "coalescing" ? this.given.leader.winner : this.winner;
  }

  get #deviation(): Deviation {
    const { model, strategy } = this.#plan;
    if (strategy.kind === "candidates") return Deviation.BEST_OF_N;
    const { winner } = this;
    return winner === undefined || winner.begun.planned.model === model ? Deviation.NONE : Deviation.ROUTED;
  }

  #optimizations(): string[] {
    const roles = new Set(this.attempts.map(({ begun }) => begun.role));
    const begun = ACTING_ROLES.filter(([role]) => roles.has(role)).map(([, name]) => name);
    return [...this.#plan.optimizations, ...begun, ...(this.winner?.request.optimizations ?? [])];
  }
}

/**
 * Bytes beyond which an answer that nobody got is not kept: it would count among what a conversation may have that goes
 * on.
 */
const MOST_KEPT_BYTES = 2 ** 18;

function bufferedCandidate(attempt: number, content: readonly ContentBlock[]): CandidateAnswer {
  const answer = create(CandidateAnswerSchema, { attempt, content: [...content] });
  const isTooLong = toBinary(CandidateAnswerSchema, answer).length > MOST_KEPT_BYTES;
  return isTooLong ? create(CandidateAnswerSchema, { attempt, leftOut: true }) : answer;
}

/** Adds tokens up. Members that only one dialect knows are left out: nobody knows what their sum is. */
function sumUsage(usages: readonly Usage[]): Usage {
  const sum = (of: (usage: Usage) => number): number => usages.reduce((total, usage) => total + of(usage), 0);
  const isReasoningKnown = usages.every(({ reasoningTokens }) => reasoningTokens !== undefined);
  return create(UsageSchema, {
    inputTokens: sum((usage) => usage.inputTokens),
    cacheReadTokens: sum((usage) => usage.cacheReadTokens),
    cacheWriteTokens: sum((usage) => usage.cacheWriteTokens),
    cacheWrite5mTokens: sum((usage) => usage.cacheWrite5mTokens),
    cacheWrite1hTokens: sum((usage) => usage.cacheWrite1hTokens),
    outputTokens: sum((usage) => usage.outputTokens),
    ...(isReasoningKnown && { reasoningTokens: sum((usage) => usage.reasoningTokens ?? 0) }),
    estimated: usages.some(({ estimated }) => estimated),
    billing: sumBilling(usages),
  });
}

/** Adds up what changes the cost; the words are those of the first answer that has some. */
function sumBilling(usages: readonly Usage[]): Usage["billing"] {
  const all = usages.flatMap(({ billing }) => billing ?? []);
  const [first] = all;
  if (first === undefined) return undefined;
  const sum = { ...first, toolCalls: { ...first.toolCalls }, otherModels: [...first.otherModels] };
  for (const billing of all.slice(1)) {
    for (const name of SUMMED_BILLING) sum[name] += billing[name];
    for (const [tool, calls] of Object.entries(billing.toolCalls)) {
      sum.toolCalls[tool] = (sum.toolCalls[tool] ?? 0) + calls;
    }
    sum.otherModels.push(...billing.otherModels);
  }
  // A sum without the figure of one answer would be no cost of all.
  if (usages.some((usage) => usage.billing?.reportedCostNanos === undefined)) delete sum.reportedCostNanos;
  else sum.reportedCostNanos = all.reduce((total, { reportedCostNanos = 0n }) => total + reportedCostNanos, 0n);
  return sum;
}

const SUMMED_BILLING = [
  "cacheWrite12hTokens",
  "audioInputTokens",
  "audioCacheReadTokens",
  "audioOutputTokens",
  "imageInputTokens",
  "imageOutputTokens",
] as const;
