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
