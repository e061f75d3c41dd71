import { setTimeout as delay } from "node:timers/promises";
import type { InferenceFacts, InferenceLookup } from "../feedback/ports.ts";
import { idTimeMs } from "../lib/ids.ts";
import type { Store } from "./store.ts";

/** Tells of an inference that is not yet in the database; undefined if it does not know. */
export type RecentInferences = (id: string) => InferenceFacts | undefined;

/** Times of a lookup. */
export interface LookupOptions {
  /** How long an inference may take from the spool of another process to the database. */
  readonly arrivalMs?: number;
}

const ARRIVAL_MS = 5000;
const FIRST_WAIT_MS = 15;
const LONGEST_WAIT_MS = 200;
/** An inference that began longer ago has long ended. */
const YOUNG_MS = 60 * 60 * 1000;

/**
 * Creates a lookup that asks `recent` first (the inferences under way and those in the recorder's spool), and the
 * database for all others. The id tells when it was made: a young one that is not there may be in the spool of another
 * process, and is asked for again until it has arrived or the time is over; an old one is unknown at once.
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
      const deadline = performance.now() + arrivalMs;
      for (let wait = FIRST_WAIT_MS; performance.now() < deadline; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
        const missing = ids.filter((id) => !found.has(id) && isYoung(id));
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

function isYoung(id: string): boolean {
  const madeAtMs = idTimeMs(id);
  return madeAtMs !== undefined && Math.abs(Date.now() - madeAtMs) < YOUNG_MS;
}
