import { randomBytes } from "node:crypto";
import type { Authenticator, Identified, Principal } from "../../hub/principal.ts";
import type { ChangeFeed } from "../changes/change-feed.ts";
import type { LimitsReader } from "../quotas/known-quotas.ts";
import type { Log } from "../types/log.ts";
import type { Store } from "../types/store.ts";
import { StoreAuthenticator } from "./store-authenticator.ts";

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

/** The keys of a database, as a service checks them. */
interface Keys {
  readonly authenticator: EphemeralKeys;
  close(): Promise<void>;
}

/** The options of opening keys. */
interface KeysOptions {
  readonly bootstrapKey: string | undefined;
  readonly log: Log;
  /** Tells what other processes change; it stays open. */
  readonly changes: ChangeFeed;
  /** Knows the limits of keys. */
  readonly limits: LimitsReader;
}

/**
 * Opens the keys: what other processes change is told where the engine can tell it. Throws for a bootstrap key that is
 * too short.
 */
export function openKeys(store: Store, { bootstrapKey, log, changes, limits }: KeysOptions): Keys {
  const known = new StoreAuthenticator(store, { bootstrapKey, log, changes, limits });
  return {
    authenticator: new EphemeralKeys(known),
    close: () => known.close(),
  };
}

/** A secret that is valid in this process until it is revoked. */
interface EphemeralKey {
  readonly secret: string;
  revoke(): void;
}
