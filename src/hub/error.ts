import type { Usage } from "../../gen/attune/content/v1/content_pb.ts";
import { ErrorReason } from "../../gen/attune/error/v1/error_pb.ts";
import type { QuotaState } from "../../gen/attune/quota/v1/quota_pb.ts";
import type { RejectedKey } from "./principal.ts";

export { ErrorReason };

/** A problem at one field of a request. */
export interface Violation {
  readonly param: string;
  readonly problem: string;
}

/** Facts of a failure beside its message; every one of them may be unknown. */
export interface InferenceErrorFacts {
  /** Place in the request, in the hub's names: `messages[2].content[0].title`. The facade spells it for its caller. */
  readonly param?: string | undefined;
  /**
   * Everything that was found wrong with the request, where more than one place was looked at; the first is `param`.
   */
  readonly violations?: readonly Violation[] | undefined;
  /** Parts of the request that the upstream's format cannot carry, where the caller would rather be refused. */
  readonly refusedLosses?: readonly string[] | undefined;
  /** HTTP status of the upstream's answer. */
  readonly upstreamStatus?: number | undefined;
  /** Name of the upstream in the configuration. */
  readonly upstream?: string | undefined;
  /** Identifier that the upstream gave to the request. */
  readonly upstreamRequestId?: string | undefined;
  /** The upstream's own name for the failure: `overloaded_error`. */
  readonly upstreamCode?: string | undefined;
  /** True if the message has the upstream's words, which a status or a code says too. */
  readonly isUpstreamWords?: boolean | undefined;
  /** Headers of the upstream's answer that tell of its limits and its work, by lower-case name. */
  readonly upstreamHeaders?: Readonly<Record<string, string>> | undefined;
  /** True if the upstream says that the same request should be sent again; undefined if it does not say. */
  readonly shouldRetry?: boolean | undefined;
  /** The delay before the next try. */
  readonly retryAfterMs?: number | undefined;
  /** True if the request was not sent: others wait before it in Attune's own queue for the upstream. */
  readonly isQueueFull?: boolean | undefined;
  /** The limit of Attune's own that has no room for the call; undefined where an upstream refused it. */
  readonly quota?: QuotaState | undefined;
  /** Tokens spent before the failure, as far as known. */
  readonly usage?: Usage | undefined;
  /**
   * Of a prompt that is too long: the tokens that the upstream counted, with those that it was asked to answer with if
   * it says so.
   */
  readonly promptTokens?: number | undefined;
  /** Of a prompt that is too long: the most tokens that the model takes. */
  readonly maxPromptTokens?: number | undefined;
  /** Identifier of the inference, once one was begun. */
  readonly inferenceId?: string | undefined;
  /** The former key that a call came with; callers are not told that it was one. */
  readonly rejectedKey?: RejectedKey | undefined;
  /** The cause, which stays in the log. */
  readonly cause?: unknown;
}

/** Two questions that a failure answers. */
interface Prospects {
  /** May the same place serve the same request later? */
  readonly later: boolean;
  /** May another place serve it now? */
  readonly elsewhere: boolean;
}

const NO: Prospects = { later: false, elsewhere: false };
const LATER: Prospects = { later: true, elsewhere: false };
const ELSEWHERE: Prospects = { later: false, elsewhere: true };
const BOTH: Prospects = { later: true, elsewhere: true };

