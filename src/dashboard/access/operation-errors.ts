import { TRPCError } from "@trpc/server";
import { ErrorReason, InferenceError } from "../../hub/error.ts";

type Code = TRPCError["code"];

/** The codes of refusals; others are faults of the service. */
const CODES: { readonly [Reason in ErrorReason]?: Code } = {
  [ErrorReason.INVALID_REQUEST]: "BAD_REQUEST",
  [ErrorReason.PERMISSION_DENIED]: "FORBIDDEN",
  [ErrorReason.NOT_FOUND]: "NOT_FOUND",
  [ErrorReason.MODEL_NOT_FOUND]: "NOT_FOUND",
  [ErrorReason.ALREADY_EXISTS]: "CONFLICT",
  [ErrorReason.CONFLICT]: "CONFLICT",
  [ErrorReason.RATE_LIMITED]: "TOO_MANY_REQUESTS",
  [ErrorReason.UNAVAILABLE]: "SERVICE_UNAVAILABLE",
};

/** Returns the error of a procedure for the refusal of an operation; undefined for a fault of the service. */
export function toProcedureError(error: InferenceError): TRPCError | undefined {
  const code = CODES[error.reason];
  if (code === undefined) return undefined;
  const placed = error.atPlaces(camelCase);
  const problems = Object.entries(readFields(placed) ?? {});
  const message =
    problems.length > 1 ? problems.map(([field, text]) => `${field}: ${text}`).join("; ") : placed.message;
  return new TRPCError({ code, message, cause: placed });
}

/** Returns the problem of each field that an operation refuses, by its path; undefined where it names none. */
export function readFields({ message, facts }: InferenceError): Readonly<Record<string, string>> | undefined {
  const { param, violations } = facts;
  if (violations !== undefined) return Object.fromEntries(violations.map(({ param, problem }) => [param, problem]));
  if (param === undefined || !message.startsWith(`${param}: `)) return undefined;
  return { [param]: message.slice(param.length + 2) };
}

/**
 * Has what an operation refuses told at the fields of a procedure: `fields` has their paths by those of the operation,
 * in camel case. A path that is not among them is that of a part of one that is, or the same.
 */
export async function atFields<T>(answer: Promise<T>, fields: Readonly<Record<string, string>>): Promise<T> {
  try {
    return await answer;
  } catch (thrown) {
    if (!(thrown instanceof InferenceError)) throw thrown;
    throw thrown.atPlaces((place) => findField(camelCase(place), fields));
  }
}

function findField(path: string, fields: Readonly<Record<string, string>>): string {
  for (const [from, to] of Object.entries(fields)) {
    if (path === from) return to === "" ? path : to;
    const rest = path.slice(from.length);
    if (path.startsWith(from) && /^[.[]/.test(rest)) return to === "" ? rest.replace(/^\./, "") : `${to}${rest}`;
  }
  return path;
}

/** Returns a path of proto in camel case. */
export function camelCase(path: string): string {
  return path.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
