import { create, toBinary } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type GenerateEvent,
  GenerateResponseSchema,
  InferenceInputSchema,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import { Capacity } from "../../hub/capacity.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { startedEvent } from "../../hub/events.ts";
import type { HubInput } from "../../hub/input.ts";
import { isStored } from "../../hub/request-traits.ts";
import { whenAvailable } from "../../hub/when-available.ts";
import type { InferenceRecord, Recorder, StoredInference } from "../ports.ts";
import { processGone } from "../run/provisional-record.ts";
import { LiveLog } from "./live-log.ts";
import type { BackgroundEntry, BackgroundRow, BackgroundStore } from "./ports.ts";

/** An answer that is made in the background by this process: the log of its events. */
class LiveAnswer extends LiveLog<GenerateEvent> {
  readonly entry: BackgroundEntry;
  readonly #stop = new AbortController();

  constructor(entry: BackgroundEntry) {
    const { id, input, startedAt } = entry;
    // Its callers know its id from now on. Who serves it is told by a second event of this kind.
    super([startedEvent({ id, model: input.model, createdAt: timestampFromDate(startedAt) })]);
    this.entry = entry;
  }

  /** Aborts when it is to be broken off. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Breaks it off; it ends a little later. */
  breakOff(reason: InferenceError): void {
    this.#stop.abort(reason);
  }
}

/** The ports of the background. */
interface BackgroundPorts {
  readonly store: BackgroundStore;
  readonly recorder: Recorder;
  readonly limits: BackgroundLimits;
  readonly log: { warn(facts: object, message: string): void };
  readonly times?: Partial<BackgroundTimes>;
}

/** Most that is made in the background at once. */
interface BackgroundLimits {
  /** Inferences; half of them for one key. */
  readonly background: number;
  /** Part of them, and of what their requests take up, for the keys of one project. */
  readonly projectShare: number;
}

/** Bytes that the requests of all inferences in the background may have together. */
const MOST_BYTES = 2 ** 28;

/** When a place may be free again. */
const RETRY_AFTER_MS = 5000;

/** Times of the background, in milliseconds. */
interface BackgroundTimes {
  /** The interval at which a process reports its work, and reads cancellations. */
  readonly beatMs: number;
  /** A process that was not heard of for so long makes nothing any more. */
  readonly silentMs: number;
}

const TIMES: BackgroundTimes = { beatMs: 2000, silentMs: 30_000 };

/** The time limit of removing the last rows when the process ends. */
const LAST_ROWS_MS = 2000;

/** Makes an answer: resolves at its end, when it is recorded. */
type MakeAnswer = (answer: LiveAnswer) => Promise<void>;

/**
 * Inferences that go on without their callers. Each has a row in the database until it is recorded, in which its
 * process says again and again that it is there; who finds a process silent for long records what it left as failed.
 */
export class Background {
  readonly #ports: BackgroundPorts;
  readonly #times: BackgroundTimes;
  readonly #places: Capacity;
  readonly #bytes: Capacity;
  readonly #live = new Map<string, LiveAnswer>();
  /** Inferences that are recorded, and whose rows are still there. */
  readonly #leftRows = new Set<string>();
  readonly #timers: readonly NodeJS.Timeout[];
  #isBusy = false;

