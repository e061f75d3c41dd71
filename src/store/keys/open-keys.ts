import type { ChangeFeed } from "../changes/change-feed.ts";
import type { LimitsReader } from "../quotas/known-quotas.ts";
import type { Log } from "../types/log.ts";
import type { Store } from "../types/store.ts";
import { EphemeralKeys } from "./ephemeral-keys.ts";
import { StoreAuthenticator } from "./store-authenticator.ts";

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
