import type { FeedbackEntryRow } from "../../../src/store/entities/feedback-entry.ts";
import type { InferenceRow } from "../../../src/store/entities/inference.ts";
import { feedbackRow, idAt, inferenceRow } from "../../support/rows.ts";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
/** Mondays are four days after the beginning of 1970. */
const WEEK = { length: 7 * DAY, offset: 4 * DAY };

/** Refused calls of one reason and key at one time. */
export interface Refused {
  readonly reason: "limit" | "budget";
  readonly keyId: string;
  readonly atMs: number;
  readonly calls: number;
}

/** An answer of a run of a dataset. */
export interface Answer {
  readonly inferenceId: string;
  readonly side: 0 | 1;
  readonly outcome: "answered" | "failed" | "skipped";
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costNanos: number | null;
  readonly gradeNanos: number | null;
  readonly latencyMs: number | null;
  /** Names of checks with spaces between them; null where nothing was checked. */
  readonly failedChecks: string | null;
  readonly isGood: boolean | null;
}

/** A shadow trial or a check of the judge. */
export interface Trial {
  readonly atMs: number;
  readonly model: string;
  readonly kind: "trial" | "check" | "silent" | "verdict";
  readonly costNanos: number | null;
}

/** All that happened in a project. */
export interface History {
  readonly projectId: string;
  readonly calls: readonly InferenceRow[];
  readonly feedback: readonly FeedbackEntryRow[];
  readonly refused: readonly Refused[];
  readonly trials: readonly Trial[];
  readonly run: { readonly id: string; readonly answers: readonly Answer[] };
}

/** The kinds of calls that there are, by what each leaves in its row. */
const KINDS: readonly ((random: Random) => Partial<InferenceRow>)[] = [
  () => ({}),
  (random) => ({ streamed: true, timeToFirstTokenMs: random.latency() / 10 }),
  (random) => ({
    ...FAILED,
    errorReason: random.pick(["timeout", "upstream_overloaded"]),
    outputTokens: random.pick([null, 3]),
  }),
  // What was sent before it failed is paid.
  (random) => ({ ...FAILED, errorReason: "timeout", costNanos: random.below(900), usageEstimated: true }),
  () => ({ ...FAILED, errorReason: "upstream_error", upstream: "", upstreamModel: "", inputTokens: null }),
  () => ({ status: "canceled", costNanos: null, baseCostNanos: null, usageEstimated: true }),
  (random) => ({ status: "canceled", streamed: true, timeToFirstTokenMs: random.latency() / 10, usageEstimated: true }),
  // Coalesced and from the response cache: nothing was paid.
  () => ({ costNanos: 0, saved: { coalescing: 900 } }),
  () => ({ costNanos: 0, saved: { responseCache: 800 } }),
  // A hedge that was broken off, further attempts, several answers to choose from.
  (random) => ({ costNanos: 1800, saved: { hedging: -random.below(900), choice: random.below(50) } }),
  () => ({ costNanos: 2500, saved: { failover: -700, retry: -800 } }),
  () => ({ deviation: "best_of_n", servedModel: "large", costNanos: 4000, saved: { candidates: -3000 } }),
  () => ({ deviation: "routed", servedModel: "small", costNanos: 300, saved: { routing: 700 } }),
  () => ({ cacheReadTokens: 700, cacheWriteTokens: 90, cacheSavedNanos: -30, saved: { cacheMarks: 120 } }),
  // Imported, and from before there was a choice of models; a run of a dataset; without a known price.
  () => ({ servedModel: "", upstreamRequestId: "", reasoningTokens: 7 }),
  () => ({ tags: { dataset: "one", team: "search" }, workload: "evaluation" }),
  () => ({ costNanos: null, baseCostNanos: 500 }),
];
/** Sessions of agents, which begin others. */
const SESSIONS = [
  { sessionId: null },
  { sessionId: "run-1" },
  { sessionId: "run-2" },
  { sessionId: "sub-1", parentSessionId: "run-1" },
  { sessionId: "sub-2", parentSessionId: "sub-1" },
];
const FAILED = { status: "failed", costNanos: null, baseCostNanos: null };

/** Numbers and choices by chance, the same for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns a number from 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  latency(): number {
    return Math.round(2 ** (1 + this.next() * 15) * 100) / 100;
  }
}

/** Returns a time of up to 400 days before now: at any moment, or right at the edge of an hour, a day or a week. */
export function timeBefore(random: Random, nowMs: number): number {
  const ago = random.pick([2 * HOUR, 30 * HOUR, 10 * DAY, 60 * DAY, 400 * DAY]) * random.next();
  const timeMs = Math.floor(nowMs - 2 * MINUTE - ago);
  const { length, offset } = random.pick([
    undefined,
    { length: HOUR, offset: 0 },
    { length: DAY, offset: 0 },
    WEEK,
  ]) ?? {
    length: 1,
    offset: 0,
  };
  return timeMs - ((timeMs - offset) % length) - random.pick([0, 0, length === 1 ? 0 : 1]);
}

