import { setTimeout as delay } from "node:timers/promises";
import type { InferenceFacts, InferenceLookup } from "../../feedback/ports.ts";
import { idTimeMs } from "../../lib/ids.ts";
import { createSteadyClock } from "../../lib/steady-clock.ts";
import type { Store } from "../types/store.ts";

/** Tells of an inference that is not yet in the database; undefined if it does not know. */
export type RecentInferences = (id: string) => InferenceFacts | undefined;

/** Times of a lookup. */
export interface LookupOptions {
  /** How long an inference may take from the spool of another process to the database. */
  readonly arrivalMs?: number;
}

const ARRIVAL_MS = 5000;
/** The same for an id that looks old: the clock of this process may be ahead of that of the one that made it. */
const OLD_ARRIVAL_MS = 1000;
const FIRST_WAIT_MS = 15;
const LONGEST_WAIT_MS = 200;
/** An inference that began longer ago has long ended. */
const YOUNG_MS = 60 * 60 * 1000;

/**
 * Creates a lookup that asks `recent` first (the inferences under way and those in the recorder's spool), and the
 * database for all others. The id tells when it was made: a young one that is not there may be in the spool of another
 * process, and is asked for again until it has arrived or the time is over; an old one on PostgreSQL for a moment.
 */
export function createInferenceLookup(
  store: Store,
  recent: RecentInferences,
  { arrivalMs = ARRIVAL_MS }: LookupOptions = {},
): InferenceLookup {
  return {
    findRecent: recent,
    async findStored(ids) {
      const found = await readFacts(store, ids);
      const begunMs = performance.now();
      const oldMs = store.engine === "postgres" ? Math.min(OLD_ARRIVAL_MS, arrivalMs) : 0;
      for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
        const waitedMs = performance.now() - begunMs;
        const missing = ids.filter((id) => !found.has(id) && waitedMs < (isYoung(id) ? arrivalMs : oldMs));
        if (missing.length === 0) break;
        await delay(wait);
        for (const [id, facts] of await readFacts(store, missing)) found.set(id, facts);
      }
      return found;
    },
  };
}

async function readFacts(store: Store, ids: readonly string[]): Promise<Map<string, InferenceFacts>> {
  const rows = await store
    .query()
    .selectFrom("Inference")
    .select(["id", "projectId", "model", "workload"])
    .where("id", "in", [...ids])
    .execute();
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}

const steadyNow = createSteadyClock();

/**
 * Tells whether an inference may still be under way, or on its way to the database. Clocks that are set on while this process
 * runs make none older, and what comes from the future, by the clock of another process, is young.
 */
export function isYoung(id: string): boolean {
  const madeAtMs = idTimeMs(id);
  return madeAtMs !== undefined && madeAtMs > Math.min(Date.now(), steadyNow()) - YOUNG_MS;
}
