import type { Usage } from "../../gen/attune/content/v1/content_pb.ts";
import type { CallFacts, GenerateResponse } from "../../gen/attune/inference/v1/inference_pb.ts";
import type { CatalogModel, Deployment } from "../catalog/model.ts";
import type { DecisionRecord } from "../hub/decision-record.ts";
import type { InferenceError } from "../hub/error.ts";
import type { HubInput } from "../hub/input.ts";
import type { Maker, Origin } from "../hub/origin.ts";
import type { Principal } from "../hub/principal.ts";
import type { CachedParts, Upstream } from "../hub/upstream.ts";
import type { ChooseCandidate, JudgeAnswer } from "./attempts/candidates.ts";
import type { CheckAnswer } from "./checks/verdict.ts";
import type { AttemptRecord, AttemptRole, InferenceRecord } from "./records.ts";

/** Keeps records. */
export interface Recorder {
  /** True if new inferences may begin: false while there is no room to record them. */
  readonly accepting: boolean;
  /** Takes a record; returns at once and never throws. */
  offer(record: InferenceRecord): void;
  /**
   * Takes what the record of an inference is where this process dies before it offers one, in place of what it took of
   * it before; returns at once and never throws, also where it cannot be made. None comes after the record itself.
   */
  offerProvisional(make: () => InferenceRecord): void;
}

export type { Maker, Origin } from "../hub/origin.ts";
export type { ArrivedAnswer, CandidateChoice, JudgedAnswer } from "./attempts/candidates.ts";
export type { AdmittedCall, AttemptQuota, CallLimiter, CallOutcome, CallQuota, PricedPlace } from "./call-quota.ts";
export type { AnswerVerdict, CheckAnswer } from "./checks/verdict.ts";
export type { Conversation, ConversationItem, Conversations, ItemPage } from "./conversations/conversations.ts";
export type { IndexedItem, InferenceArchive, StoredInference } from "./history/archive.ts";
export type { ListedInference, ListInferences } from "./inference-list.ts";
export type { AttemptOutcome, AttemptRecord, AttemptRole, InferenceRecord, InferenceStatus } from "./records.ts";

/** A refused call, which leaves no record. */
export type Refusal = Pick<InferenceRecord, "dialect" | "error">;

/** Puts requests on models. */
export interface Router {
  /**
   * Returns the model that a request of a project names, before anything else is done for it. Throws MODEL_NOT_FOUND or
   * INVALID_REQUEST, in whose words stand only models that `mayCall` allows by their names; all if absent.
   */
  modelOf(input: HubInput, projectId: string, mayCall?: (model: string) => boolean): CatalogModel;
  /** Returns the error that modelOf() throws for a model that there is not, of the name that a request has. */
  unknownModel(input: HubInput, mayCall?: (model: string) => boolean): InferenceError;
  /**
   * Returns how an inference is to be served. `input` has the conversation that it continues. Throws as modelOf() does.
   */
  plan(input: HubInput, context: PlanContext): Plan;
  /**
   * Looks up who answered in the session of a request before, where only the database knows. Never rejects; undefined
   * where there is nothing to wait for.
   */
  recall?(input: HubInput, context: PlanContext): Promise<void> | undefined;
  /** Returns what a request has in common with those that the same answer may serve; undefined where there are none. */
  coalescing(input: HubInput, context: CoalescingContext): Coalescing | undefined;
  /**
   * Returns whether one more call of an upstream may be made for an inference, in this role; it counts as made where
   * that is so.
   */
  mayBegin(role: AttemptRole): boolean;
}

