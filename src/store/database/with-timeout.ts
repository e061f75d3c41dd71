import { DatabaseTimeoutError } from "../../lib/database-state.ts";

/**
 * Resolves as the work does; rejects with a DatabaseTimeoutError after `timeoutMs`. The work itself goes on, and its
 * failure is then nobody's.
 */
export function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new DatabaseTimeoutError(`the database didn't answer within ${timeoutMs} ms`)),
      timeoutMs,
    );
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
