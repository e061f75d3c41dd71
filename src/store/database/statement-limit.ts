import { AsyncLocalStorage } from "node:async_hooks";

/** How long a statement, and the wait for a connection of SQLite, may take where nobody says otherwise. */
export const STATEMENT_LIMIT_MS = 10_000;

const chosen = new AsyncLocalStorage<{ readonly limitMs: number | undefined }>();

/** Runs work each of whose statements may take so long; undefined is without limit, as for migrations. */
export function withStatementLimit<T>(limitMs: number | undefined, work: () => T): T {
  return chosen.run({ limitMs }, work);
}

/** Returns the limit of the work that asks, in milliseconds; undefined if it has none. */
export function statementLimitMs(): number | undefined {
  const own = chosen.getStore();
  return own === undefined ? STATEMENT_LIMIT_MS : own.limitMs;
}
