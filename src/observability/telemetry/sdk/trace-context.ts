import { ROOT_CONTEXT, type SpanContext, SpanKind, TraceFlags, trace } from "@opentelemetry/api";
import { parseTraceParent, TraceState } from "@opentelemetry/core";
import {
  ParentBasedSampler,
  RandomIdGenerator,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace";
import type { OpenTrace, RequestTrace, TracedCall, TraceHeaders } from "../../../hub/request-trace.ts";

/** The settings of the place of requests in traces. */
interface TraceSettings {
  readonly sampleRatio: number;
  /** True if upstreams are told. */
  readonly propagate: boolean;
  /** Exports a call that was made after a request. */
  readonly addCall: (call: TracedCall, place: TracePlace) => void;
}

/** The flag of traces whose ids are random (W3C Trace Context Level 2). Samplers of upstreams may count on it. */
const RANDOM = 2;

const ids = new RandomIdGenerator();

/** The place of a request in a trace, with the ids of the spans that are made of it when it has ended. */
export class TracePlace implements RequestTrace {
  readonly traceId: string;
  readonly isSampled: boolean;
  /** The span that it belongs to; undefined for the first one of its trace. */
  readonly parent: SpanContext | undefined;
  /** The protocol of an RPC. */
  readonly rpcSystem: "grpc" | "connectrpc";
  readonly #settings: Omit<TraceSettings, "sampleRatio">;
  #spanId: string | undefined;
  #attempts: string[] | undefined;

  constructor(
    place: Pick<TracePlace, "traceId" | "isSampled" | "parent" | "rpcSystem">,
    settings: Omit<TraceSettings, "sampleRatio">,
  ) {
    this.traceId = place.traceId;
    this.isSampled = place.isSampled;
    this.parent = place.parent;
    this.rpcSystem = place.rpcSystem;
    this.#settings = settings;
  }

  /** Made when it is needed: most requests are not sampled. */
  get spanId(): string {
    this.#spanId ??= ids.generateSpanId();
    return this.#spanId;
  }

  attemptSpanId(position: number): string {
    this.#attempts ??= [];
    const id = this.#attempts[position] ?? ids.generateSpanId();
    this.#attempts[position] = id;
    return id;
  }

  upstreamHeaders(position: number): Readonly<Record<string, string>> | undefined {
    if (!this.#settings.propagate) return undefined;
    const traceparent = `00-${this.traceId}-${this.attemptSpanId(position)}-0${this.#flags}`;
    const tracestate = this.parent?.traceState?.serialize() ?? "";
    return tracestate === "" ? { traceparent } : { traceparent, tracestate };
  }

  addCall(call: TracedCall): void {
    if (this.isSampled) this.#settings.addCall(call, this);
  }

  child(): TracePlace {
    return new TracePlace({ ...this, parent: this.context }, this.#settings);
  }

  /** The random flag goes on as the caller's trace has it. Ids that are generated here are random. */
  get #flags(): number {
    const sampled = this.isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
    return sampled | ((this.parent?.traceFlags ?? RANDOM) & RANDOM);
  }

  /** The context of its own span. */
  get context(): SpanContext {
    return this.contextOf(this.spanId);
  }

  /** Returns the context of one of its spans. */
  contextOf(spanId: string): SpanContext {
    const { traceId, parent } = this;
    return { traceId, spanId, traceFlags: this.#flags, ...(parent?.traceState && { traceState: parent.traceState }) };
  }
}

/**
 * Creates a function that finds the place of a request: in the trace of its caller, who has decided whether it is
 * sampled, or in one of its own.
 */
export function createOpenTrace(settings: TraceSettings): OpenTrace {
  const sampler = new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.sampleRatio) });
  return (headers) => {
    const parent = getParent(headers);
    const traceId = parent?.traceId ?? ids.generateTraceId();
    const context = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
    const { decision } = sampler.shouldSample(context, traceId, "", SpanKind.SERVER, {}, []);
    const contentType = headers["content-type"];
    const isGrpc = typeof contentType === "string" && contentType.startsWith("application/grpc");
    return new TracePlace(
      {
        traceId,
        parent,
        rpcSystem: isGrpc ? "grpc" : "connectrpc",
        isSampled: decision === SamplingDecision.RECORD_AND_SAMPLED,
      },
      settings,
    );
  };
}

/** Returns the span that a request says it belongs to; one that is not as W3C has it is none. */
function getParent({ traceparent, tracestate }: TraceHeaders): SpanContext | undefined {
  const parent = typeof traceparent === "string" ? parseTraceParent(traceparent) : null;
  if (parent === null) return undefined;
  const state = typeof tracestate === "string" ? tracestate : tracestate?.join(",");
  return { ...parent, isRemote: true, ...(state && { traceState: new TraceState(state) }) };
}