/** A new reason does not compile until both are decided here; docs/failure-reasons.md has the table. */
const PROSPECTS: Record<ErrorReason, Prospects> = {
  [ErrorReason.UNSPECIFIED]: NO,
  [ErrorReason.INVALID_REQUEST]: NO,
  [ErrorReason.UNAUTHENTICATED]: NO,
  [ErrorReason.PERMISSION_DENIED]: NO,
  [ErrorReason.MODEL_NOT_FOUND]: ELSEWHERE,
  [ErrorReason.NOT_FOUND]: ELSEWHERE,
  [ErrorReason.REQUEST_TOO_LARGE]: ELSEWHERE,
  [ErrorReason.CONTEXT_LENGTH_EXCEEDED]: ELSEWHERE,
  [ErrorReason.TRANSLATION_LOSS]: ELSEWHERE,
  [ErrorReason.RATE_LIMITED]: BOTH,
  [ErrorReason.QUOTA_EXCEEDED]: ELSEWHERE,
  [ErrorReason.CONTENT_FILTERED]: NO,
  [ErrorReason.UPSTREAM_OVERLOADED]: BOTH,
  [ErrorReason.UPSTREAM_ERROR]: BOTH,
  [ErrorReason.UPSTREAM_UNAUTHENTICATED]: ELSEWHERE,
  [ErrorReason.UPSTREAM_UNREACHABLE]: BOTH,
  [ErrorReason.UPSTREAM_TIMEOUT]: BOTH,
  [ErrorReason.STREAM_INTERRUPTED]: BOTH,
  [ErrorReason.CANCELED]: NO,
  [ErrorReason.UNAVAILABLE]: LATER,
  [ErrorReason.INTERNAL]: ELSEWHERE,
  [ErrorReason.PREVIOUS_NOT_FOUND]: NO,
  [ErrorReason.DEADLINE_EXCEEDED]: NO,
  [ErrorReason.THREAD_UNSUPPORTED]: NO,
  [ErrorReason.UPSTREAM_MISCONFIGURED]: ELSEWHERE,
  [ErrorReason.IDEMPOTENCY_KEY_REUSED]: NO,
  [ErrorReason.ANSWER_NOT_KEPT]: NO,
  [ErrorReason.ALREADY_EXISTS]: NO,
  [ErrorReason.CONFLICT]: NO,
};

/** The names of errors and of members that a client decides by: `context_length_exceeded`, `messages[0].content`. */
const NAME = /^[\w.:[\]-]{1,200}$/;

function changeUnlessName(text: string, change: (text: string) => string): string {
  return NAME.test(text) ? text : change(text);
}

/** The one error of Attune's inside. Each dialect and the RPC layer encode it in their own form. */
export class InferenceError extends Error {
  override readonly name = "InferenceError";
  readonly reason: ErrorReason;
  readonly facts: InferenceErrorFacts;

  constructor(reason: ErrorReason, message: string, facts: InferenceErrorFacts = {}) {
    // Messages repeat parts of requests, also cut ones, and half a surrogate pair can be told over no RPC.
    super(message.toWellFormed(), facts.cause === undefined ? undefined : { cause: facts.cause });
    this.reason = reason;
    this.facts = facts;
  }

  /** Returns whether the same request may succeed later. */
  get retryable(): boolean {
    return (PROSPECTS[this.reason] ?? NO).later;
  }

  /** Returns whether another upstream may serve the same request now. */
  get mayServeElsewhere(): boolean {
    return this.facts.quota === undefined && (PROSPECTS[this.reason] ?? NO).elsewhere;
  }

  /**
   * Returns whether the caller should send the same request again: as the upstream says, or else whether that may
   * succeed.
   */
  get shouldRetry(): boolean {
    return this.facts.shouldRetry ?? this.retryable;
  }

  /**
   * Returns whether an upstream has answered with it; a request that it refuses or fails by name costs nothing as a
   * rule.
   */
  get isAnswer(): boolean {
    const { upstreamStatus, upstreamCode, isUpstreamWords } = this.facts;
    return upstreamStatus !== undefined || upstreamCode !== undefined || isUpstreamWords === true;
  }

  /** Returns the same error with more facts; known facts stay. */
  with(facts: InferenceErrorFacts): InferenceError {
    const known = Object.fromEntries(Object.entries(this.facts).filter(([, value]) => value !== undefined));
    const error = new InferenceError(this.reason, this.message, { ...facts, ...known });
    if (this.stack !== undefined) error.stack = this.stack;
    return error;
  }

  /** Returns the same error with its words, those of its cause, and its names that are no names, changed. */
  rewording(change: (text: string) => string): InferenceError {
    const { cause, param, upstreamCode } = this.facts;
    const changed = {
      ...this.facts,
      param: param && changeUnlessName(param, change),
      upstreamCode: upstreamCode && changeUnlessName(upstreamCode, change),
    };
    const [message, causeMessage] = [change(this.message), cause instanceof Error ? change(cause.message) : undefined];
    const isSame =
      message === this.message &&
      changed.param === param &&
      changed.upstreamCode === upstreamCode &&
      (!(cause instanceof Error) || causeMessage === cause.message);
    if (isSame) return this;
    return new InferenceError(this.reason, message, {
      ...changed,
      cause: cause instanceof Error ? new Error(causeMessage) : cause,
    });
  }

