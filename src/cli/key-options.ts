import { type Parameter, UsageError } from "./command.ts";

/** A hundred years: a time that every database can hold. */
const MAX_DAYS = 36_500;

/** The name of a key, for people. */
export const NAME: Parameter<string | undefined> = {
  value: "name",
  short: "n",
  summary: "what the key is for",
};

/** Reads a number of days. */
export function readDays(text: string): number {
  const days = Number(text);
  if (days > 0 && days <= MAX_DAYS) return days;
  throw new UsageError(`must be a number of days above 0, and at most ${MAX_DAYS}`);
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
