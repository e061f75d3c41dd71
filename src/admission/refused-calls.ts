import { ErrorReason, type InferenceError } from "../hub/error.ts";
import type { Principal } from "../hub/principal.ts";
import {
  addRefusals,
  MINUTES_KEPT,
  MOST_SAMPLES,
  type RefusalBatch,
  type RefusalCount,
  type RefusalReason,
  type RefusalSample,
} from "../hub/refusals.ts";
import { newId } from "../lib/ids.ts";
import { redactKeys } from "../lib/redact-keys.ts";

/** The reason that a failure counts by; undefined for one that is no refusal. A new ErrorReason has to be decided. */
const REASON: Record<ErrorReason, RefusalReason | undefined> = {
  [ErrorReason.UNSPECIFIED]: undefined,
  [ErrorReason.INVALID_REQUEST]: "bad_request",
  [ErrorReason.UNAUTHENTICATED]: "unknown_key",
  [ErrorReason.PERMISSION_DENIED]: "not_allowed",
  [ErrorReason.MODEL_NOT_FOUND]: "unknown_model",
  [ErrorReason.NOT_FOUND]: undefined,
  [ErrorReason.REQUEST_TOO_LARGE]: "too_large",
  [ErrorReason.CONTEXT_LENGTH_EXCEEDED]: "too_large",
  [ErrorReason.TRANSLATION_LOSS]: "bad_request",
  [ErrorReason.RATE_LIMITED]: "limit",
  [ErrorReason.QUOTA_EXCEEDED]: "budget",
  [ErrorReason.CONTENT_FILTERED]: undefined,
  [ErrorReason.UPSTREAM_OVERLOADED]: undefined,
  [ErrorReason.UPSTREAM_ERROR]: undefined,
  [ErrorReason.UPSTREAM_UNAUTHENTICATED]: undefined,
  [ErrorReason.UPSTREAM_UNREACHABLE]: undefined,
  [ErrorReason.UPSTREAM_TIMEOUT]: undefined,
  [ErrorReason.STREAM_INTERRUPTED]: undefined,
  [ErrorReason.CANCELED]: undefined,
  [ErrorReason.UNAVAILABLE]: undefined,
  [ErrorReason.INTERNAL]: undefined,
  [ErrorReason.PREVIOUS_NOT_FOUND]: "bad_request",
  [ErrorReason.DEADLINE_EXCEEDED]: undefined,
  [ErrorReason.THREAD_UNSUPPORTED]: "bad_request",
  [ErrorReason.UPSTREAM_MISCONFIGURED]: undefined,
  [ErrorReason.IDEMPOTENCY_KEY_REUSED]: "bad_request",
  [ErrorReason.ANSWER_NOT_KEPT]: "bad_request",
  [ErrorReason.ALREADY_EXISTS]: "bad_request",
  [ErrorReason.CONFLICT]: "bad_request",
};

/** A call that failed. */
interface FailedCall {
  /** Method and route, or the name of the RPC: nothing that the caller chose. */
  readonly call: string;
  /** Undefined for a caller who was not admitted. */
  readonly principal: Pick<Principal, "keyId" | "projectId"> | undefined;
}

/** Takes note of a failed call. */
export type NoteFailedCall = (error: InferenceError, call: FailedCall) => void;

/** The ports of the counter. */
interface RefusedCallsPorts {
  /** Writes a batch, all of it or nothing. */
  readonly write: (batch: RefusalBatch) => Promise<void>;
  /** Hears of each refusal. */
  readonly count?: (reason: RefusalReason) => void;
  /** Hears that a batch could not be written; it is tried again. */
  readonly onFailure?: (error: unknown) => void;
  readonly periodMs?: number;
}

const PERIOD_MS = 10_000;
const MINUTE_MS = 60_000;
/** Most counts, and most groups of samples, that wait for the next batch. */
const MOST_COUNTS = 10_000;
const MOST_GROUPS = 100;
const MOST_MESSAGE = 500;

