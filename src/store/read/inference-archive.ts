import type { GenerateResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { whenAvailable } from "../../hub/when-available.ts";
import type { IndexedItem, InferenceArchive, StoredInference } from "../../inference/ports.ts";
import { DatabaseTimeoutError } from "../../lib/database-state.ts";
import { type BodyPolicy, DEFAULT_BODY_POLICY } from "../bodies/body-policy.ts";
import type { OwnInferences } from "../peers/local-inferences.ts";
import type { PendingInference, PendingInferences } from "../types/pending-inference.ts";
import type { Store } from "../types/store.ts";
import { findItems } from "./find-items.ts";
import { readAnswers } from "./read-answers.ts";
import { type ChainPart, type ChainQuery, readChainRows, toOutcome } from "./read-chain-rows.ts";
import type { StoreLookup } from "./store-lookup.ts";

/** Bounds of an archive. */
interface ArchiveOptions {
  /** Most bytes that the inferences of a chain may take up together, not compressed. */
  readonly maxBytes: number;
  /** The time that a call waits for inferences that run, or are not yet in the database. */
  readonly waitMs?: number;
  /** Returns the body policy of a project; absent: everything is kept. */
  readonly bodiesOf?: (projectId: string) => BodyPolicy;
}

/** The ports of the archive. */
interface ArchivePorts {
  readonly store: Store;
  /** The records of this process that are not yet in the database. */
  readonly recorder: Pick<PendingInferences, "pending">;
  readonly own: Pick<OwnInferences, "written">;
  /**
   * Waits for an inference that can be read neither here nor in the database, and for others to have it nowhere else.
   */
  readonly lookup: Pick<StoreLookup, "arrival" | "hasOthers" | "settled">;
}

const DEFAULTS = { waitMs: 5000, bodiesOf: () => DEFAULT_BODY_POLICY };

/** Creates an archive on a database, and on the records that are not yet there. */
export function createInferenceArchive(ports: ArchivePorts, options: ArchiveOptions): InferenceArchive {
  return new StoreArchive(ports, options);
}

class StoreArchive implements InferenceArchive {
  readonly #ports: ArchivePorts;
  readonly #options: Required<ArchiveOptions>;
  readonly #unknownItems = new Set<string>();

  constructor(ports: ArchivePorts, options: ArchiveOptions) {
    this.#ports = ports;
    this.#options = { ...DEFAULTS, ...options };
  }

  async readChain(id: string, projectId: string, limit: number): Promise<readonly StoredInference[]> {
    return await available(this.#read(id, projectId, limit));
  }

  async readAnswers(ids: readonly string[], projectId: string): Promise<ReadonlyMap<string, GenerateResponse>> {
    if (!this.keeps(projectId)) return new Map();
    return await readAnswers(ids, projectId, { ...this.#ports, ...this.#options });
  }

  async findItems(ids: readonly string[], projectId: string): Promise<ReadonlyMap<string, readonly IndexedItem[]>> {
    if (!this.keeps(projectId)) return new Map();
    return await findItems(ids, projectId, { ...this.#ports, unknown: this.#unknownItems });
  }

  async delete(id: string, projectId: string): Promise<boolean> {
    const exists = (await this.readChain(id, projectId, 1)).length > 0;
    return exists && (await available(this.#delete(id, projectId)));
  }

  keeps(projectId: string): boolean {
    return this.#options.bodiesOf(projectId) === "full";
  }

  /** Whatever link of the chain is missing may be on its way: each is waited for, all together for a limited time. */
  async #read(id: string, projectId: string, limit: number): Promise<StoredInference[]> {
    const deadline = performance.now() + this.#options.waitMs;
    const chain: StoredInference[] = [];
    let bytesLeft = this.#options.maxBytes;
    let awaited: string | undefined;
    for (let next: string | undefined = id; next !== undefined && chain.length < limit; ) {
      const found = await this.#readFrom({ id: next, projectId, limit: limit - chain.length, bytesLeft });
      if (found.chain.length === 0) {
        if (awaited === next || !(await this.#arrives(next, projectId, deadline))) break;
        awaited = next;
        continue;
      }
      chain.push(...found.chain);
      bytesLeft = found.bytesLeft;
      next = chain.at(-1)?.previousId;
    }
    return chain;
  }

  /** Reads a part of a chain. The queue is asked first: a record leaves it only once it is in the database. */
  async #readFrom(query: ChainQuery): Promise<ChainPart> {
    const { store, recorder } = this.#ports;
    const pending = recorder.pending(query.id);
    if (pending === undefined) return await readChainRows(store, query);
    const found = fromPending(pending, query.projectId);
    return { chain: found === undefined ? [] : [found], bytesLeft: query.bytesLeft };
  }

  /** Resolves to whether an inference that was not found is to be looked for once more. Throws UNAVAILABLE. */
  async #arrives(id: string, projectId: string, deadline: number): Promise<boolean> {
    const arrival = await this.#ports.lookup.arrival(id, projectId, Math.max(0, deadline - performance.now()));
    if (arrival === "here" || arrival === "nowhere") return arrival === "here";
    throw new InferenceError(ErrorReason.UNAVAILABLE, `the response '${id}' ${NOT_YET[arrival]}`, {
      retryAfterMs: 1000,
    });
  }

  async #delete(id: string, projectId: string): Promise<boolean> {
    const { own, lookup, store } = this.#ports;
    if (!(await own.written(id, this.#options.waitMs)))
      throw new DatabaseTimeoutError("the record waits for the database");
    // A process whose thread has written it may not know of that yet, and would go on to answer with what is deleted.
    await lookup.settled(id, projectId, this.#options.waitMs);
    return await store.transaction(async (tables) => {
      const { numUpdatedRows } = await tables
        .updateTable("Inference")
        .set({ deletedAt: new Date() })
        .where("id", "=", id)
        .where("projectId", "=", projectId)
        .where("stored", "=", true)
        .where("deletedAt", "is", null)
        .executeTakeFirstOrThrow();
      await tables.deleteFrom("InferenceBody").where("id", "=", id).execute();
      // Other models' answers to the same request, and the names of its items.
      for (const table of ["ShadowPair", "DatasetAnswerText", "InferenceItem"] as const) {
        await tables.deleteFrom(table).where("inferenceId", "=", id).execute();
      }
      await tables
        .updateTable("IdempotentCall")
        .set({ state: "not kept", answer: null })
        .where("id", "=", id)
        .where("projectId", "=", projectId)
        .execute();
      return numUpdatedRows > 0n;
    });
  }
}

const NOT_YET = {
  late: "has not ended, or is still being written: try again shortly",
  unsure: "may be with a process of this service that does not answer: try again shortly",
};

function fromPending({ row, content }: PendingInference, projectId: string): StoredInference | undefined {
  if (!row.stored || row.projectId !== projectId || content === undefined) return undefined;
  return { id: row.id, previousId: row.previousId ?? undefined, ...content, ...toOutcome(row) };
}

async function available<T>(work: Promise<T>): Promise<T> {
  return await whenAvailable(work, "stored responses cannot be reached");
}
