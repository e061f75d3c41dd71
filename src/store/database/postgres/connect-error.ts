/** TLS has failed; the time is over; or the server has another role. */
type Code = "ETLS" | "ETIMEDOUT" | "ESERVERROLE";

/** A connection to PostgreSQL that did not come about; its message says what to change, where that is known. */
export class ConnectError extends Error {
  override readonly name = "ConnectError";
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** PostgreSQL starts up or shuts down: another host may serve meanwhile. */
const CANNOT_CONNECT_NOW = "57P03";

/**
 * Tells whether a server has said no, which no other host is asked about: to a password, a database, too many
 * connections.
 */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && "severity" in error && "code" in error && error.code !== CANNOT_CONNECT_NOW;
}

/** Returns the error of a server's first answer if it is that it cannot serve anybody at the moment. */
export function readNotReady(reply: Buffer): Error | undefined {
  const fields = reply.toString("utf8", 5).split("\0");
  const field = (kind: string) => fields.find((text) => text.startsWith(kind))?.slice(1);
  if (!isErrorReply(reply) || field("C") !== CANNOT_CONNECT_NOW) return undefined;
  return Object.assign(new Error(field("M")), { code: CANNOT_CONNECT_NOW, severity: "FATAL" });
}

/**
 * Tells whether a server's first answer is an error:
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export function isErrorReply(reply: Buffer): boolean {
  return reply[0] === 0x45;
}
