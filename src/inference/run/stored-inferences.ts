import { setTimeout as delay } from "node:timers/promises";
import type { GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { isUuid } from "../../lib/ids.ts";
import { type Background, cancelledError } from "../background/background.ts";
import { deleteStored, keepsNothing, MAX_CHAIN, readStored, type StoredPorts } from "../history/read-stored.ts";
import { replayEvents } from "../history/replay-events.ts";
import type { StoredInference } from "../ports.ts";
import type { Caller } from "./service.ts";

/** The inferences that a caller can read back. */
export interface StoredInferences {
  /**
   * Returns an inference and, if `withPrevious`, those that it continues: the latest first. Throws NOT_FOUND if there
   * is none of that id in the caller's project.
   */
  read(id: string, withPrevious: boolean, caller: Caller): Promise<readonly [StoredInference, ...StoredInference[]]>;
  /**
   * Returns an inference as it is now, and all its events: one that is under way is followed to its end. Throws as
   * read() does.
   */
  follow(id: string, caller: Caller): Promise<Followed>;
  /**
   * Breaks off an inference that is made in the background, and returns it as it ended. Throws NOT_FOUND as read()
   * does, and INVALID_REQUEST for one that was made otherwise.
   */
  cancel(id: string, caller: Caller): Promise<StoredInference>;
  /** Deletes what was asked and answered. Throws NOT_FOUND as read() does. */
  delete(id: string, caller: Caller): Promise<void>;
}

/** An inference and its events. */
interface Followed {
  readonly inference: StoredInference;
  /** Throws what the inference failed with, and CANCELED if it was broken off. */
  readonly events: AsyncIterable<GenerateEvent[]>;
}

/** The ports of stored inferences. */
export type StoredInferencesPorts = StoredPorts & {
  readonly background: Pick<Background, "find" | "live" | "requestCancel">;
};

/** Events of a stored answer that are handed on at a time. */
const BATCH = 256;
/** The interval of looking for an inference that another process makes. */
const LOOK_MS = 250;
/** The time limit of finding a background inference in the database. */
const FIND_MS = 2000;
/** The time that a caller waits for a cancelled inference to end. */
const CANCEL_MS = 10_000;

/** Creates the way to stored inferences. */
export function createStoredInferences(ports: StoredInferencesPorts): StoredInferences {
  return new PortedInferences(ports);
}

class PortedInferences implements StoredInferences {
  readonly #ports: StoredInferencesPorts;

  constructor(ports: StoredInferencesPorts) {
    this.#ports = ports;
  }

  async read(
    id: string,
    withPrevious: boolean,
    { principal: { projectId } }: Caller,
  ): Promise<readonly [StoredInference, ...StoredInference[]]> {
    const made = await this.#find(id, projectId);
    const limit = withPrevious ? MAX_CHAIN : 1;
    if (made !== undefined && made !== "unsure") {
      const from = withPrevious ? made.previousId : undefined;
      return [made, ...(from === undefined ? [] : await readStored(from, { projectId, limit }, this.#ports))];
    }
    const [first, ...others] = await readStored(id, { projectId, limit }, this.#ports);
    if (first === undefined) throw made === "unsure" ? unknownProgress() : this.#notStored(id, projectId);
    return [first, ...others];
  }

  async follow(id: string, caller: Caller): Promise<Followed> {
    const live = this.#ports.background.live(id.toLowerCase(), caller.principal.projectId);
    if (live !== undefined && !live.isEnded) {
      const [inference] = await this.read(id, false, caller);
      return { inference, events: live.read(caller.signal) };
    }
    const [inference] = await this.read(id, false, caller);
    return { inference, events: this.#replay(inference, caller) };
  }

  async cancel(id: string, caller: Caller): Promise<StoredInference> {
    const { background } = this.#ports;
    const { projectId } = caller.principal;
    const [found] = await this.read(id, false, caller);
    if (!found.input.background) throw notInBackground(id);
    if (!isUnderWay(found)) return found;
    const live = background.live(id.toLowerCase(), projectId);
    if (live === undefined) await background.requestCancel(id.toLowerCase(), projectId);
    else {
      live.breakOff(cancelledError());
      await live.ended(CANCEL_MS);
    }
    const ended = await this.#ended(id, caller, CANCEL_MS);
    if (!isUnderWay(ended)) return ended;
    const message = `the response '${id}' is being canceled, and has not ended yet: try again shortly`;
    throw new InferenceError(ErrorReason.UNAVAILABLE, message, { retryAfterMs: 1000 });
  }

  async delete(id: string, { principal: { projectId } }: Caller): Promise<void> {
    const made = await this.#find(id, projectId);
    if (made !== undefined && made !== "unsure") {
      throw InferenceError.invalid("", `the response '${id}' is still being made: cancel it first`);
    }
    if (!(await deleteStored(id, projectId, this.#ports))) throw this.#notStored(id, projectId);
  }

  /**
   * Finds what is made in the background; "unsure" where the database does not say so soon. What waits in the queue can
   * be read while it is away, and the archive takes its own time to say so of all else.
   */
  async #find(id: string, projectId: string): Promise<StoredInference | "unsure" | undefined> {
    if (!isUuid(id)) return undefined;
    const giveUp = new AbortController();
    const waited = delay(FIND_MS, "unsure" as const, { signal: giveUp.signal }).catch(() => "unsure" as const);
    const found = this.#ports.background.find(id.toLowerCase(), projectId).catch((thrown: unknown) => {
      if (InferenceError.from(thrown).reason === ErrorReason.UNAVAILABLE) return "unsure" as const;
      throw thrown;
    });
    return await Promise.race([found, waited]).finally(() => giveUp.abort());
  }

  /**
   * Hands on the events of what has ended, each batch in an iteration of its own; what another process makes is waited
   * for.
   */
  async *#replay(begun: StoredInference, caller: Caller): AsyncGenerator<GenerateEvent[]> {
    const { signal } = caller;
    if (isUnderWay(begun)) yield [...replayEvents(begun.output)];
    const { status, error, output } = isUnderWay(begun) ? await this.#ended(begun.id, caller) : begun;
    let batch: GenerateEvent[] = [];
    for (const event of replayEvents(output)) {
      batch.push(event);
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
      await delay(0);
      if (signal.aborted) throw InferenceError.fromAbort(signal);
    }
    if (batch.length > 0) yield batch;
    if (status === "canceled") throw cancelledError();
    if (error !== undefined) throw error;
  }

  /** Returns an inference once it has ended, or as it is when the time is over. */
  async #ended(id: string, caller: Caller, limitMs = Number.POSITIVE_INFINITY): Promise<StoredInference> {
    const deadline = performance.now() + limitMs;
    for (;;) {
      if (caller.signal.aborted) throw InferenceError.fromAbort(caller.signal);
      const [found] = await this.read(id, false, caller);
      if (!isUnderWay(found) || performance.now() >= deadline) return found;
      await delay(LOOK_MS);
    }
  }

  #notStored(id: string, projectId: string): InferenceError {
    return notStored(id, keepsNothing(this.#ports.archive, projectId));
  }
}

function unknownProgress(): InferenceError {
  const message = "Attune can't find out at the moment whether the response is in progress: try again shortly";
  return new InferenceError(ErrorReason.UNAVAILABLE, message, { retryAfterMs: 1000 });
}

function isUnderWay({ status }: StoredInference): boolean {
  return status === "queued" || status === "in_progress";
}

function notInBackground(id: string): InferenceError {
  return InferenceError.invalid("", `the response '${id}' was not made in the background: only those can be cancelled`);
}

function notStored(id: string, reason: string | undefined): InferenceError {
  const others = "it was never made, failed, was deleted, or was not to be stored";
  return new InferenceError(
    ErrorReason.NOT_FOUND,
    `no stored response has the id '${id.slice(0, 64)}': ${reason ?? others}`,
  );
}
