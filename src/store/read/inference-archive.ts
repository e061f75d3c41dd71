import { setTimeout as delay } from "node:timers/promises";
import { ErrorReason, InferenceError } from "../../inference/error.ts";
import type { InferenceArchive, StoredInference } from "../../inference/ports.ts";
import { type BodyPolicy, DEFAULT_BODY_POLICY } from "../bodies/body-policy.ts";
import type { PendingInference, PendingInferences } from "../types/pending-inference.ts";
import type { Store } from "../types/store.ts";
import { isYoung } from "./inference-lookup.ts";
import { readChainRows } from "./read-chain-rows.ts";

/** Bounds of an archive. */
export interface ArchiveOptions {
  /** Most bytes that the inferences of a chain may take up together, not compressed. */
  readonly maxBytes: number;
  /** How long a record may take from another host to the database. */
  readonly arrivalMs?: number;
  /** How long delete() waits for a record to reach the database. */
  readonly flushTimeoutMs?: number;
  /** What is kept of a project's requests and answers; everything, where it is not given. */
  readonly bodiesOf?: (projectId: string) => BodyPolicy;
}

const DEFAULTS = { arrivalMs: 300, flushTimeoutMs: 5000, bodiesOf: () => DEFAULT_BODY_POLICY };

/** Creates an archive on a database, and on the records of this process that are not yet there. */
export function createInferenceArchive(
  store: Store,
  recorder: PendingInferences,
  options: ArchiveOptions,
): InferenceArchive {
  return new StoreArchive(store, recorder, options);
}

class StoreArchive implements InferenceArchive {
  readonly #store: Store;
  readonly #recorder: PendingInferences;
  readonly #options: Required<ArchiveOptions>;

  constructor(store: Store, recorder: PendingInferences, options: ArchiveOptions) {
    this.#store = store;
    this.#recorder = recorder;
    this.#options = { ...DEFAULTS, ...options };
  }

  async readChain(id: string, projectId: string, limit: number): Promise<readonly StoredInference[]> {
    const chain = await available(this.#read(id, projectId, limit));
    if (chain.length > 0 || !(await available(this.#mayArrive(id)))) return chain;
    await delay(this.#options.arrivalMs);
    return await available(this.#read(id, projectId, limit));
  }

  async delete(id: string, projectId: string): Promise<boolean> {
    const exists = (await this.readChain(id, projectId, 1)).length > 0;
    return exists && (await available(this.#delete(id, projectId)));
  }

  keeps(projectId: string): boolean {
    return this.#options.bodiesOf(projectId) === "full";
  }

  /** The queue is asked first: a record leaves it only once it is in the database. */
  async #read(id: string, projectId: string, limit: number): Promise<StoredInference[]> {
    const chain: StoredInference[] = [];
    let bytesLeft = this.#options.maxBytes;
    for (let next: string | undefined = id; next !== undefined && chain.length < limit; ) {
      const pending = this.#recorder.pending(next);
      if (pending !== undefined) {
        const found = fromPending(pending, projectId);
        if (found === undefined) break;
        chain.push(found);
      } else {
        const found = await readChainRows(this.#store, { id: next, projectId, limit: limit - chain.length, bytesLeft });
        if (found.chain.length === 0) break;
        chain.push(...found.chain);
        bytesLeft = found.bytesLeft;
      }
      next = chain.at(-1)?.previousId;
    }
    return chain;
  }

  /** Tells whether the record may still be on its way: from another host, where no queue of this process tells of it. */
  async #mayArrive(id: string): Promise<boolean> {
    if (this.#store.engine === "sqlite" || !isYoung(id)) return false;
    if (this.#recorder.find(id) !== undefined) return false;
    const query = this.#store.query().selectFrom("Inference").select("id").where("id", "=", id);
    return (await query.executeTakeFirst()) === undefined;
  }

  async #delete(id: string, projectId: string): Promise<boolean> {
    if (this.#recorder.find(id) !== undefined) {
      await Promise.race([this.#recorder.flush(), delay(this.#options.flushTimeoutMs, undefined, { ref: false })]);
      if (this.#recorder.find(id) !== undefined) throw new Error("the record waits for the database");
    }
    return await this.#store.transaction(async (tables) => {
      const { numUpdatedRows } = await tables
        .updateTable("Inference")
        .set({ deletedAt: new Date() })
        .where("id", "=", id)
        .where("projectId", "=", projectId)
        .where("stored", "=", true)
        .where("deletedAt", "is", null)
        .executeTakeFirstOrThrow();
      await tables.deleteFrom("InferenceBody").where("id", "=", id).execute();
      return numUpdatedRows > 0n;
    });
  }
}

function fromPending({ row, content }: PendingInference, projectId: string): StoredInference | undefined {
  if (!row.stored || row.projectId !== projectId || content === undefined) return undefined;
  return { id: row.id, previousId: row.previousId ?? undefined, ...content };
}

/** A database that is away is no fault of the request. */
async function available<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof InferenceError) throw cause;
    const message = "stored responses cannot be reached at the moment: try again shortly";
    throw new InferenceError(ErrorReason.UNAVAILABLE, message, { retryAfterMs: 1000, cause });
  }
}
