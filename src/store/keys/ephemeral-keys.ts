import { randomBytes } from "node:crypto";
import type { Authenticator, Principal } from "../../hub/principal.ts";

/** A secret that is good in this process, until it is given back. */
interface LentKey {
  readonly secret: string;
  giveBack(): void;
}

const SECRET_BYTES = 32;

/**
 * Lets parts of this process call as someone whom they have recognised by other means than an API key. What is lent is
 * known only in memory and only for as long as one call takes; all other secrets are judged by the authenticator behind
 * it.
 */
export class EphemeralKeys implements Authenticator {
  readonly #otherwise: Authenticator;
  readonly #lent = new Map<string, Principal>();

  constructor(otherwise: Authenticator) {
    this.#otherwise = otherwise;
  }

  authenticate(secret: string): Promise<Principal | undefined> | Principal | undefined {
    return this.#lent.get(secret) ?? this.#otherwise.authenticate(secret);
  }

  /** Lends a secret that stands for someone. */
  lend(principal: Principal): LentKey {
    const secret = `lent_${randomBytes(SECRET_BYTES).toString("base64url")}`;
    this.#lent.set(secret, principal);
    return { secret, giveBack: () => void this.#lent.delete(secret) };
  }
}
