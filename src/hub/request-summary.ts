import type { Dialect, Usage } from "../../gen/attune/content/v1/content_pb.ts";
import type { CallFacts, GenerateResponse } from "../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, type InferenceError } from "./error.ts";
import type { HeldBytes } from "./held-bytes.ts";
import type { HubInput } from "./input.ts";
import type { Principal } from "./principal.ts";
import type { RequestTrace, TraceHeaders } from "./request-trace.ts";

/** A call of an upstream, as the summary has it. */
export interface SummarizedAttempt {
  readonly upstream: string;
  readonly upstreamModel: string;
  readonly upstreamRequestId: string;
  readonly role: string;
  readonly startedAfterMs: number;
  readonly firstEventMs?: number | undefined;
  readonly firstTokenMs?: number | undefined;
  readonly latencyMs: number;
  readonly outcome: "completed" | "failed" | "canceled" | "refused";
  readonly isWinner: boolean;
  readonly error?: InferenceError | undefined;
  readonly usage?: Usage | undefined;
  readonly isEstimated: boolean;
  readonly costNanos?: number | undefined;
  readonly losses: readonly string[];
}

/** A value of feedback that a request brought. */
export interface SummarizedFeedback {
  /** The inference that it stands on. */
  readonly inferenceId: string;
  /** The session as a whole that it is on; null for what is on the inference alone. */
  readonly sessionId: string | null;
  readonly name: string;
  /** Undefined for a note, whose text is not told. */
  readonly value: boolean | number | undefined;
}

/** Most values of feedback that the summary of a request has; a request may bring thousands. */
const MOST_FEEDBACK = 100;

/** The facts of an inference's record that the summary of its request has. */
export interface SummarizedInference {
  readonly id: string;
  readonly dialect: Dialect;
  readonly model: string;
  readonly servedModel: string;
  readonly upstream: string;
  readonly upstreamModel: string;
  readonly projectId: string;
  readonly streamed: boolean;
  readonly startedAt: Date;
  readonly input: HubInput;
  readonly attempts: readonly SummarizedAttempt[];
  readonly facts?: Pick<CallFacts, "sessionId"> | undefined;
  readonly status: "completed" | "failed" | "canceled";
  readonly error?: InferenceError | undefined;
  readonly latencyMs: number;
  readonly timeToFirstTokenMs?: number | undefined;
  readonly usage?: Usage | undefined;
  readonly costNanos?: number | undefined;
  readonly costGaps?: readonly string[] | undefined;
  readonly output: GenerateResponse;
}

/** The outcome of a request; refused means that nothing was begun for it. */
type RequestOutcome = "completed" | "failed" | "canceled" | "refused";

/** Failures of this service, where no upstream was asked. */
const OWN_FAILURES: ReadonlySet<ErrorReason> = new Set([
  ErrorReason.INTERNAL,
  ErrorReason.UNAVAILABLE,
  ErrorReason.DEADLINE_EXCEEDED,
]);

/** The facts of a request that are known when it comes. */
type OpenedRequest = Pick<RequestSummary, "requestId" | "route"> & Partial<Pick<RequestSummary, "address">>;

/**
 * The summary of a request, of whatever transport. Each step adds what it knows; once the request has ended, and the
 * inference that was begun for it has its record, the summary is reported, once.
 */
export class RequestSummary {
  /** The id that the caller is told. */
  readonly requestId: string;
  /** Method and route, or the name of the RPC: nothing that the caller chose. */
  readonly route: string;
  /** Network address that it came from; undefined where it is not known. */
  readonly address: string | undefined;
  /** True for an inference that goes on without the request that began it. */
  readonly isBackground: boolean;
  /** Its place in a trace; undefined where nothing is traced. */
  readonly trace: RequestTrace | undefined;
  /** Undefined for a caller who was not admitted. */
  principal: Pick<Principal, "keyId" | "projectId"> | undefined;
  /** The model that was asked for, by its name in the catalog; undefined where none was found. */
  model: string | undefined;
  inferenceId: string | undefined;
  /** The part of its caller's share that its body takes; undefined where no body has come. */
  held: HeldBytes | undefined;
  durationMs = 0;
  /** HTTP status of the answer; undefined where none went out. */
  status: number | undefined;
  #feedback: readonly SummarizedFeedback[] | undefined;
  #inference: SummarizedInference | undefined;
  #error: InferenceError | undefined;
  /** As performance.now() has it. */
  readonly startMs = performance.now();
  readonly #report: (summary: RequestSummary) => void;
  #isAnswering = false;
  #hasEnded = false;
  #isWhole = true;

  constructor(
    request: OpenedRequest & Partial<Pick<RequestSummary, "isBackground" | "trace">>,
    report: (summary: RequestSummary) => void,
  ) {
    this.requestId = request.requestId;
    this.route = request.route;
    this.address = request.address;
    this.isBackground = request.isBackground ?? false;
    this.trace = request.trace;
    this.#report = report;
  }

  /** Returns the summary of an inference that goes on without this request. */
  inBackground(): RequestSummary {
    const { requestId, route, principal, model } = this;
    const trace = this.trace?.child();
    const summary = new RequestSummary({ requestId, route, isBackground: true, trace }, this.#report);
    summary.principal = principal;
    summary.model = model;
    return summary;
  }

  /** An inference is begun for it, which will have a record. */
  begin(inferenceId: string): void {
    this.inferenceId = inferenceId;
    this.#isAnswering = true;
  }

  /** The record of its inference is made. */
  addRecord(inference: SummarizedInference): void {
    this.#inference = inference;
    this.#isAnswering = false;
    if (this.isBackground) this.end(undefined);
    else if (this.#hasEnded) this.#report(this);
  }

  /** It brought feedback, which is stored. Of requests that are not traced nothing is kept. */
  addFeedback(values: () => readonly SummarizedFeedback[]): void {
    if (this.trace?.isSampled !== true) return;
    this.#feedback = [...this.feedback, ...values()].slice(0, MOST_FEEDBACK);
  }

  get feedback(): readonly SummarizedFeedback[] {
    return this.#feedback ?? [];
  }

  /** It fails with this error; the first one counts. */
  fail(error: InferenceError): void {
    this.#error ??= error;
  }

  /** It has ended; `isWhole` is false where its caller left before the end of the answer. */
  end(status: number | undefined, isWhole = true): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.durationMs = performance.now() - this.startMs;
    this.status = status;
    this.#isWhole = isWhole;
    if (!this.#isAnswering) this.#report(this);
  }

  /** Nothing is reported of it: its parts have summaries of their own. */
  discard(): void {
    this.#hasEnded = true;
  }

  get inference(): SummarizedInference | undefined {
    return this.#inference;
  }

  get error(): InferenceError | undefined {
    return this.#inference?.error ?? this.#error;
  }

  get outcome(): RequestOutcome {
    const { inference, error, status = 0 } = this;
    if (inference !== undefined) return inference.status;
    if (error?.reason === ErrorReason.CANCELED) return "canceled";
    if (error === undefined) return status >= 400 ? "refused" : this.#isWhole ? "completed" : "canceled";
    return error.facts.upstream !== undefined || OWN_FAILURES.has(error.reason) ? "failed" : "refused";
  }
}

/** Opens the summary of a request that has come. */
export type OpenSummary = (request: OpenedRequest & { readonly headers: TraceHeaders }) => RequestSummary;
