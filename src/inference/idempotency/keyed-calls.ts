import { setTimeout as delay } from "node:timers/promises";
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { GenerateResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { Capacity } from "../../hub/capacity.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import type { IdempotencyKey } from "../../hub/idempotency-key.ts";
import type { Principal } from "../../hub/principal.ts";
import { whenAvailable } from "../../hub/when-available.ts";
import { newId } from "../../lib/ids.ts";
import { LiveLog } from "../background/live-log.ts";
import type { InferenceArchive } from "../ports.ts";
import { decodeItems, encodeItems } from "./items.ts";
import type { KeyedCallStore, KeyedEnd, KeyedRow } from "./ports.ts";

/** A call that is answered once under its key, by items of one message. */
interface KeyedCall<Desc extends DescMessage> {
  readonly key: IdempotencyKey;
  readonly principal: Principal;
  readonly schema: Desc;
  /** True if its caller has no texts kept: it is answered once, and not again. */
  readonly noTexts?: boolean;
  /** Answers it; resolves to false if the answer is not to be kept. `id` is the same whoever goes on with the call. */
  readonly make: (take: (items: readonly MessageShape<Desc>[]) => void, id: string) => Promise<boolean>;
  /** Makes the items of what was recorded of an inference; absent for a call that is none. */
  readonly fromRecord?: (recorded: GenerateResponse) => Iterable<MessageShape<Desc>>;
}

/** The same for a call that is answered by one item. */
interface OneItemCall<Desc extends DescMessage> extends Omit<KeyedCall<Desc>, "make"> {
  readonly answer: (id: string) => Promise<{ readonly item: MessageShape<Desc>; readonly isKept: boolean }>;
}

/** The ports of keyed calls. */
interface KeyedCallsPorts {
  readonly store: KeyedCallStore;
  readonly archive: Pick<InferenceArchive, "readAnswers" | "keeps">;
  /** Part of all calls under keys that the keys of one project may have under way. */
  readonly projectShare: number;
  readonly log: { warn(facts: object, message: string): void };
  readonly times?: Partial<KeyedTimes>;
}

/** Times of keyed calls, in milliseconds. */
interface KeyedTimes {
  /** The interval at which a process says that it still answers its calls. */
  readonly beatMs: number;
  /** A process that was not heard of for so long answers nothing any more. */
  readonly silentMs: number;
  /** The interval of looking for the answer that another process makes. */
  readonly lookMs: number;
  /** The interval of deleting what is old. */
  readonly cleanMs: number;
}

const TIMES: KeyedTimes = { beatMs: 2000, silentMs: 30_000, lookMs: 250, cleanMs: 600_000 };

/** Most calls under keys that are under way at once. */
const MOST = 4096;
const RETRY_AFTER_MS = 1000;
/** The time limit of the last writes when the process ends. */
const CLOSE_MS = 2000;

/**
 * Calls that are answered once under their keys, whoever sends them, and however often, to whichever process. Each has
 * a row in the database for a day; the first that inserts it answers, and all others get that answer from its start.
 */
export class KeyedCalls {
  readonly #ports: KeyedCallsPorts;
  readonly #times: KeyedTimes;
  readonly #owner = newId();
  readonly #capacity: Capacity;
  readonly #live = new Map<string, LiveLog<unknown>>();
  /** Calls that this process answers. */
  #answering = 0;
  readonly #closing = new AbortController();
  readonly #timers: readonly NodeJS.Timeout[];

  constructor(ports: KeyedCallsPorts) {
    this.#ports = ports;
    this.#times = { ...TIMES, ...ports.times };
    const { projectShare } = ports;
    const remedy = "wait for the answers to some of them";
    const name = "calls with an idempotency key under way";
    this.#capacity = new Capacity({ name, remedy, projectShare, most: MOST, retryAfterMs: RETRY_AFTER_MS });
    this.#timers = [
      setInterval(() => void this.#beat(), this.#times.beatMs).unref(),
      setInterval(() => void this.#clean(), this.#times.cleanMs).unref(),
    ];
  }

  /** Reads the one answer to a call, from its start. Throws what the call failed with. */
  read<Desc extends DescMessage>(call: KeyedCall<Desc>, signal: AbortSignal): AsyncGenerator<MessageShape<Desc>[]> {
    return this.#logOf(call).read(signal);
  }

  /** Returns the one answer to a call that has one item. */
  async readOne<Desc extends DescMessage>(
    { answer, ...call }: OneItemCall<Desc>,
    signal: AbortSignal,
  ): Promise<MessageShape<Desc>> {
    const make: KeyedCall<Desc>["make"] = async (take, id) => {
      const { item, isKept } = await answer(id);
      take([item]);
      return isKept;
    };
    for await (const [item] of this.read({ ...call, make }, signal)) if (item !== undefined) return item;
    throw InferenceError.from(new Error("a call under an idempotency key has ended without an answer"));
  }

  /** Waits for the last writes. What still runs is taken over by other processes, or by the next. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    const deadline = performance.now() + CLOSE_MS;
    while (this.#live.size > 0 && performance.now() < deadline) await delay(10);
    this.#closing.abort();
  }

  #logOf<Desc extends DescMessage>(call: KeyedCall<Desc>): LiveLog<MessageShape<Desc>> {
    const { key, principal } = call;
    // Calls with other bodies are told apart by the database, which knows whose the key is.
    const name = `${principal.projectId} ${key.bodyHash} ${key.key}`;
    const known = this.#live.get(name);
    // The hash has the schema's route in it.
    if (known !== undefined) return known as LiveLog<MessageShape<Desc>>;
    const refusal = this.#capacity.check(principal);
    if (refusal !== undefined) throw refusal;
    const log = new LiveLog<MessageShape<Desc>>();
    this.#live.set(name, log);
    this.#capacity.add(principal);
    void this.#answer(log, call)
      .catch((thrown) => log.end(InferenceError.from(thrown)))
      .finally(() => {
        this.#live.delete(name);
        this.#capacity.remove(principal);
      });
    return log;
  }

  /** Answers a call, or gives it the answer of whoever has its key. */
  async #answer<Desc extends DescMessage>(log: LiveLog<MessageShape<Desc>>, call: KeyedCall<Desc>): Promise<void> {
    const { key, principal } = call;
    const { projectId } = principal;
    for (let isClaimed = false; ; ) {
      const claim = { ...key, id: newId(), projectId, owner: this.#owner };
      const row: KeyedRow | undefined = await available(
        isClaimed ? this.#ports.store.find(projectId, key.key) : this.#ports.store.claim(claim),
      );
      if (row === undefined && !isClaimed) return await this.#make(log, call, claim.id);
      isClaimed = row !== undefined;
      if (row === undefined) continue;
      if (row.bodyHash !== key.bodyHash) throw reused();
      if (row.end !== undefined) return give(log, call, row.end);
      if (row.silentMs >= this.#times.silentMs) {
        if (await available(this.#goOn(log, call, row))) return;
        isClaimed = false;
        continue;
      }
      await delay(this.#times.lookMs);
      if (!log.isRead) throw InferenceError.fromAbort(AbortSignal.abort());
    }
  }

  /** Goes on with a call whose process is gone; false if somebody else does, or its key is free again. */
  async #goOn<Desc extends DescMessage>(
    log: LiveLog<MessageShape<Desc>>,
    call: KeyedCall<Desc>,
    row: KeyedRow,
  ): Promise<boolean> {
    const { store, archive } = this.#ports;
    const { id, projectId } = row;
    if (!(await store.takeOver(id, row.owner, this.#owner))) return false;
    // Also waits for what is on its way to the database.
    const answers = call.fromRecord && (await archive.readAnswers?.([id], projectId));
    const status = call.fromRecord && (await store.recordedStatus(id, projectId));
    if (status === "failed") {
      await store.remove(id, this.#owner);
      return false;
    }
    const recorded = answers?.get(id);
    if (call.fromRecord === undefined || (status === undefined && recorded?.finished === undefined)) {
      await this.#make(log, call, id);
    } else if (recorded === undefined) {
      await store.end(id, this.#owner, { kind: "not kept" });
      throw notKept();
    } else {
      log.take([...call.fromRecord(recorded)]);
      log.end(undefined);
      await this.#end(id, { kind: "kept", answer: encodeItems(call.schema, log.items), error: undefined });
    }
    return true;
  }

  /** Has a call answered, and keeps how it ended. */
  async #make<Desc extends DescMessage>(
    log: LiveLog<MessageShape<Desc>>,
    call: KeyedCall<Desc>,
    id: string,
  ): Promise<void> {
    this.#answering += 1;
    try {
      let error: InferenceError | undefined;
      const isKept = await call
        .make((items) => log.take(items), id)
        .catch((thrown) => {
          error = InferenceError.from(thrown);
          return isLasting(error);
        });
      log.end(error);
      await this.#end(id, isKept ? this.#endOf(log, call, error) : undefined);
    } finally {
      this.#answering -= 1;
    }
  }

  #endOf<Desc extends DescMessage>(
    { items }: LiveLog<MessageShape<Desc>>,
    { schema, principal, noTexts = false }: KeyedCall<Desc>,
    error: InferenceError | undefined,
  ): KeyedEnd {
    if (noTexts || this.#ports.archive.keeps?.(principal.projectId) === false) return { kind: "not kept" };
    return { kind: "kept", answer: encodeItems(schema, items), error };
  }

  /** Writes how a call ended, or gives its key back; until that is done, this process has the answer. */
  async #end(id: string, end: KeyedEnd | undefined): Promise<void> {
    const { store } = this.#ports;
    while (!this.#closing.signal.aborted) {
      try {
        return await (end === undefined ? store.remove(id, this.#owner) : store.end(id, this.#owner, end));
      } catch (thrown) {
        this.#warn(thrown);
      }
      await delay(this.#times.beatMs, undefined, { signal: this.#closing.signal }).catch(() => {});
    }
  }

  async #beat(): Promise<void> {
    if (this.#answering > 0) await this.#ports.store.beat(this.#owner).catch((thrown) => this.#warn(thrown));
  }

  async #clean(): Promise<void> {
    await this.#ports.store.removeOld(this.#closing.signal).catch((thrown) => this.#warn(thrown));
  }

  #warn(error: unknown): void {
    this.#ports.log.warn({ err: error }, "answers under idempotency keys cannot be kept up in the database");
  }
}

function give<Desc extends DescMessage>(
  log: LiveLog<MessageShape<Desc>>,
  { schema }: KeyedCall<Desc>,
  end: KeyedEnd,
): void {
  if (end.kind === "not kept") throw notKept();
  log.take(decodeItems(schema, end.answer));
  log.end(end.error);
}

/** Tells whether the same request would fail again: others may be sent again under the same key. */
function isLasting(error: InferenceError): boolean {
  return !error.shouldRetry && error.facts.quota === undefined && !PASSING.has(error.reason);
}

/** Reasons that are no fault of the request, though it should not be sent again at once. */
const PASSING: ReadonlySet<ErrorReason> = new Set([
  ErrorReason.INTERNAL,
  ErrorReason.CANCELED,
  ErrorReason.DEADLINE_EXCEEDED,
  ErrorReason.QUOTA_EXCEEDED,
  ErrorReason.PERMISSION_DENIED,
  ErrorReason.UPSTREAM_UNAUTHENTICATED,
  ErrorReason.UPSTREAM_MISCONFIGURED,
]);

function reused(): InferenceError {
  const message = "another request was sent under this idempotency key: use a key of its own for each request";
  return new InferenceError(ErrorReason.IDEMPOTENCY_KEY_REUSED, message);
}

function notKept(): InferenceError {
  const message =
    "this request was already answered under this idempotency key, and the answer wasn't stored: send it under a new key";
  return new InferenceError(ErrorReason.ANSWER_NOT_KEPT, message);
}

async function available<T>(work: Promise<T>): Promise<T> {
  return await whenAvailable(work, "idempotency keys cannot be looked up");
}
