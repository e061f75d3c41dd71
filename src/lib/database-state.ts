/**
 * The state of a database: it answers; it does not, or not in time; it has no room; or its file is no longer the one
 * that was opened.
 */
export type DatabaseState = "ok" | "away" | "full" | "missing";

/** The database did not answer in time. */
export class DatabaseTimeoutError extends Error {
  // MikroORM makes an error of its own of it, and keeps what it has.
  readonly code = TIMEOUT;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "DatabaseTimeoutError";
  }
}

/** The file of an SQLite database was deleted or replaced while it was open: what is written to it is lost. */
export class DatabaseFileError extends Error {
  readonly code = FILE_GONE;

  constructor(message: string) {
    super(message);
    this.name = "DatabaseFileError";
  }
}

/** Others change the same, or so much else, that a change had to be given up; nothing of it was made. */
export class DatabaseBusyError extends Error {
  override readonly name = "DatabaseBusyError";
}

/** The codes of a change that waited too long for locks of others, or was undone so that two could go on. */
const BUSY_CODES: readonly unknown[] = ["55P03", "40P01", "40001"];

/** Returns whether a change was given up because of others who change something: it may be tried again at once. */
export function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error instanceof DatabaseBusyError || BUSY_CODES.includes(getCode(error)) || isBusy(error.cause);
}

/** The codes of a text with the character U+0000, as it is and in JSON. */
const UNSTORABLE_CODES: readonly unknown[] = ["22021", "22P05"];

/** Returns whether PostgreSQL refused a text that it cannot hold. */
export function isUnstorable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return UNSTORABLE_CODES.includes(getCode(error)) || isUnstorable(error.cause);
}

const TIMEOUT = "DATABASE_TIMEOUT";
const FILE_GONE = "DATABASE_FILE_GONE";
/** SQLITE_FULL, and what PostgreSQL calls a full disk. */
const FULL: readonly unknown[] = [13, "53100"];
/** SQLITE_PERM, BUSY, LOCKED, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, AUTH, NOTADB. */
const SQLITE_CODES: ReadonlySet<unknown> = new Set([3, 5, 6, 7, 8, 10, 11, 13, 14, 15, 23, 26]);
/**
 * Classes of PostgreSQL: connections, resources, interventions of an operator, the system, and locks that are not to be
 * had.
 */
const POSTGRES_CODES = /^(?:08|53|57|58)|^55P03$/;
const SYSTEM_CODES = /^(?:E[A-Z]+)$/;
/** The messages that `pg` sends without a code. */
const MESSAGES = /connection terminated|timeout exceeded|timeout expired|not queryable|not connected/i;

/** Tells how a database is by the error of a statement; undefined where the fault is in the statement or its values. */
export function stateByError(error: unknown): Exclude<DatabaseState, "ok"> | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = getCode(error);
  if (code === FILE_GONE) return "missing";
  if (FULL.includes(code)) return "full";
  if (isOutside(error, code)) return "away";
  if (error instanceof AggregateError) return error.errors.map(stateByError).find((state) => state !== undefined);
  return stateByError(error.cause);
}

/** Returns whether the same may succeed later: the database was away or full, or others were in the way. */
export function isTransient(error: unknown): boolean {
  return stateByError(error) !== undefined || isBusy(error);
}

/** SQLite's code without what its extended form says more, or the text of PostgreSQL, its driver or the system. */
function getCode(error: Error): unknown {
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & 0xff;
  return "code" in error ? error.code : undefined;
}

function isOutside(error: Error, code: unknown): boolean {
  if (typeof code === "number") return SQLITE_CODES.has(code);
  if (code === TIMEOUT) return true;
  if (typeof code !== "string") return MESSAGES.test(error.message);
  return "severity" in error ? POSTGRES_CODES.test(code) : SYSTEM_CODES.test(code);
}
