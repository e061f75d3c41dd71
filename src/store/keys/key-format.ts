import { hash, randomBytes } from "node:crypto";
import { ADMIN_KEY_PREFIX } from "../../vocabulary/administrator.ts";

const LOWER = "0123456789abcdefghijklmnopqrstuvwxyz";
const BASE62 = `${LOWER}ABCDEFGHIJKLMNOPQRSTUVWXYZ`;

/** Characters of the public id, and of the secret: 256 bits of chance. */
const PUBLIC_ID_LENGTH = 12;
const SECRET_LENGTH = 43;

/** `att_`, the public id, and the secret. */
const KEY = /^att_([0-9a-z]{12})_[0-9A-Za-z]{32,128}$/;

/** Begins the public ids of keys that nobody made: one for each person who calls from the dashboard. */
export const PLAYGROUND_PREFIX = "play";

/** A new API key, as it is shown once. */
interface NewKey {
  readonly key: string;
  /** The part of it that may be shown and logged. */
  readonly publicId: string;
}

/** Makes an API key: `att_<public id>_<secret>`; with a new public id where none is given. */
export function generateKey(publicId = randomText(LOWER, PUBLIC_ID_LENGTH)): NewKey {
  return { key: `att_${publicId}_${randomText(BASE62, SECRET_LENGTH)}`, publicId };
}

/** Makes an admin key: `attadmin_<public id>_<secret>`. */
export function generateAdminKey(): NewKey {
  const publicId = randomText(LOWER, PUBLIC_ID_LENGTH);
  return { key: `${ADMIN_KEY_PREFIX}${publicId}_${randomText(BASE62, SECRET_LENGTH)}`, publicId };
}

/** Tells whether a text has the form of an API key. */
export function isKey(text: string): boolean {
  return KEY.test(text);
}

/** Returns the SHA-256 of a key in hex. A key has 256 bits of chance, so nothing slower is called for. */
export function hashKey(key: string): string {
  return hash("sha256", key, "hex");
}

/** Every character is equally likely: bytes past the last whole multiple of the alphabet are thrown away. */
function randomText(alphabet: string, length: number): string {
  const limit = 256 - (256 % alphabet.length);
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < limit) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
}
