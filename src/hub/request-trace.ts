import type { Usage } from "../../gen/attune/content/v1/content_pb.ts";
import type { InferenceError } from "./error.ts";

/** A call of an upstream whose answer no caller gets. */
export interface TracedCall {
  /** Its answer is compared with that of the plain call, or graded. */
  readonly purpose: "audit" | "trial";
  /** The inference that it is made after. */
  readonly inferenceId: string;
  readonly upstream: string;
  readonly upstreamModel: string;
  readonly streamed: boolean;
  readonly startedAt: Date;
  readonly latencyMs: number;
  /** Undefined where it completed. */
  readonly error?: InferenceError | undefined;
  readonly usage?: Usage | undefined;
  readonly costNanos?: number | undefined;
}

/** The place of a request in a trace of W3C's Trace Context. */
export interface RequestTrace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Id of the span of the request itself, 16 hexadecimal digits. */
  readonly spanId: string;
  /** True if its spans are exported. */
  readonly isSampled: boolean;
  /** Returns the id of the span of one of its attempts, by its position from 0. */
  attemptSpanId(position: number): string;
  /** Returns the headers that tell an upstream of the trace; undefined where upstreams are not told. */
  upstreamHeaders(position: number): Readonly<Record<string, string>> | undefined;
  /** Adds a call that was made after the request. */
  addCall(call: TracedCall): void;
  /** Returns the place of what goes on without the request. */
  child(): RequestTrace;
}

/** The headers of a request that tell of its trace, by their names in small letters. */
export type TraceHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Finds the place of a request that has come. */
export type OpenTrace = (headers: TraceHeaders) => RequestTrace;
