import { executorOf } from "./executor.ts";
import type { Store } from "./open-store.ts";

/** Runs a query whose values stand as question marks; names in the result are those of the query, values those of the engine. */
export async function readRows<Row>(store: Store, sql: string, values: readonly unknown[]): Promise<Row[]> {
  let count = 0;
  const text = store.engine === "postgres" ? sql.replaceAll("?", () => `$${++count}`) : sql;
  return await executorOf(store.query())<Row>(text, values);
}