  /** Returns the same error with the tokens that were spent, whatever it said of them. */
  spending(usage: Usage | undefined): InferenceError {
    if (usage === this.facts.usage) return this;
    const error = new InferenceError(this.reason, this.message, { ...this.facts, usage });
    if (this.stack !== undefined) error.stack = this.stack;
    return error;
  }

  /** Returns the same error without the given texts, in its message or its facts: secrets that somebody repeated. */
  without(secrets: readonly string[]): InferenceError {
    const clean = (text: string): string =>
      secrets.reduce((rest, secret) => rest.replaceAll(secret, "[redacted]"), text);
    const { param, upstreamRequestId, upstreamCode, upstreamHeaders = {}, cause } = this.facts;
    const causeMessage = cause instanceof Error ? cause.message : undefined;
    const texts = [
      this.message,
      param,
      upstreamRequestId,
      upstreamCode,
      causeMessage,
      ...Object.values(upstreamHeaders),
    ];
    if (texts.every((text) => text === undefined || clean(text) === text)) return this;
    const headers = Object.entries(upstreamHeaders).map(([name, value]) => [name, clean(value)]);
    return new InferenceError(this.reason, clean(this.message), {
      ...this.facts,
      param: param && clean(param),
      upstreamRequestId: upstreamRequestId && clean(upstreamRequestId),
      upstreamCode: upstreamCode && clean(upstreamCode),
      upstreamHeaders: this.facts.upstreamHeaders && Object.fromEntries(headers),
      cause: causeMessage === undefined ? undefined : new Error(clean(causeMessage)),
    });
  }

  /**
   * Returns the same error with its places renamed, also at the beginning of its message. What the upstream found wrong
   * with the request that it got is told in the upstream's own words, and stays.
   */
  atPlaces(rename: (place: string) => string): InferenceError {
    const { param, violations, refusedLosses } = this.facts;
    if (param === undefined || param === "" || this.isAnswer) return this;
    const renamed = rename(param);
    const losses = refusedLosses && [...new Set(refusedLosses.map(rename))];
    const namesPlace = this.message.startsWith(`${param}: `);
    const message = namesPlace ? renamed + this.message.slice(param.length) : this.message;
    const error = new InferenceError(this.reason, losses === undefined ? message : cannotCarry(losses), {
      ...this.facts,
      param: renamed,
      violations: violations?.map((violation) => ({ ...violation, param: rename(violation.param) })),
      refusedLosses: losses,
    });
    if (this.stack !== undefined) error.stack = this.stack;
    return error;
  }

  /**
   * Turns whatever was thrown into an InferenceError: unknown things become INTERNAL, their text stays in the cause.
   */
  static from(thrown: unknown): InferenceError {
    if (thrown instanceof InferenceError) return thrown;
    return new InferenceError(ErrorReason.INTERNAL, "Attune failed to handle the request; see the service's log", {
      cause: thrown,
    });
  }

  /**
   * Turns what was thrown while an upstream's answer was read into an InferenceError: whatever is wrong with what an
   * upstream sent is its failure, and no defect of the request.
   */
  static fromUpstream(thrown: unknown): InferenceError {
    if (thrown instanceof InferenceError) return thrown;
    return new InferenceError(ErrorReason.UPSTREAM_ERROR, "the upstream's answer cannot be read", { cause: thrown });
  }

  /** Turns the reason of an aborted call into an InferenceError: as it was given, or else that the caller went away. */
  static fromAbort({ reason }: AbortSignal): InferenceError {
    if (reason instanceof InferenceError) return reason;
    return new InferenceError(ErrorReason.CANCELED, "the client disconnected", { cause: reason });
  }

  /** A request in strict mode, parts of which `upstream` cannot carry: at least one. */
  static lossy(losses: readonly string[], upstream: string): InferenceError {
    return new InferenceError(ErrorReason.TRANSLATION_LOSS, cannotCarry(losses), {
      param: losses[0],
      refusedLosses: losses,
      upstream,
    });
  }

  /** A request that is wrong at `param`. */
  static invalid(param: string, message: string): InferenceError {
    return new InferenceError(ErrorReason.INVALID_REQUEST, param === "" ? message : `${param}: ${message}`, { param });
  }
}

function cannotCarry(losses: readonly string[]): string {
  return (
    `the upstream's format cannot carry: ${losses.join(", ")}. Leave these out, or allow the loss by not ` +
    "asking for strict mode"
  );
}
