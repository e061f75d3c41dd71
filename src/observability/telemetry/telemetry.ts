import type { RequestSummary, SummarizedInference } from "../../hub/request-summary.ts";
import type { OpenTrace } from "../../hub/request-trace.ts";

/** The place that a signal is exported to. */
export interface OtlpTarget {
  readonly url: string;
  readonly protocol: "http/protobuf" | "http/json" | "grpc";
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly compression: "none" | "gzip";
}

/** The settings of telemetry; a signal that is undefined is not exported. */
export interface TelemetrySettings {
  readonly serviceName: string;
  readonly resourceAttributes: Readonly<Record<string, string>>;
  readonly traces:
    | (OtlpTarget & { readonly sampleRatio: number; readonly propagate: boolean; readonly content: boolean })
    | undefined;
  readonly metrics: (OtlpTarget & { readonly intervalMs: number }) | undefined;
}

/** The provider of a model's answers, and its address. */
export interface Peer {
  /** Name of the provider, by the GenAI conventions where they have one. */
  readonly provider: string;
  readonly address?: string;
  readonly port?: number;
}

/** The prompt and the answer of an inference. */
export type Content = Pick<SummarizedInference, "input" | "output">;

/** The sources of telemetry. */
export interface TelemetryPorts {
  readonly log: { warn(facts: object, message: string): void };
  /** Names this process among all that export. */
  readonly instanceId: string;
  /** The scheme of the port that requests come to. */
  readonly urlScheme: "http" | "https";
  /** Returns the provider behind an upstream, by the upstream's name. */
  readonly peerOf: (upstream: string) => Peer;
  /** Returns prompt and answer as far as records have them; undefined where they have neither. */
  readonly contentOf: (inference: SummarizedInference) => Content | undefined;
  /** Milliseconds for which close() waits for the last export; 2000 if absent. */
  readonly closeLimitMs?: number;
}

/** The export of telemetry. */
export interface Telemetry {
  /** Undefined where no traces are exported. */
  readonly openTrace: OpenTrace | undefined;
  /** Exports what is known of a request that has ended. */
  report(summary: RequestSummary): void;
  /** Exports what waits. */
  flush(): Promise<void>;
  /** Exports what waits; returns when the time for that is over. */
  close(): Promise<void>;
}
