import { createHash } from "node:crypto";

/** What a model is known by where its name does not fit: eight hexadecimal digits of the name's SHA-256. */
export function modelCode(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 8);
}
