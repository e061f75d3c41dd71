import { randomBytes } from "node:crypto";
import type { Authenticator, Identified, Principal } from "../../hub/principal.ts";

/** A secret that is valid in this process until it is revoked. */
interface EphemeralKey {
  readonly secret: string;
  revoke(): void;
}

const SECRET_BYTES = 32;

/**
 * Issues keys to parts of this process that have recognised their caller by other means than an API key. An issued key
 * is known in memory only, and only until it is revoked; the authenticator behind it judges all other secrets.
 */
export class EphemeralKeys implements Authenticator {
  readonly #otherwise: Authenticator;
  readonly #issued = new Map<string, Principal>();

  constructor(otherwise: Authenticator) {
    this.#otherwise = otherwise;
  }

  authenticate(secret: string): Promise<Identified> | Identified {
    return this.#issued.get(secret) ?? this.#otherwise.authenticate(secret);
  }

  findKey(keyId: string): Promise<Identified> | Identified {
    return this.#otherwise.findKey(keyId);
  }

  /** Issues a secret that stands for a caller. */
  issue(principal: Principal): EphemeralKey {
    const secret = `ephemeral_${randomBytes(SECRET_BYTES).toString("base64url")}`;
    this.#issued.set(secret, principal);
    return { secret, revoke: () => void this.#issued.delete(secret) };
  }
}
