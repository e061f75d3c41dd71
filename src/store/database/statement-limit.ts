import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The default time limit of a statement, with the wait for a connection before it. Somebody waits for what is read:
 * callers, who then get 503 and may ask again, or people before the dashboard.
 */
const STATEMENT_LIMIT_MS = 5000;

/** The same for what is written behind the requests. Nobody waits for it, and it is tried again. */
export const WRITE_LIMIT_MS = 10_000;

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
