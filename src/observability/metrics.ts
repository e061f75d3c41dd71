import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { ErrorReason } from "../hub/error.ts";
import type { RefusalReason } from "../hub/refusals.ts";
import type { RequestSummary } from "../hub/request-summary.ts";
import type { AttemptRecord, Recorder, Refusal } from "../inference/ports.ts";
import { singleFlight } from "../lib/single-flight.ts";
import { readVersion } from "../lib/version.ts";
import { type AuditCounts, type AuditFigures, addAuditMetrics } from "./audit-metrics.ts";
import { addPlaceGauges, type PlaceFigures } from "./deployment-gauges.ts";
import { createFeedbackCount } from "./feedback-count.ts";
import { addKeyGauges, type KeyFigures } from "./key-gauges.ts";
import { addQueueGauge } from "./queue-gauge.ts";
import { createCounts } from "./record-count.ts";
import { createRequestCount } from "./request-count.ts";
import { addShadowMetrics, type ShadowCounts } from "./shadow-metrics.ts";
import type { SharedMetrics } from "./shared-metrics.ts";

/** The interval at which the delay of the event loop is sampled. A shorter one wakes an idle process more often. */
const EVENT_LOOP_MS = 20;

/** Adds processor time, memory, files, event loop and garbage collection of this process, by their usual names. */
function addProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_MS });
}

/** Adds the gauge that tells the versions of Attune and of Node. */
function addBuildInfo(registry: Registry): void {
  new Gauge({
    name: "attune_build_info",
    aggregator: "max",
    help: "1, with the versions of Attune and of Node",
    labelNames: ["version", "node"],
    registers: [registry],
  }).set({ version: readVersion(), node: process.versions.node }, 1);
}

/** Counts alerts and their messages. */
interface AlertCounts {
  /** Sets the number of open alerts by kind; kinds that are absent have none. */
  firing(byKind: ReadonlyMap<string, number>): void;
  delivered(kind: string, outcome: (typeof OUTCOMES)[number]): void;
}

const OUTCOMES = ["delivered", "retried", "failed"] as const;

/** Registers the metrics of alerts. */
function addAlertMetrics(registry: Registry): AlertCounts {
  const registers = [registry];
  const firing = new Gauge({
    name: "attune_alerts_firing",
    help: "Alerts that are open, by kind, where this process is the one that evaluates",
    labelNames: ["kind"] as const,
    registers,
    aggregator: "max" as const,
  });
  const deliveries = new Counter({
    name: "attune_alert_deliveries_total",
    help: "Attempts at messages by the kind of their destination: delivered, retried later, or failed for good",
    labelNames: ["kind", "outcome"] as const,
    registers,
  });
  return {
    firing(byKind) {
      firing.reset();
      for (const [kind, open] of byKind) firing.set({ kind }, open);
    },
    delivered(kind, outcome) {
      // A series that begins at 1 has not risen for Prometheus: one tries again before it fails for good.
      for (const each of OUTCOMES) deliveries.inc({ kind, outcome: each }, Number(each === outcome));
    },
  };
}

/** The counters of the recorder. */
interface RecorderCounts {
  /** Records that wait to be written. */
  readonly queued: number;
  readonly written: number;
  readonly dropped: number;
  readonly droppedBodies: number;
  readonly failedWrites: number;
  /** Bytes of the spool that wait. */
  readonly spoolBytes: number;
  /** Records that wait in memory, since the disk did not take them. */
  readonly unspooled: number;
  readonly rejected: number;
  readonly brokenBytes: number;
  /** "ok", or why the database takes no records. */
  readonly database: string;
}

/** The sources of metrics, beside records. */
interface MetricsSources {
  /** Returns the number of running inferences. */
  readonly inFlight: () => number;
  readonly recorder: () => RecorderCounts;
  /** "ok", or why the database cannot be used: away, full or missing. */
  readonly database: () => string;
  /** Deletions that wait for an operator. */
  readonly waiting?: () => readonly { readonly kind: string; readonly expired: number }[];
  /** The places that serve models. */
  readonly places?: () => readonly PlaceFigures[];
  /** The keys of upstreams that have several. */
  readonly upstreamKeys?: () => readonly KeyFigures[];
  /** The upstreams, of which some have queues. */
  readonly upstreams?: Parameters<typeof addQueueGauge>[1];
  /** The deployments that were compared. */
  readonly audits?: () => readonly AuditFigures[];
  /** Returns the kind of an upstream by its name; empty if there is none. */
  readonly upstreamKindOf: (upstream: string) => string;
  /** True if the process itself is watched, which costs a little also while nobody asks. */
  readonly watchesProcess?: boolean;
}