/** Makes a history by chance. */
export function makeHistory(
  random: Random,
  { projectId, nowMs, count }: { readonly projectId: string; readonly nowMs: number; readonly count: number },
): History {
  let number = random.below(2 ** 31);
  const idOf = (timeMs: number) => {
    number += 1;
    return idAt(new Date(timeMs).toISOString(), number);
  };
  const calls = Array.from({ length: count }, () => {
    const timeMs = timeBefore(random, nowMs);
    const model = random.pick(["large", "large", "small", "other"]);
    const costNanos = random.below(5000);
    return inferenceRow({
      projectId,
      id: idOf(timeMs),
      startedAt: new Date(timeMs),
      model,
      keyId: random.pick(["keyA", "keyB", "keyC"]),
      workload: random.pick(["support", "search", ""]),
      upstream: random.pick(["anthropic", "openai"]),
      latencyMs: random.latency(),
      costNanos,
      baseCostNanos: costNanos + random.below(100),
      inputTokens: random.below(1000),
      outputTokens: random.below(300),
      ...random.pick(SESSIONS),
      endUserId: random.pick([null, "ada", "bob"]),
      tags: random.pick<InferenceRow["tags"]>([null, { team: "search" }, { team: "mail", channel: "web" }]),
      ...random.pick(KINDS)(random),
    });
  });
  const feedback = Array.from({ length: count }, () => {
    const call = random.pick(calls);
    const createdMs = random.pick([call.startedAt.getTime() + random.below(3 * DAY), timeBefore(random, nowMs)]);
    const timeMs = Math.min(Math.max(createdMs, call.startedAt.getTime()), nowMs - MINUTE);
    const value = random.pick([
      ...[{ kind: "boolean", name: "helpful", booleanValue: random.next() < 0.7, floatValue: null }],
      ...[
        { kind: "float", name: random.pick(["score", "helpful"]), floatValue: Math.round(random.next() * 1000) / 100 },
      ],
      ...[{ kind: "note", name: "comment", textValue: "Good", floatValue: null }],
    ]);
    return feedbackRow({
      projectId,
      id: idOf(timeMs),
      createdAt: new Date(timeMs),
      inferenceId: call.id,
      keyId: call.keyId,
      model: call.model,
      servedModel: call.servedModel || call.model,
      workload: call.workload,
      sessionId: call.sessionId,
      optimize: random.pick(["max", "max", "min", null]),
      ...value,
    });
  });
  const refused = Array.from({ length: count / 4 }, (): Refused => {
    const atMs = Math.floor(nowMs - random.next() * random.pick([HOUR, 2 * HOUR, DAY, 80 * DAY]));
    const times = random.pick([atMs, atMs - (atMs % MINUTE), atMs - (atMs % HOUR)]);
    const reason = random.pick(["limit", "budget"] as const);
    return { reason, keyId: random.pick(["keyA", "keyB"]), atMs: times, calls: 1 + random.below(9) };
  });
  const trials = Array.from(
    { length: count / 3 },
    (): Trial => ({
      atMs: timeBefore(random, nowMs),
      model: random.pick(["large", "small"]),
      ...random.pick<Pick<Trial, "kind" | "costNanos">>([
        { kind: "trial", costNanos: random.below(900) },
        { kind: "check", costNanos: null },
        { kind: "silent", costNanos: random.below(900) },
        { kind: "verdict", costNanos: null },
      ]),
    }),
  );
  const run = { id: idOf(nowMs), answers: calls.slice(0, 30).flatMap(({ id }) => answersTo(random, id)) };
  return { projectId, calls, feedback, refused, trials, run };
}

/** Makes the answers of both models of a run to a request; one that cannot be asked again has none. */
function answersTo(random: Random, inferenceId: string): Answer[] {
  const isSkipped = random.next() < 0.1;
  return ([0, 1] as const).map((side) => {
    const outcome = isSkipped ? "skipped" : random.pick(["answered", "answered", "answered", "failed"] as const);
    const isAnswered = outcome === "answered";
    return {
      inferenceId,
      side,
      outcome,
      inputTokens: random.below(900),
      outputTokens: random.below(300),
      costNanos: isSkipped ? null : random.pick([null, random.below(900), random.below(900)]),
      gradeNanos: isAnswered ? random.pick([null, random.below(90)]) : null,
      latencyMs: isAnswered ? random.latency() : null,
      failedChecks: isAnswered ? random.pick([null, "", "json", "json refusal"]) : null,
      isGood: isAnswered ? random.pick([null, true, false]) : null,
    };
  });
}
