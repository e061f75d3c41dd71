import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import type { InferenceRecord, Recorder } from "../inference/ports.ts";
import { createNameCap } from "./name-cap.ts";

/** What the recorder has done so far. */
export interface RecorderCounts {
  /** Records that wait to be written. */
  readonly queued: number;
  readonly written: number;
  readonly dropped: number;
  readonly droppedBodies: number;
  readonly failedWrites: number;
}

/** Where metrics come from beside the records. */
export interface MetricsSources {
  /** How many inferences are under way. */
  readonly inFlight: () => number;
  readonly recorder: () => RecorderCounts;
  /** Kind of each upstream, by its name. */
  readonly upstreamKinds: ReadonlyMap<string, string>;
}

/** Metrics of a service. */
export interface Metrics {
  /** Wraps a recorder so that each record it is offered is counted. */
  countRecords(recorder: Recorder): Recorder;
  /** Returns all metrics in the text format of Prometheus. */
  expose(): Promise<string>;
  readonly contentType: string;
}

/** Most different names of lost members; others are counted together. Names are the caller's own and could be any number. */
const MAX_MEMBERS = 200;

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

const FORMAT: Record<Dialect, string> = {
  [Dialect.UNSPECIFIED]: "rpc",
  [Dialect.CHAT]: "chat",
  [Dialect.RESPONSES]: "responses",
  [Dialect.MESSAGES]: "messages",
};

/** Creates the metrics of one service. */
export function createMetrics(sources: MetricsSources): Metrics {
  const registry = new Registry();
  const count = createRecordCount(registry, sources);
  addGauges(registry, sources);
  return {
    countRecords: (recorder) => ({
      get accepting() {
        return recorder.accepting;
      },
      offer(record) {
        recorder.offer(record);
        count(record);
      },
    }),
    expose: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function createRecordCount(registry: Registry, { upstreamKinds }: MetricsSources): (record: InferenceRecord) => void {
  const registers = [registry];
  const inferences = new Counter({
    name: "attune_inferences_total",
    help: "Inferences that ended, by how they ended",
    labelNames: ["format", "model", "upstream", "status"] as const,
    registers,
  });
  const losses = new Counter({
    name: "attune_translation_losses_total",
    help: "Parts of requests that the upstream's format could not carry, by the name of the member",
    labelNames: ["format", "upstream_kind", "member"] as const,
    registers,
  });
  const timing = { labelNames: ["format", "upstream"] as const, buckets: SECONDS, registers };
  const latency = new Histogram({
    name: "attune_inference_duration_seconds",
    help: "From the beginning of an inference to its end",
    ...timing,
  });
  const firstToken = new Histogram({
    name: "attune_time_to_first_token_seconds",
    help: "From the beginning of an inference to the first content of its answer",
    ...timing,
  });
  const memberOf = createNameCap(MAX_MEMBERS);
  return ({ dialect, model, upstream, status, latencyMs, timeToFirstTokenMs, output }) => {
    const format = FORMAT[dialect] ?? "rpc";
    inferences.inc({ format, model, upstream, status });
    latency.observe({ format, upstream }, latencyMs / 1000);
    if (timeToFirstTokenMs !== undefined) firstToken.observe({ format, upstream }, timeToFirstTokenMs / 1000);
    const kind = upstreamKinds.get(upstream) ?? "";
    for (const place of output.serving?.translationLosses ?? []) {
      losses.inc({ format, upstream_kind: kind, member: memberOf(lastMember(place)) });
    }
  };
}

/** `messages[2].content[0].title` is `title`, and `messages[2].content[0]` is `content`. */
function lastMember(place: string): string {
  return (
    place
      .replace(/(?:\[\d+\])+$/, "")
      .split(".")
      .at(-1) ?? place
  );
}

/** What is told when it is asked for. */
function addGauges(registry: Registry, { inFlight, recorder }: MetricsSources): void {
  const registers = [registry];
  new Gauge({
    name: "attune_inferences_in_flight",
    help: "Inferences that are under way",
    registers,
    collect() {
      this.set(inFlight());
    },
  });
  new Gauge({
    name: "attune_recorder_queued",
    help: "Records that wait to be written to the database",
    registers,
    collect() {
      this.set(recorder().queued);
    },
  });
  const totals: readonly (readonly [name: string, help: string, of: Exclude<keyof RecorderCounts, "queued">])[] = [
    ["written", "Records that were written", "written"],
    ["dropped", "Records that were lost", "dropped"],
    ["dropped_bodies", "Records that lost their bodies", "droppedBodies"],
    ["failed_writes", "Transactions that failed and were tried again", "failedWrites"],
  ];
  for (const [name, help, of] of totals) {
    new Counter({
      name: `attune_recorder_${name}_total`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(recorder()[of]);
      },
    });
  }
}
