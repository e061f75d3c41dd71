/** A webhook that does not judge answers as it should. */
interface Trouble {
  readonly host: string;
  readonly result: string;
  readonly status: number | undefined;
  readonly error: unknown;
  readonly failures: number;
}

/**
 * Tells that a webhook fails. The answers that it should have judged are given as they are. Of an error it says no more
 * than what happened: its cause has the addresses that were tried.
 */
export function logWebhook(log: { warn(facts: object, message: string): void }, { error, ...facts }: Trouble): void {
  const problem = error instanceof Error ? { problem: error.message } : {};
  log.warn({ ...facts, ...problem }, "a webhook that checks answers failed");
}
