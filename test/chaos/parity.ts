import { openStore } from "../../src/store/database/open-store.ts";
import { firstIdAt, periodAt } from "../../src/store/types/period.ts";
import type { Store } from "../../src/store/types/store.ts";
import type { Ledger } from "./load.ts";

/** How the rows of a database compare with what callers were told. */
export interface Parity {
  readonly lostInferences: number;
  readonly lostFeedback: number;
  /** Rows of inferences whose callers never got a whole answer. */
  readonly unacknowledged: number;
  /** Inferences by the hourly figures less those by the rows: 0 if they are consistent. */
  readonly rollupSurplus: number;
  readonly inferences: number;
  readonly feedback: number;
}

/** Compares a database with a ledger; what was recorded before `from` is left out. */
export async function compare(databaseUrl: string, ledger: Ledger, from = new Date(0)): Promise<Parity> {
  const store = await openStore(databaseUrl);
  try {
    const inferences = await idsOf(store, "Inference", from);
    const feedback = await idsOf(store, "FeedbackEntry", from);
    return {
      lostInferences: ledger.inferences.filter((id) => !inferences.has(id)).length,
      lostFeedback: ledger.feedback.filter((id) => !feedback.has(id)).length,
      unacknowledged: inferences.size - new Set(ledger.inferences).size,
      rollupSurplus: (await countedByHour(store, from)) - inferences.size,
      inferences: inferences.size,
      feedback: feedback.size,
    };
  } finally {
    await store.close();
  }
}

/** How many inferences have how many attempts, winners, and attempts whose cost is known, as `3/1/3`. */
export async function attemptsOf(databaseUrl: string, ids: readonly string[]): Promise<Record<string, number>> {
  const store = await openStore(databaseUrl);
  try {
    const all = await store.query().selectFrom("InferenceAttempt").select(["id", "isWinner", "costNanos"]).execute();
    const byId = Map.groupBy(all, ({ id }) => id);
    const found: Record<string, number> = {};
    for (const id of ids) {
      const attempts = byId.get(id) ?? [];
      const winners = attempts.filter(({ isWinner }) => isWinner).length;
      const priced = attempts.filter(({ costNanos }) => costNanos !== null).length;
      const form = `${attempts.length}/${winners}/${priced}`;
      found[form] = (found[form] ?? 0) + 1;
    }
    return found;
  } finally {
    await store.close();
  }
}

async function idsOf(store: Store, table: "Inference" | "FeedbackEntry", from: Date): Promise<ReadonlySet<string>> {
  const rows = await store
    .query()
    .selectFrom(table)
    .select("id")
    .where("id", ">=", firstIdAt(from.getTime()))
    .execute();
  const ids = new Set(rows.map(({ id }) => id));
  if (ids.size !== rows.length) throw new Error(`${rows.length - ids.size} rows of ${table} are there twice`);
  return ids;
}

async function countedByHour(store: Store, from: Date): Promise<number> {
  const { calls } = await store
    .query()
    .selectFrom("UsageHour")
    .select(({ fn }) => fn.sum("calls").as("calls"))
    .where("period", ">=", periodAt("hour", from.getTime()))
    .executeTakeFirstOrThrow();
  return Number(calls ?? 0);
}
