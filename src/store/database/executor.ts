import { CompiledQuery, type Kysely } from "kysely";
import type { Store } from "../types/store.ts";

/** Runs SQL in one transaction, with values beside the text, so that the text can be prepared once. */
export type Executor = <Row>(sql: string, values: readonly unknown[]) => Promise<Row[]>;

/** Runs work in one transaction of its own, below the entities: nothing is tracked, and no value is converted. */
export function transact<T>(store: Store, work: (execute: Executor) => Promise<T>): Promise<T> {
  const connection = store.fork().getConnection();
  return connection.transactional((transaction) => work(createExecutor(transaction)));
}

/** Returns what runs SQL on one of Kysely's transactions. */
export function createExecutor(transaction: { executeQuery: Kysely<unknown>["executeQuery"] }): Executor {
  return async <Row>(sql: string, values: readonly unknown[]) => {
    const { rows } = await transaction.executeQuery<Row>(CompiledQuery.raw(sql, [...values]));
    return rows;
  };
}

/**
 * Runs a query whose values stand as question marks; names in the result are those of the query, values those of the
 * engine.
 */
export async function readRows<Row>(store: Store, sql: string, values: readonly unknown[]): Promise<Row[]> {
  let count = 0;
  const text = store.engine === "postgres" ? sql.replaceAll("?", () => `$${++count}`) : sql;
  return await createExecutor(store.query())<Row>(text, values);
}
