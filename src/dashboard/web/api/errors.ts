import { TRPCClientError } from "@trpc/client";
import { capitalize } from "../../../lib/letter-case.ts";

interface ErrorData {
  readonly code?: string;
  readonly fields?: Readonly<Record<string, string>>;
}

function readData(error: unknown): ErrorData {
  return error instanceof TRPCClientError ? ((error.data as ErrorData | null) ?? {}) : {};
}

/** Says what went wrong, for people. */
export function errorText(error: unknown): string {
  if (error instanceof TRPCClientError && error.data === undefined) return "Attune cannot be reached. Is it running?";
  return capitalize(error instanceof Error ? error.message : String(error));
}

/** Tells whether the server, or its database, could not be reached: what was asked may well be in order. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof TRPCClientError)) return false;
  return error.data === undefined || readData(error).code === "SERVICE_UNAVAILABLE";
}

/** Tells whether nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return readData(error).code === "UNAUTHORIZED";
}

/** Tells whether what an address names isn't there, or can't be: its id is none. */
export function isMissing(error: unknown): boolean {
  return readData(error).code === "NOT_FOUND" || fieldErrors(error)["id"] !== undefined;
}

/** Returns the problem of each field of a form; empty if the failure concerns none. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  const { fields } = readData(error);
  if (fields !== undefined) return fields;
  const [, field, text] = /^([\w.]+): (.+)$/.exec(error instanceof Error ? error.message : "") ?? [];
  return field === undefined || text === undefined ? {} : { [field]: text };
}
