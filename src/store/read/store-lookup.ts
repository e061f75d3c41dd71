import { setTimeout as delay } from "node:timers/promises";
import type { InferenceFacts, InferenceLookup } from "../../feedback/ports.ts";
import { type AnswerId, writeAnswerId } from "../../hub/answer-ids.ts";
import { idTimeMs } from "../../lib/ids.ts";
import { beforePart } from "../../lib/map-in-batches.ts";
import { createSteadyClock } from "../../lib/steady-clock.ts";
import type { OwnInferences } from "../peers/local-inferences.ts";
import type { PeerLookup } from "../peers/peer-lookup.ts";
import type { Store } from "../types/store.ts";

/** The options of a lookup. */
interface LookupOptions {
  readonly store: Store;
  readonly own: OwnInferences;
  readonly peers: Pick<PeerLookup, "find" | "hasOthers" | "written">;
}

/**
 * The arrival of an inference: it can be read; it does not exist; it has not ended, or was not written, in the time
 * that was given; or nobody can tell, since a process does not answer that may have it.
 */
type Arrival = "here" | "nowhere" | "late" | "unsure";

type Facts = InferenceFacts | "unsure";

/**
 * Inferences whose records are waited for at a time, for the sake of their candidates, and how long for all of them.
 */
const MOST_AWAITED = 20;
const AWAITED_MS = 2000;
/** The time that a lookup of an unknown inference may take while some peers cannot be heard. */
const UNKNOWN_MS = 300;
const FIRST_WAIT_MS = 10;
const IDS_PER_STATEMENT = 500;
/** Clocks of hosts differ by less, and no inference takes longer. */
const NEAR_MS = 24 * 60 * 60 * 1000;

/**
 * Finds inferences wherever they are: under way here, in the spool of this process, in the database, or with one of the
 * other processes on the database. There is no other way to wait for a record.
 */
export class StoreLookup implements Omit<InferenceLookup, "findSession"> {
  readonly #options: LookupOptions;

  constructor(options: LookupOptions) {
    this.#options = options;
  }

  findRecent(id: string): InferenceFacts | undefined {
    return this.#options.own.find(id);
  }

  /** Resolves to whether other processes may have records that are not in the database yet. */
  async hasOthers(): Promise<boolean> {
    return await this.#options.peers.hasOthers();
  }