  constructor(ports: BackgroundPorts) {
    this.#ports = ports;
    this.#times = { ...TIMES, ...ports.times };
    const { background: most, projectShare } = ports.limits;
    const remedy = "wait until some of them have ended";
    const shared = { remedy, projectShare, retryAfterMs: RETRY_AFTER_MS };
    this.#places = new Capacity({ ...shared, most, name: "responses in the background" });
    this.#bytes = new Capacity({ ...shared, most: MOST_BYTES, name: "bytes of requests in the background" });
    const { beatMs, silentMs } = this.#times;
    this.#timers = [
      setInterval(() => void this.#beat(), beatMs).unref(),
      setInterval(() => void this.#takeOver(), silentMs / 2).unref(),
    ];
  }

  /**
   * Begins to make an answer. Throws RATE_LIMITED or UNAVAILABLE where too many are under way, or the database is away.
   */
  async begin(entry: BackgroundEntry, make: MakeAnswer): Promise<StoredInference> {
    const leave = this.#enter(entry);
    try {
      await available(this.#ports.store.add(entry));
    } catch (thrown) {
      leave();
      throw thrown;
    }
    const answer = new LiveAnswer(entry);
    this.#live.set(entry.id, answer);
    void this.#make(answer, make).finally(leave);
    return getState(entry, "queued");
  }

  /** The answer that this process makes for an inference, also when it has just ended. */
  live(id: string, projectId: string): LiveAnswer | undefined {
    const answer = this.#live.get(id);
    return answer?.entry.projectId === projectId ? answer : undefined;
  }

  /**
   * Finds an inference that is under way, in whatever process; what no process makes any more is recorded as failed.
   */
  async find(id: string, projectId: string): Promise<StoredInference | undefined> {
    const answer = this.live(id, projectId);
    if (answer !== undefined) return answer.isEnded ? undefined : getState(answer.entry, "in_progress");
    if (this.#leftRows.has(id)) return undefined;
    const row = await available(this.#ports.store.read(id, projectId));
    if (row === undefined) return undefined;
    if (row.silentMs < this.#times.silentMs) return getState(row, "in_progress");
    await available(this.#fail([row]));
    return undefined;
  }

  /** Asks the process that makes an inference to break it off. */
  async requestCancel(id: string, projectId: string): Promise<void> {
    await available(this.#ports.store.requestCancel(id, projectId));
  }

  /** Removes the rows of what has ended. What still runs is found silent by others, or by the next process. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    const deadline = performance.now() + LAST_ROWS_MS;
    for (const answer of this.#live.values()) await answer.ended(Math.max(0, deadline - performance.now()));
    const ended = [...this.#live].filter(([, answer]) => answer.isEnded).map(([id]) => id);
    const left = [...this.#leftRows, ...ended];
    await this.#ports.store.remove(left).catch((error) => this.#warn(error));
  }

  /** Takes a place, and returns what gives it back. */
  #enter(entry: BackgroundEntry): () => void {
    const bytes = getSize(entry.input);
    const refusal = this.#places.check(entry) ?? this.#bytes.check(entry, bytes);
    if (refusal !== undefined) throw refusal;
    this.#places.add(entry);
    this.#bytes.add(entry, bytes);
    return () => {
      this.#places.remove(entry);
      this.#bytes.remove(entry, bytes);
    };
  }

  async #make(answer: LiveAnswer, make: MakeAnswer): Promise<void> {
    const { id } = answer.entry;
    let error: InferenceError | undefined;
    try {
      await make(answer);
    } catch (thrown) {
      error = InferenceError.from(thrown);
    }
    answer.end(error);
    try {
      await this.#ports.store.remove([id]);
    } catch (thrown) {
      this.#leftRows.add(id);
      this.#warn(thrown);
    }
    this.#live.delete(id);
  }

  /** Says what is made here, hears what is to be broken off, and removes rows that could not be removed before. */
  async #beat(): Promise<void> {
    if (this.#isBusy || this.#live.size + this.#leftRows.size === 0) return;
    this.#isBusy = true;
    try {
      const left = [...this.#leftRows];
      await this.#ports.store.remove(left);
      for (const id of left) this.#leftRows.delete(id);
      const made = [...this.#live].filter(([, answer]) => !answer.isEnded).map(([id]) => id);
      const { cancelled, lost } = await this.#ports.store.beat(made);
      for (const id of cancelled) this.#live.get(id)?.breakOff(cancelledError());
      for (const id of lost) this.#live.get(id)?.breakOff(processGone());
    } catch (thrown) {
      this.#warn(thrown);
    } finally {
      this.#isBusy = false;
    }
  }

  /** Records as failed what no process makes any more. */
  async #takeOver(): Promise<void> {
    try {
      await this.#fail(await this.#ports.store.silentFor(this.#times.silentMs));
    } catch (thrown) {
      this.#warn(thrown);
    }
  }

  async #fail(rows: readonly BackgroundRow[]): Promise<void> {
    // What this process makes itself it makes, however long the database was away.
    const left = rows.filter(({ id }) => !this.#live.has(id));
    for (const row of left) if (!this.#leftRows.has(row.id)) this.#ports.recorder.offer(failedRecord(row));
    await this.#ports.store.remove(left.map(({ id }) => id));
  }

  #warn(error: unknown): void {
    this.#ports.log.warn({ err: error }, "what is made in the background cannot be kept up in the database");
  }
}

/** Returns the error of an inference whose caller has cancelled it. */
export function cancelledError(): InferenceError {
  return new InferenceError(ErrorReason.CANCELED, "the response was cancelled");
}

function getState(entry: BackgroundEntry, status: "queued" | "in_progress"): StoredInference {
  const { id, input, previousId } = entry;
  return { id, previousId, input, output: getBeginning(entry), status };
}

/** Returns how many bytes a request takes up, roughly. */
function getSize(input: HubInput): number {
  return toBinary(InferenceInputSchema, input).length + (input.echo?.json.length ?? 0);
}

function getBeginning({ id, input, startedAt }: BackgroundEntry) {
  return create(GenerateResponseSchema, { id, model: input.model, createdAt: timestampFromDate(startedAt) });
}

/**
 * The record of an inference whose process has ended without one. Where it left one after all, the first that is
 * written stays.
 */
function failedRecord(row: BackgroundRow): InferenceRecord {
  const { id, projectId, keyId, model, streamed, startedAt, previousId, input } = row;
  return {
    id,
    projectId,
    keyId,
    model,
    streamed,
    startedAt,
    previousId,
    input,
    dialect: input.dialect,
    workload: input.workload,
    servedModel: model,
    upstream: "",
    upstreamModel: "",
    upstreamRequestId: "",
    attempts: [],
    status: "failed",
    error: processGone().with({ inferenceId: id }),
    latencyMs: row.beatAt.getTime() - startedAt.getTime(),
    isEstimated: false,
    stored: true,
    output: getBeginning(row),
  };
}

async function available<T>(work: Promise<T>): Promise<T> {
  return await whenAvailable(work, "responses in the background cannot be reached");
}

/** Refuses what cannot be made in the background. */
export function checkStorable(input: HubInput, keepsNothing: string | undefined): void {
  if (keepsNothing !== undefined) throw InferenceError.invalid("background", keepsNothing);
  if (isStored(input)) return;
  throw InferenceError.invalid("store", "an inference runs in the background only if it is stored: leave it out");
}
