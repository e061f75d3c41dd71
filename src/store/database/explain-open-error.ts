/** What PostgreSQL calls a missing right. */
const INSUFFICIENT_PRIVILEGE = "42501";

/** Tells people why a database could not be opened, and what to do where that is known. Has no password in it. */
export function explainOpenError(thrown: unknown): string {
  // A host with several addresses fails with one error for each, and no message of its own.
  if (thrown instanceof AggregateError) return thrown.errors.map(explainOpenError).join("; ");
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown.message.endsWith("client password must be a string")) {
    return "the server asks for a password: put it into the URL, or set PGPASSWORD";
  }
  if (codeOf(thrown) === INSUFFICIENT_PRIVILEGE) {
    return `${thrown.message}: make this user the owner of the database, or give it that right`;
  }
  return thrown.message;
}

/** Layers above the driver keep its error as the cause of their own. */
function codeOf(error: Error): unknown {
  if ("code" in error) return error.code;
  return error.cause instanceof Error ? codeOf(error.cause) : undefined;
}
