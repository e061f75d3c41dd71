import { v7 } from "uuid";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Makes a UUIDv7: unique, and in the order of time. */
export function newId(): string {
  return v7();
}

/** Tells whether `text` has the form of a UUID. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Returns when an id was made, in milliseconds since 1970; undefined for a UUID of another version than 7. */
export function idTimeMs(id: string): number | undefined {
  return id[14] === "7" ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined;
}