  async findStored(ids: readonly string[], projectId: string): Promise<ReadonlyMap<string, Facts>> {
    const found = new Map<string, Facts>(await this.#read(ids));
    const missing = ids.filter((id) => !found.has(id) && idTimeMs(id) !== undefined);
    if (missing.length === 0) return found;
    const begunMs = performance.now();
    const { known, certainty, unasked } = await this.#options.peers.find(missing, projectId);
    for (const [id, facts] of known) found.set(id, facts);
    for (const id of unasked) found.set(id, "unsure");
    if (certainty === "single") return found;
    const left = missing.filter((id) => !found.has(id));
    for (const [id, facts] of await this.#readAgain(left, begunMs, certainty === "sure")) found.set(id, facts);
    if (certainty === "unsure") for (const id of left) if (!found.has(id) && isNear(id)) found.set(id, "unsure");
    return found;
  }

  async findCandidates(
    answers: readonly AnswerId[],
    projectId: string,
  ): Promise<ReadonlyMap<string, "here" | "unsure">> {
    const ids = [...new Set(answers.map(({ inferenceId }) => inferenceId))];
    const written = await this.#read(ids);
    const missing = ids.filter((id) => !written.has(id));
    await this.#waitFor(missing.slice(0, MOST_AWAITED), projectId);
    const late = new Set(missing);
    if (missing.length > 0) for (const id of (await this.#read(missing)).keys()) late.delete(id);
    const candidates = await this.#readCandidates(ids);
    const found = new Map<string, "here" | "unsure">();
    for (const answer of answers) {
      const id = writeAnswerId(answer);
      if (candidates.has(id)) found.set(id, "here");
      else if (late.has(answer.inferenceId)) found.set(id, "unsure");
    }
    return found;
  }

  /** Has whoever has them write them. */
  async #waitFor(ids: readonly string[], projectId: string): Promise<void> {
    const { own, peers } = this.#options;
    const deadline = performance.now() + AWAITED_MS;
    for (const id of ids) {
      const left = Math.max(0, deadline - performance.now());
      if (own.find(id) === undefined) await peers.written(id, projectId, left);
      else await own.written(id, left);
    }
  }

  async #readCandidates(inferenceIds: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const part of getParts(inferenceIds)) {
      await beforePart();
      const rows = await this.#options.store
        .query()
        .selectFrom("InferenceAttempt")
        .select(["id", "position"])
        .where("id", "in", part)
        .where("score", "is not", null)
        .where("isWinner", "=", false)
        .execute();
      for (const { id, position } of rows) found.add(writeAnswerId({ inferenceId: id, attempt: position }));
    }
    return found;
  }

  /**
   * Waits for an inference of a project that can be read neither in the spool of this process nor in the database: at
   * most `limitMs` where a process has it, and 300 ms where none says so, or a second the first time that one does not
   * answer.
   */
  async arrival(id: string, projectId: string, limitMs: number): Promise<Arrival> {
    const { own, peers } = this.#options;
    if (own.find(id)?.projectId === projectId) return (await own.ended(id, limitMs)) ? "here" : "late";
    if ((await this.#read([id])).size > 0) return "here";
    if (idTimeMs(id) === undefined) return "nowhere";
    const begunMs = performance.now();
    const answer = await peers.written(id, projectId, limitMs);
    if (answer === "late") return "late";
    if (answer === "single") return "nowhere";
    if ((await this.#readAgain([id], begunMs, answer === "sure")).size > 0) return "here";
    return answer === "unsure" && isNear(id) ? "unsure" : "nowhere";
  }

  /**
   * Has the process that has an inference say that it is written, though the database may have it already: until then
   * it answers from its own memory. Goes on after `limitMs`, and where a process does not answer.
   */
  async settled(id: string, projectId: string, limitMs: number): Promise<void> {
    await this.#options.peers.written(id, projectId, limitMs);
  }

  /**
   * Reads what another process may have written between the first reading and its answer. Where not all have answered,
   * what is on its way shows up here alone: it is looked for a little longer.
   */
  async #readAgain(ids: readonly string[], begunMs: number, isSure: boolean): Promise<Map<string, InferenceFacts>> {
    const found = new Map<string, InferenceFacts>();
    for (let wait = FIRST_WAIT_MS; ; wait *= 2) {
      const missing = ids.filter((id) => !found.has(id));
      if (missing.length > 0) for (const [id, facts] of await this.#read(missing)) found.set(id, facts);
      const isOver = performance.now() + wait - begunMs > UNKNOWN_MS;
      if (isSure || isOver || found.size === ids.length) return found;
      await delay(wait);
    }
  }

  /**
   * Reads a bounded number in each statement: SQLite answers within the iteration of the event loop, and all of a large
   * batch would hold it.
   */
  async #read(ids: readonly string[]): Promise<Map<string, InferenceFacts>> {
    const found = new Map<string, InferenceFacts>();
    for (const part of getParts(ids)) {
      await beforePart();
      const rows = await this.#options.store
        .query()
        .selectFrom("Inference")
        .select(["id", "projectId", "model", "workload"])
        .where("id", "in", part)
        .execute();
      for (const { id, ...facts } of rows) found.set(id, facts);
    }
    return found;
  }
}

const steadyNow = createSteadyClock();

/**
 * Tells whether an inference may still be under way or on its way, by its id. What a clock that is set says counts as
 * well as before.
 */
function isNear(id: string): boolean {
  const madeAtMs = idTimeMs(id);
  return madeAtMs !== undefined && [Date.now(), steadyNow()].some((now) => Math.abs(madeAtMs - now) < NEAR_MS);
}

function* getParts(ids: readonly string[]): Generator<string[]> {
  for (let from = 0; from < ids.length; from += IDS_PER_STATEMENT) yield ids.slice(from, from + IDS_PER_STATEMENT);
}