/** Metrics of a service. */
export interface Metrics {
  /** Wraps a recorder so that each record it is offered is counted. */
  countRecords(recorder: Recorder): Recorder;
  /** Counts what strict mode refused, where there is no record. */
  countRefusal(refusal: Refusal): void;
  /** Counts a call of an upstream that has ended. */
  readonly countAttempt: (attempt: AttemptRecord) => void;
  /** Counts how asking a webhook ended that checks answers. */
  countWebhook(host: string, result: string): void;
  /** Counts a request that has ended. */
  countRequest(summary: RequestSummary): void;
  /** Counts the events of a batch of feedback: why each was refused, undefined for one that was stored. */
  countFeedback(refusals: readonly (ErrorReason | undefined)[]): void;
  /** Counts a call that was refused before it was answered. */
  countRefusedCall(reason: RefusalReason): void;
  /** Counts that much of a quota is used. */
  countQuotaWarning(warning: { readonly rule: string }): void;
  /** Counts alerts and their messages. */
  readonly alerts: AlertCounts;
  /** Counts what is compared. */
  readonly audit: AuditCounts;
  /** Counts shadow trials. */
  readonly shadow: ShadowCounts;
  /** Returns all metrics in the text format of Prometheus. */
  expose(): Promise<string>;
  /** Returns them for a page of several processes. */
  collect(): Promise<SharedMetrics>;
  readonly contentType: string;
}

/** Creates the metrics of one service. */
export function createMetrics(sources: MetricsSources, registry = new Registry()): Metrics {
  const counts = createCounts(registry, sources.upstreamKindOf);
  addGauges(registry, sources);
  addBuildInfo(registry);
  if (sources.watchesProcess === true) addProcessMetrics(registry);
  if (sources.places !== undefined) addPlaceGauges(registry, sources.places);
  if (sources.upstreamKeys !== undefined) addKeyGauges(registry, sources.upstreamKeys);
  addQueueGauge(registry, sources.upstreams ?? (() => []));
  return {
    countRecords: (recorder) => ({
      get accepting() {
        return recorder.accepting;
      },
      offer(record) {
        recorder.offer(record);
        counts.record(record);
      },
      offerProvisional: (make) => recorder.offerProvisional(make),
    }),
    countRefusal: counts.refusal,
    countAttempt: counts.attempt,
    countWebhook: counts.webhook,
    countRequest: createRequestCount(registry),
    countFeedback: createFeedbackCount(registry),
    countRefusedCall: counts.refusedCall,
    countQuotaWarning: counts.quotaWarning,
    alerts: addAlertMetrics(registry),
    audit: addAuditMetrics(registry, sources.audits ?? (() => [])),
    shadow: addShadowMetrics(registry),
    // Anybody may ask, many times in one read of a connection, and to write them takes milliseconds where there are
    // many models.
    expose: singleFlight(() => registry.metrics()),
    collect: () => registry.getMetricsAsJSON(),
    contentType: registry.contentType,
  };
}

type RecorderFigure = readonly [name: string, help: string, of: Exclude<keyof RecorderCounts, "database">];

const RECORDER_GAUGES: readonly RecorderFigure[] = [
  ["queued", "Records that wait to be written to the database", "queued"],
  ["spool_bytes", "Bytes that wait on the disk to be written to the database", "spoolBytes"],
  ["unspooled", "Records that wait in memory because the disk refused them", "unspooled"],
];

const RECORDER_TOTALS: readonly RecorderFigure[] = [
  ["written", "Records that were written", "written"],
  ["dropped", "Records that were lost", "dropped"],
  ["dropped_bodies", "Records that lost their bodies", "droppedBodies"],
  ["failed_writes", "Transactions that failed and were tried again", "failedWrites"],
  ["rejected", "Records that the database rejected permanently", "rejected"],
  ["broken_bytes", "Bytes of the spool that belong to no complete record", "brokenBytes"],
];

function addRecorderGauges(registry: Registry, recorder: () => RecorderCounts): void {
  for (const [name, help, of] of RECORDER_GAUGES) {
    new Gauge({
      name: `attune_recorder_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(Number(recorder()[of]));
      },
    });
  }
}

/** Why a database may be unusable: each is told, so that its absence is seen too. */
const DATABASE_STATES = ["away", "full", "missing"];

function addDatabaseGauges(
  registry: Registry,
  { recorder, database }: Pick<MetricsSources, "recorder" | "database">,
): void {
  const registers = [registry];
  new Gauge({
    name: "attune_recorder_database_away",
    aggregator: "max",
    help: "1 while the database accepts no records",
    registers,
    collect() {
      this.set(Number(recorder().database !== "ok"));
    },
  });
  new Gauge({
    name: "attune_database_unavailable",
    aggregator: "max",
    help: "1 while the database cannot be used, by the reason: it does not answer, has no room, or its file is gone",
    labelNames: ["reason"],
    registers,
    collect() {
      const state = database();
      for (const reason of DATABASE_STATES) this.set({ reason }, Number(reason === state));
    },
  });
}

/** Adds the gauges that are read at each scrape. */
function addGauges(registry: Registry, { inFlight, recorder, database, waiting = () => [] }: MetricsSources): void {
  const registers = [registry];
  new Gauge({
    name: "attune_retention_waiting",
    aggregator: "max",
    help: "Expired rows that wait for 'attune retention --yes', by kind; figures are counted in hours",
    labelNames: ["kind"],
    registers,
    collect() {
      this.reset();
      for (const { kind, expired } of waiting()) this.set({ kind }, expired);
    },
  });
  new Gauge({
    name: "attune_inferences_in_flight",
    help: "Inferences in progress",
    registers,
    collect() {
      this.set(inFlight());
    },
  });
  addDatabaseGauges(registry, { recorder, database });
  addRecorderGauges(registry, recorder);
  for (const [name, help, of] of RECORDER_TOTALS) {
    new Counter({
      name: `attune_recorder_${name}_total`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(Number(recorder()[of]));
      },
    });
  }
}