/** The context of a plan, beside the prompt. */
export interface PlanContext {
  readonly inferenceId: string;
  readonly principal: Principal;
  readonly workload: string;
  readonly streamed: boolean;
  /** Returns the session of the call; undefined if it has none. */
  readonly session: () => Pick<CallFacts, "sessionSource" | "sessionId"> | undefined;
  /** Returns the maker of the latest opaque state in the conversation; called only where there is a choice. */
  readonly origin: () => Maker | undefined;
  /**
   * Returns whose tool calls the conversation's last message answers: the `routedModelCode` of a model that answered in
   * place of the one that was asked for, "" for that one; undefined if it answers none.
   */
  readonly awaiting: () => string | undefined;
  /** Returns what of the request a place would lose with a model; undefined if it would refuse it. */
  readonly lossesAt: (
    model: CatalogModel,
    place: Pick<PlannedAttempt, "upstream" | "deployment">,
  ) => readonly string[] | undefined;
  /** True if an answer is asked for, which another model may give, and not a count. */
  readonly isAnswered: boolean;
}

/** The plan of an inference. */
export interface Plan {
  /** The model that the caller asked for. */
  readonly model: CatalogModel;
  readonly strategy: Strategy;
  /** Names of what makes it other than the plain one: asking the first deployment. */
  readonly optimizations: readonly string[];
  /**
   * The plain call: the first deployment of the model, with nothing done for it. Absent where nothing is compared with
   * it.
   */
  readonly plain?: PlannedAttempt | undefined;
  /** The decision on which model answers; undefined where nothing is learned. */
  readonly decision?: DecisionRecord | undefined;
  /** The parts of the prompt that upstreams are told to cache; undefined leaves it to the caller. */
  readonly cachedParts?: CachedParts | undefined;
  /** The cache key of prompts that begin alike; undefined leaves it to the caller. */
  readonly cacheKey?: string | undefined;
  /** See UpstreamTarget. */
  readonly prefixKey?: number | undefined;
}

/** In which order, and when, attempts are begun; the first that answers wins. */
export type Strategy =
  /** One after another, each when the one before it has failed. */
  | { readonly kind: "sequence"; readonly attempts: readonly PlannedAttempt[] }
  /** The second one also when the first has said nothing of its answer for `afterMs`. */
  | { readonly kind: "hedged"; readonly attempts: readonly PlannedAttempt[]; readonly afterMs: number }
  | CheckedStrategy
  | CandidatesStrategy;

/**
 * One after another, as in a sequence; but the answer is kept back until it is whole and checked, and where it fails,
 * the same model is asked once more.
 */
export interface CheckedStrategy {
  readonly kind: "checked";
  readonly attempts: readonly PlannedAttempt[];
  /** The deployments for the second try, best first: another than the first if the model has one. */
  readonly again: readonly PlannedAttempt[];
  readonly check: CheckAnswer;
}

/**
 * The first `count` at once, whose answers are kept back until one of them is chosen; where all fail, the others as in
 * a sequence.
 */
export interface CandidatesStrategy {
  readonly kind: "candidates";
  readonly attempts: readonly PlannedAttempt[];
  readonly count: number;
  readonly judge: JudgeAnswer;
  readonly choose: ChooseCandidate;
}

/** One place to serve an inference. */
export interface PlannedAttempt {
  /** The model asked there: another than the plan's where the policy chose it. */
  readonly model: CatalogModel;
  readonly upstream: Upstream;
  readonly deployment: Deployment;
  /** Tokens that prompt and answer may have together there. */
  readonly contextWindow: number;
  /** Probability with which it was chosen, 0 to 1. */
  readonly propensity: number;
}

/** The first token of an attempt's answer. */
export interface FirstToken {
  readonly place: Origin;
  /** From the start of the attempt, in milliseconds. */
  readonly afterMs: number;
  /** Headers of the answer that tell of the upstream's limits and its work, by lower-case name. */
  readonly upstreamHeaders: Readonly<Record<string, string>>;
}

/** The facts of an inference for watchers of attempts. */
export interface InferenceFacts {
  readonly id: string;
  /** The id of the request that it is for; undefined where none is known. */
  readonly requestId?: string | undefined;
  /** The id of its trace; undefined where nothing is traced. */
  readonly traceId?: string | undefined;
  /** Model without the prefix that the attempt asks. */
  readonly model: string;
  readonly streamed: boolean;
}

