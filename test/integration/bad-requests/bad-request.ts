import type { Buffer } from "node:buffer";

/** Keys that a request may be sent with. */
export interface Keys {
  readonly good: string;
  readonly revoked: string;
  readonly expired: string;
  /** Has the form of a key, and was never given out. */
  readonly unknown: string;
}

/** What the answer must say. The formats spell it in their own envelopes. */
export interface ExpectedError {
  readonly status: number;
  /** Type in OpenAI's envelope. */
  readonly type: string;
  /** Type in the envelope of Messages. */
  readonly messagesType: string;
  readonly param: string | null;
  readonly code: string | null;
  /** What the message holds. */
  readonly message: string;
}

/** A request that must be refused. */
export interface BadRequest {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  /** Headers over those of a good request; undefined leaves one out. */
  readonly headers?: (keys: Keys) => Readonly<Record<string, string | undefined>>;
  readonly body?: string | Buffer | undefined;
  readonly expected: ExpectedError;
}

/** A change of a good body: members over its own (undefined leaves one out), or the whole text of a body. */
export type Change = Readonly<Record<string, unknown>> | string;

/** A wrong body: what is wrong, the change, the place that the answer must name, and what it must say of it. */
export type WrongBody = readonly [what: string, change: Change, param: string | null, problem: string];

const INVALID = { type: "invalid_request_error", messagesType: "invalid_request_error", param: null, code: null };

/** More labels than a request may have. */
export const MANY_LABELS = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`label${index}`, ""]));

/** What every malformed request is answered with. */
export function invalid(message: string, param: string | null = null): ExpectedError {
  return { status: 400, ...INVALID, param, message };
}

/** The path does not exist. */
export function notFound(message: string): ExpectedError {
  return { status: 404, ...INVALID, messagesType: "not_found_error", code: "not_found", message };
}

/** The response to continue is not stored. */
export function previousNotFound(message: string): ExpectedError {
  return {
    status: 400,
    ...INVALID,
    param: "previous_response_id",
    code: "previous_response_not_found",
    message,
  };
}

/** The model does not exist, or not there. */
export function modelNotFound(message: string): ExpectedError {
  return {
    status: 404,
    ...INVALID,
    messagesType: "not_found_error",
    param: "model",
    code: "model_not_found",
    message,
  };
}

/** The key is not good. */
export function unauthenticated(message: string): ExpectedError {
  return { status: 401, ...INVALID, messagesType: "authentication_error", code: "invalid_api_key", message };
}

/** The same with another status. */
export function withStatus(status: number, expected: ExpectedError): ExpectedError {
  return { ...expected, status };
}

/** The body is larger than the service takes. */
export function tooLarge(message: string): ExpectedError {
  return { status: 413, ...INVALID, messagesType: "request_too_large", code: "request_too_large", message };
}

/** Writes a body with a change. */
export function changed(good: object, change: Change): string {
  return typeof change === "string" ? change : JSON.stringify({ ...good, ...change });
}

/** Makes the requests of a table of wrong bodies. */
export function wrongBodies(path: string, good: object, table: readonly WrongBody[]): BadRequest[] {
  return table.map(([what, change, param, problem]) => ({
    what,
    method: "POST",
    path,
    body: changed(good, change),
    expected: invalid(param === null ? problem : `${param}: ${problem}`, param),
  }));
}

/** Text that nests `levels` deep around `inner`. */
export function nested(levels: number, inner = "1"): string {
  return `${'{"a":'.repeat(levels)}${inner}${"}".repeat(levels)}`;
}
