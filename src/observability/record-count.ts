import { Counter, Histogram, type Registry } from "prom-client";
import type { Usage } from "../../gen/attune/content/v1/content_pb.ts";
import type { RefusalReason } from "../hub/refusals.ts";
import type { AttemptRecord, InferenceRecord, Refusal } from "../inference/ports.ts";
import { formatName } from "./format-name.ts";
import { createNameCap } from "./name-cap.ts";

/**
 * Most different names of lost members; others are counted together. Names are the caller's own and could be any
 * number.
 */
const MAX_MEMBERS = 200;

const LOSS_LABELS = ["format", "upstream_kind", "member"] as const;

/** The upper ends of the buckets of durations. */
export const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

/** Takes a record into account. */
type RecordCount = (record: InferenceRecord) => void;

/** The counters of outcomes and refusals. */
interface Counts {
  readonly record: RecordCount;
  /** Takes into account what strict mode refused, where there is no record. */
  readonly refusal: (refusal: Refusal) => void;
  /** Takes an attempt into account that has ended. */
  readonly attempt: (attempt: AttemptRecord) => void;
  /** Takes into account a call that was refused before it was answered. */
  readonly refusedCall: (reason: RefusalReason) => void;
  /** Takes into account that much of a quota is used. */
  readonly quotaWarning: (warning: { readonly rule: string }) => void;
  /** Takes into account how asking a webhook ended. */
  readonly webhook: (host: string, result: string) => void;
}

/** Registers the metrics that records are counted in. `kindOf` returns the kind of an upstream by its name. */
export function createCounts(registry: Registry, kindOf: (upstream: string) => string): Counts {
  const refusal = countRefusals(registry, kindOf);
  const counts = [countEnds(registry), countTokens(registry), countLosses(registry, kindOf), refusal];
  return {
    record: (record) => {
      for (const count of counts) count(record);
    },
    refusal,
    attempt: countAttempts(registry),
    webhook: countWebhooks(registry),
    refusedCall: countRefusedCalls(registry),
    quotaWarning: countQuotaWarnings(registry),
  };
}

function getFormat({ dialect }: Pick<InferenceRecord, "dialect">): string {
  return formatName(dialect);
}

function countEnds(registry: Registry): RecordCount {
  const inferences = new Counter({
    registers: [registry],
    name: "attune_inferences_total",
    help: "Inferences by status",
    labelNames: ["format", "model", "upstream", "status"],
  });
  const timing = { labelNames: ["format", "upstream"] as const, buckets: SECONDS };
  const latency = new Histogram({
    registers: [registry],
    name: "attune_inference_duration_seconds",
    help: "From the beginning of an inference to its end",
    ...timing,
  });
  const firstToken = new Histogram({
    registers: [registry],
    name: "attune_time_to_first_token_seconds",
    help: "From the beginning of an inference to the first content of its answer",
    ...timing,
  });
  return (record) => {
    const { model, upstream, status, latencyMs, timeToFirstTokenMs } = record;
    const format = getFormat(record);
    inferences.inc({ format, model, upstream, status });
    latency.observe({ format, upstream }, latencyMs / 1000);
    if (timeToFirstTokenMs !== undefined) firstToken.observe({ format, upstream }, timeToFirstTokenMs / 1000);
  };
}

function countAttempts(registry: Registry): Counts["attempt"] {
  const labelNames = ["upstream", "outcome"] as const;
  const attempts = new Counter({
    registers: [registry],
    name: "attune_attempts_total",
    help: "Calls of upstreams by outcome; refused ones were not sent",
    labelNames,
  });
  const latency = new Histogram({
    registers: [registry],
    name: "attune_attempt_duration_seconds",
    help: "From the beginning of a call of an upstream to its end",
    labelNames,
    buckets: SECONDS,
  });
  const firstEvent = new Histogram({
    registers: [registry],
    name: "attune_attempt_first_event_seconds",
    help: "From the beginning of a call of an upstream to the first event of its answer",
    labelNames: ["upstream"],
    buckets: SECONDS,
  });
  const countChecks = countCheckedAnswers(registry);
  return (attempt) => {
    const { upstream, outcome, latencyMs, firstEventMs } = attempt;
    countChecks(attempt);
    attempts.inc({ upstream, outcome });
    latency.observe({ upstream, outcome }, latencyMs / 1000);
    if (firstEventMs !== undefined) firstEvent.observe({ upstream }, firstEventMs / 1000);
  };
}

function countRefusedCalls(registry: Registry): Counts["refusedCall"] {
  const calls = new Counter({
    registers: [registry],
    name: "attune_refused_calls_total",
    help: "Calls that were refused before they were answered, by reason",
    labelNames: ["reason"],
  });
  return (reason) => calls.inc({ reason });
}