/** Watches attempts: each begins, may answer, and ends. */
export interface AttemptWatch {
  /** `position` is that among the attempts of its inference, from 0. */
  began(place: Origin, begun: { readonly role: AttemptRole; readonly position: number }): void;
  answered(answer: FirstToken, inference: InferenceFacts): void;
  ended(attempt: AttemptRecord, inference: InferenceFacts): void;
}

/** A completed answer of the model that was asked for, which did not come from the plain call. */
export interface AuditedAnswer {
  /** Model without the prefix. */
  readonly model: string;
  /** The deployment that answered. */
  readonly place: Origin;
  /** The deployment of the plain call. */
  readonly plainPlace: Origin;
  readonly isDeterministic: boolean;
  /** The key of identical requests. */
  readonly promptKey: string;
  /** Estimated tokens of the prompt. */
  readonly promptTokens: number;
  readonly response: GenerateResponse;
  /**
   * Asks the plain call the same, for nobody but who compares the answers: it is not recorded, and nothing is learned
   * from it. Throws InferenceError; aborting the signal ends it with CANCELED.
   */
  askPlain(signal: AbortSignal): Promise<BackgroundAnswer>;
  /** Returns what a plain call cost that failed: what was sent costs. Undefined if it is not known, or it was not sent. */
  failedNanos(thrown: unknown): number | undefined;
}

/** An answer that no caller gets. */
export interface BackgroundAnswer {
  readonly response: GenerateResponse;
  /** Estimated where the upstream told nothing. */
  readonly usage: Usage;
  /** Undefined if it is not known. */
  readonly costNanos: number | undefined;
}

/** Tokens of a prompt beyond which no other model is tried: it would cost more than it tells. */
export const MOST_TRIED_TOKENS = 100_000;

/** A completed answer for which another model may be asked as well. */
export interface TriableAnswer {
  readonly inferenceId: string;
  readonly projectId: string;
  /** Base: the model that was asked for, without the prefix. */
  readonly model: string;
  /** The model that answered. */
  readonly servedModel: string;
  readonly decision: DecisionRecord;
  /** The request with the conversation that it continues. */
  readonly input: HubInput;
  readonly response: GenerateResponse;
  /** Estimated tokens of the prompt. */
  readonly promptTokens: number;
  /**
   * Asks a model for the same; a tool that it calls is not executed. Throws InferenceError, also where the model would
   * lose other parts of the request.
   */
  ask(planned: PlannedAttempt, signal: AbortSignal): Promise<BackgroundAnswer>;
}

/** Takes some of the answers, once their callers have them. */
interface AnswerSampler<Answer> {
  /** Draws whether the next answer is to be offered. */
  isSampled(): boolean;
  /** Has an answer made ready later, and takes it where there is one; returns at once and never throws. */
  offer(make: () => Answer | undefined): void;
}

/** Compares answers with those of plain calls, for some of them. */
export type AnswerAudit = AnswerSampler<AuditedAnswer>;

/** Has other models asked as well for some of the answers, and both graded. */
export type AnswerTrials = AnswerSampler<TriableAnswer>;

/** The keys that a request shares with others that one answer may serve. */
export interface Coalescing {
  /** With those that come while it is answered; undefined where each is answered by a call of its own. */
  readonly sharedKey: string | undefined;
  /** With those that were answered before; undefined where no answer is given again. */
  readonly kept: { readonly key: string; readonly ttlMs: number } | undefined;
}

/** The query of the response cache. */
export interface ResponseCacheQuery {
  /** The key of identical requests. */
  readonly key: string;
  readonly projectId: string;
  /** Milliseconds since 1970: what was asked before is too old. */
  readonly sinceMs: number;
}

/** Answers that were kept whole. */
export interface ResponseCacheStore {
  /** Finds the latest one; undefined if there is none. */
  find(query: ResponseCacheQuery): Promise<GenerateResponse | undefined>;
}

/** The context that requests share which one answer may serve, beside what they ask. */
export interface CoalescingContext {
  readonly projectId: string;
  readonly streamed: boolean;
}
