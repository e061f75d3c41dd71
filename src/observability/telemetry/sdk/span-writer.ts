import {
  type Attributes,
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  type SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import { type IdGenerator, type SpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { readVersion } from "../../../lib/version.ts";

/** A span that has ended; times are in milliseconds since 1970. */
export interface EndedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly context: SpanContext;
  readonly parent: SpanContext | undefined;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly events?: readonly { readonly name: string; readonly atMs: number; readonly attributes?: Attributes }[];
  readonly links?: Link[];
  readonly isError: boolean;
}

/** Hands out the ids that a span has had since before it was made. */
class PresetIds implements IdGenerator {
  context: Pick<SpanContext, "traceId" | "spanId"> = { traceId: "", spanId: "" };
  generateTraceId = (): string => this.context.traceId;
  generateSpanId = (): string => this.context.spanId;
}

/**
 * Makes spans of what has ended. A request that is not sampled costs none, and one that is costs nothing while it runs.
 */
export class SpanWriter {
  readonly #ids = new PresetIds();
  readonly #tracer: Tracer;

  constructor(resource: Resource, processor: SpanProcessor) {
    // What is not to be sampled is never written.
    const provider = new TracerProvider({ resource, idGenerator: this.#ids, spanProcessors: [processor] });
    this.#tracer = provider.getTracer("attune", readVersion());
  }

  write({ name, kind, context, parent, startMs, endMs, attributes, events = [], links, isError }: EndedSpan): void {
    this.#ids.context = context;
    const around = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
    const options = { kind, attributes, startTime: startMs, ...(links && { links }) };
    const span = this.#tracer.startSpan(name, options, around);
    for (const event of events) span.addEvent(event.name, event.attributes, event.atMs);
    if (isError) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(endMs);
  }
}