function countQuotaWarnings(registry: Registry): Counts["quotaWarning"] {
  const warnings = new Counter({
    registers: [registry],
    name: "attune_quota_warnings_total",
    help: "Limits used up to the share in quotas.warnAt, once in each of their windows, by rule",
    labelNames: ["rule"],
  });
  return ({ rule }) => warnings.inc({ rule });
}

function countWebhooks(registry: Registry): Counts["webhook"] {
  const calls = new Counter({
    registers: [registry],
    name: "attune_webhook_checks_total",
    help: "Answers sent to a webhook, by host and result; all results but passed and rejected are failures",
    labelNames: ["host", "result"],
  });
  return (host, result) => calls.inc({ host, result });
}

function countCheckedAnswers(registry: Registry): Counts["attempt"] {
  const answers = new Counter({
    registers: [registry],
    name: "attune_checked_answers_total",
    help:
      "Answers that were checked before they were returned, by role of the attempt; unjudged ones passed the " +
      "checks that ran",
    labelNames: ["upstream", "role", "result"],
  });
  const failed = new Counter({
    registers: [registry],
    name: "attune_failed_checks_total",
    help: "Checks that answers failed; one answer may fail several",
    labelNames: ["upstream", "check"],
  });
  return ({ upstream, role, failedChecks, isUnjudged }) => {
    if (failedChecks === undefined) return;
    const result = failedChecks.length > 0 ? "failed" : isUnjudged ? "unjudged" : "passed";
    answers.inc({ upstream, role, result });
    for (const check of failedChecks) failed.inc({ upstream, check });
  };
}

/** Tokens of failed inferences count too, as far as they are known: they were spent. */
function countTokens(registry: Registry): RecordCount {
  const labelNames = ["format", "model", "upstream"] as const;
  const tokens = new Counter({
    registers: [registry],
    name: "attune_tokens_total",
    help: "Tokens by kind; a prompt is input, cache_read and cache_write, and reasoning is part of output",
    labelNames: [...labelNames, "kind"],
  });
  const cost = new Counter({
    registers: [registry],
    name: "attune_cost_nano_usd_total",
    help: "Cost in billionths of a USD, of models that have a price",
    labelNames,
  });
  return (record) => {
    const { model, upstream, usage, costNanos } = record;
    const format = getFormat(record);
    if (usage !== undefined) {
      for (const [kind, count] of tokenKinds(usage)) {
        if (count > 0) tokens.inc({ format, model, upstream, kind }, count);
      }
    }
    if (costNanos !== undefined) cost.inc({ format, model, upstream }, costNanos);
  };
}

function tokenKinds(usage: Usage): readonly (readonly [kind: string, count: number])[] {
  return [
    ["input", usage.inputTokens],
    ["cache_read", usage.cacheReadTokens],
    ["cache_write", usage.cacheWriteTokens],
    ["output", usage.outputTokens],
    ["reasoning", usage.reasoningTokens ?? 0],
  ];
}

function countLosses(registry: Registry, kindOf: (upstream: string) => string): RecordCount {
  const losses = new Counter({
    registers: [registry],
    name: "attune_translation_losses_total",
    help: "Parts of requests and answers that the other side's format could not carry, by the name of the member",
    labelNames: LOSS_LABELS,
  });
  const memberOf = createNameCap(MAX_MEMBERS);
  return (record) => {
    const { upstream, error, output } = record;
    const kind = kindOf(error?.facts.upstream ?? upstream);
    for (const place of output.serving?.translationLosses ?? []) {
      losses.inc({ format: getFormat(record), upstream_kind: kind, member: memberOf(lastMember(place)) });
    }
  };
}

function countRefusals(registry: Registry, kindOf: (upstream: string) => string): Counts["refusal"] {
  const refused = new Counter({
    registers: [registry],
    name: "attune_refused_losses_total",
    help: "Parts that the upstream's format could not carry, of strict requests that were refused",
    labelNames: LOSS_LABELS,
  });
  const memberOf = createNameCap(MAX_MEMBERS);
  return (refusal) => {
    const { upstream = "", refusedLosses = [] } = refusal.error?.facts ?? {};
    const kind = kindOf(upstream);
    for (const place of refusedLosses) {
      refused.inc({ format: getFormat(refusal), upstream_kind: kind, member: memberOf(lastMember(place)) });
    }
  };
}

/** `messages[2].content[0].title` is `title`, and `messages[2].content[0]` is `content`. */
function lastMember(place: string): string {
  let end = place.length;
  // By hand: an expression for indices at the end tries each of them as the first, and a caller may send a hundred
  // thousand.
  while (place[end - 1] === "]") {
    const start = place.lastIndexOf("[", end - 1);
    if (!INDEX.test(place.slice(start, end))) break;
    end = start;
  }
  return place.slice(place.lastIndexOf(".", end - 1) + 1, end);
}

const INDEX = /^\[\d+\]$/;