/**
 * Counts refused calls in memory, and keeps the last of each reason and project. A batch is written every ten seconds:
 * a flood of refusals adds one row of counts and at most 100 samples to it, however many they are.
 */
export class RefusedCalls {
  readonly #ports: RefusedCallsPorts;
  readonly #timer: NodeJS.Timeout;
  #counts = new Map<string, RefusalCount>();
  #samples = new Map<string, RefusalSample[]>();
  #writing: Promise<void> | undefined;

  constructor(ports: RefusedCallsPorts) {
    this.#ports = ports;
    this.#timer = setInterval(() => void this.flush(), ports.periodMs ?? PERIOD_MS);
    this.#timer.unref();
  }

  /** Takes note of a failed call, if it was refused. */
  note(error: InferenceError, { call, principal }: FailedCall): void {
    const { upstream, upstreamStatus, inferenceId, rejectedKey } = error.facts;
    // A call that was begun has a record of its own.
    if (upstream !== undefined || upstreamStatus !== undefined || inferenceId !== undefined) return;
    const reason = rejectedKey?.rejected ?? REASON[error.reason];
    if (reason === undefined) return;
    const { projectId = "", keyId = "" } = rejectedKey?.owner ?? principal ?? {};
    const at = new Date();
    this.#ports.count?.(reason);
    const [firstMs, minute] = [at.getTime(), Math.floor(at.getTime() / MINUTE_MS)];
    this.#add({ minute, reason, projectId, keyId, calls: 1, firstMs, lastMs: firstMs });
    const message = error.message.slice(0, MOST_MESSAGE).toWellFormed();
    this.#sample({ id: newId(), at, reason, projectId, keyId, call, message });
  }

  /** Writes what waits; after a failure it waits on. */
  flush(): Promise<void> {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  /** Writes the rest. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    await this.flush();
  }

  async #write(): Promise<void> {
    if (this.#counts.size === 0) return;
    const counts = [...this.#counts.values()];
    // Only what is kept: to look through each message of a flood would cost more than to count it.
    const samples = [...this.#samples.values()]
      .flat()
      .map((sample) => ({ ...sample, message: redactKeys(sample.message) }));
    this.#counts = new Map();
    this.#samples = new Map();
    try {
      await this.#ports.write({ counts, samples });
    } catch (error) {
      this.#ports.onFailure?.(error);
      const oldest = Math.floor(Date.now() / MINUTE_MS) - MINUTES_KEPT;
      // In a long outage what is counted by the hour only needs no room for each minute.
      for (const count of counts) this.#add(count.minute < oldest ? { ...count, minute: hourStart(count) } : count);
      const later = [...this.#samples.values()].flat();
      this.#samples = new Map();
      for (const sample of [...samples, ...later]) this.#sample(sample);
    }
  }

  #add(count: RefusalCount): void {
    const { minute, reason, projectId, keyId } = count;
    const key = `${minute} ${reason} ${projectId} ${keyId}`;
    const known = this.#counts.get(key);
    if (known !== undefined) this.#counts.set(key, addRefusals(known, count));
    else if (this.#counts.size < MOST_COUNTS || (projectId === "" && keyId === "")) this.#counts.set(key, count);
    // There is no room for a further key: its calls count without it.
    else this.#add({ ...count, projectId: "", keyId: "" });
  }

  #sample(sample: RefusalSample): void {
    const key = `${sample.reason} ${sample.projectId}`;
    const group = this.#samples.get(key);
    if (group === undefined) {
      if (this.#samples.size < MOST_GROUPS) this.#samples.set(key, [sample]);
      return;
    }
    group.push(sample);
    if (group.length > MOST_SAMPLES) group.shift();
  }
}

/** Returns the first minute of the hour in which calls were refused. */
function hourStart({ minute }: RefusalCount): number {
  return minute - (minute % 60);
}
