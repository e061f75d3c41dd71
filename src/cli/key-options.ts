import { hiddenCharacterProblem } from "../lib/hidden-characters.ts";
import { type Parameter, UsageError } from "./command.ts";

/** A hundred years: a time that every database can hold. */
const MAX_DAYS = 36_500;

/** The same as in the dashboard. */
const MAX_NAME_LENGTH = 100;

/** The name of a key, for people. */
export const NAME: Parameter<string | undefined> = {
  value: "name",
  short: "n",
  summary: "what the key is for",
  read: readName,
};

/** Reads a number of days. */
export function readDays(text: string): number {
  const days = Number(text);
  if (days > 0 && days <= MAX_DAYS) return days;
  throw new UsageError(`must be a number of days above 0, and at most ${MAX_DAYS}`);
}

/** Reads a name for people. */
export function readName(text: string): string {
  const name = text.trim();
  if (name === "" || name.length > MAX_NAME_LENGTH) {
    throw new UsageError(`must have 1 to ${MAX_NAME_LENGTH} characters`);
  }
  const problem = hiddenCharacterProblem(name);
  if (problem !== undefined) throw new UsageError(problem);
  return name;
}

/** Returns the public id of a key that is given by it, or whole. */
export function toPublicId(id: string): string {
  return /^att_([0-9a-z]{12})_/.exec(id)?.[1] ?? id;
}

interface KeyTimes {
  readonly revokedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly paused?: boolean;
}

/** Describes the state of a key for people. */
export function describeKeyState({ revokedAt, expiresAt, paused }: KeyTimes): string {
  if (revokedAt !== null) return `revoked ${revokedAt.toISOString()}`;
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) return "expired";
  if (paused) return "paused";
  return expiresAt === null ? "active" : `active until ${expiresAt.toISOString()}`;
}
