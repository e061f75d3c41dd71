import { createHash } from "node:crypto";

/**
 * Returns the code that stands for a model that answers in another one's place, where names do not fit: eight
 * hexadecimal digits.
 */
export function routedModelCode(requested: string, answering: string): string {
  return createHash("sha256").update(`${requested}\0${answering}`).digest("hex").slice(0, 8);
}
