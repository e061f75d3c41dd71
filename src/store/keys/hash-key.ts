import { hash } from "node:crypto";

/** Returns the SHA-256 of a key in hex. A key has 256 bits of chance, so nothing slower is called for. */
export function hashKey(key: string): string {
  return hash("sha256", key, "hex");
}
