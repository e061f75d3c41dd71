import { hash, randomBytes } from "node:crypto";

/** A secret that is shown once, and what the database keeps of it. */
interface Token {
  /** 256 bits of chance, in base64url. */
  readonly secret: string;
  readonly hash: string;
}

/** Makes a token. */
export function newToken(): Token {
  const secret = randomBytes(32).toString("base64url");
  return { secret, hash: hashToken(secret) };
}

/**
 * Returns what the database keeps of a token: its SHA-256 in hex. It has 256 bits of chance, so nothing slower is
 * called for.
 */
export function hashToken(secret: string): string {
  return hash("sha256", secret, "hex");
}
