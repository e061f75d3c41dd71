import type { Dialect, Usage } from "../../gen/attune/content/v1/content_pb.ts";
import type { CallFacts, GenerateResponse } from "../../gen/attune/inference/v1/inference_pb.ts";
import type { CandidateReason } from "../hub/candidate-reasons.ts";
import type { CandidateRanking } from "../hub/candidate-signals.ts";
import type { DecisionRecord } from "../hub/decision-record.ts";
import type { InferenceError } from "../hub/error.ts";
import type { FailedCheck } from "../hub/failed-checks.ts";
import type { HubInput } from "../hub/input.ts";
import type { Savings } from "../hub/saving-kinds.ts";

/** The outcome of an inference. */
export type InferenceStatus = "completed" | "failed" | "canceled";

/** The record of one inference. */
export interface InferenceRecord {
  readonly id: string;
  /** The id of the request that it answers, as its caller was told it; undefined where none is known. */
  readonly requestId?: string | undefined;
  readonly projectId: string;
  readonly keyId: string;
  readonly dialect: Dialect;
  readonly streamed: boolean;
  /** Model without the prefix, as the caller asked for it. */
  readonly model: string;
  /** Model without the prefix that answered, or failed to: another one where the policy chose it. */
  readonly servedModel: string;
  readonly upstream: string;
  readonly upstreamModel: string;
  readonly upstreamRequestId: string;
  readonly workload: string;
  /** Session, end user and tags; undefined where it has none. */
  readonly facts?: CallFacts | undefined;
  /** The decision on which model answers; undefined where nothing is learned. */
  readonly decision?: DecisionRecord | undefined;
  readonly status: InferenceStatus;
  /** Undefined where the inference completed. */
  readonly error?: InferenceError | undefined;
  readonly startedAt: Date;
  readonly latencyMs: number;
  /** From the start to the first content of the answer; undefined if none came. */
  readonly timeToFirstTokenMs?: number | undefined;
  /** Tokens as far as they are known; also of an inference that failed. */
  readonly usage?: Usage | undefined;
  /** True if the tokens are an estimate, as `usage` says too. */
  readonly isEstimated: boolean;
  /** Cost of all attempts in nano-USD: as reported, or else by price; undefined if nothing of it is known. */
  readonly costNanos?: number | undefined;
  /** The parts that have no known price: it cost more than `costNanos`. Undefined where all is in it. */
  readonly costGaps?: readonly string[] | undefined;
  /** The cost of the call, as the client sent it, on the plain base model at its first deployment. */
  readonly baseCostNanos?: number | undefined;
  /** The parts of the difference between the two, exactly; undefined where they are not known. */
  readonly saved?: Savings | undefined;
  /**
   * The discount of the provider's prompt cache, by the client's own marks or none: negative where it cost more to
   * write than reading saved. No merit of routing.
   */
  readonly cacheSavedNanos?: number | undefined;
  /** Every call of an upstream, in the order in which they began. */
  readonly attempts: readonly AttemptRecord[];
  /** The key of identical requests that may get this answer again; undefined where none may. */
  readonly coalescingKey?: string | undefined;
  /** The request, without the conversation that it continues. */
  readonly input: HubInput;
  /** The inference that it continues. */
  readonly previousId?: string | undefined;
  /** True if it can be read and continued by its id. */
  readonly stored: boolean;
  /** The response, as far as it came. */
  readonly output: GenerateResponse;
}

/**
 * Why an attempt is made: it is the first, one before it has failed, one before it is slow, the answer of one before it
 * has failed a check, or it is one of several whose answers are compared.
 */
export type AttemptRole = "primary" | "failover" | "hedge" | "retry" | "candidate";

/**
 * The outcome of an attempt: refused means that the request was not sent, since it cannot be put in the upstream's
 * format or a limit of its caller had no room.
 */
export type AttemptOutcome = "completed" | "failed" | "canceled" | "refused";

/** One call of an upstream. */
export interface AttemptRecord {
  readonly upstream: string;
  /** Model as the upstream was asked for it, or as it calls itself. */
  readonly upstreamModel: string;
  readonly upstreamRequestId: string;
  readonly role: AttemptRole;
  readonly startedAt: Date;
  /** From the start of the inference to the start of the attempt. */
  readonly startedAfterMs: number;
  /** From the start of the attempt to its first event; undefined if none came. */
  readonly firstEventMs?: number | undefined;
  /** From the start of the attempt to the first content of its answer; undefined if none came. */
  readonly firstTokenMs?: number | undefined;
  readonly latencyMs: number;
  readonly outcome: AttemptOutcome;
  /** True if its answer is the one that the caller got, as far as it came. */
  readonly isWinner: boolean;
  /** Undefined where it completed, and where another one answered first. */
  readonly error?: InferenceError | undefined;
  /** Tokens as far as they are known. */
  readonly usage?: Usage | undefined;
  /** Tokens of requests that were lost with their connections and sent again; absent where none was. */
  readonly lost?: readonly Usage[];
  /** True if the tokens are an estimate, as `usage` says too. */
  readonly isEstimated: boolean;
  /** Cost in nano-USD, as the upstream reports it or else at the deployment's price; undefined without either. */
  readonly costNanos?: number | undefined;
  /** The parts that have no known price; undefined where all is in the cost. */
  readonly costGaps?: readonly string[] | undefined;
  /** Nano-USD that the upstream reports beyond the cost by price, negative where it is less; undefined without both. */
  readonly reportedExcessNanos?: number | undefined;
  /** Parts of the request that the upstream's format cannot carry. */
  readonly losses: readonly string[];
  /** The failed checks of its answer; undefined where it was not checked. */
  readonly failedChecks?: readonly FailedCheck[] | undefined;
  /** True if something of it could not be judged. */
  readonly isUnjudged?: boolean;
  /**
   * The score of a candidate, from 0 to 1: below 0.5 where it failed a check. Undefined where it was not compared with
   * others.
   */
  readonly score?: number | undefined;
  /** Why a candidate was chosen, or was not; undefined where it failed before, and for other roles. */
  readonly candidateReason?: CandidateReason | undefined;
  /**
   * The ranking of a candidate; undefined where nothing is learned, where it failed a check, and where no other one
   * passed.
   */
  readonly ranking?: CandidateRanking | undefined;
  /** See PlannedAttempt. */
  readonly propensity: number;
}
