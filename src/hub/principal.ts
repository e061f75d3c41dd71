import type { KeyPermission } from "./key-permissions.ts";

/** The caller: the API key's public id and its project. */
export interface Principal {
  readonly keyId: string;
  readonly projectId: string;
  /** The permissions beside calling models, sending feedback and reading; none if absent. */
  readonly permissions?: readonly KeyPermission[];
}

/** Tells who a secret belongs to. */
export interface Authenticator {
  /**
   * Resolves to undefined for an unknown, malformed or revoked key; rejects with UNAVAILABLE if that cannot be told.
   */
  authenticate(secret: string): Promise<Principal | undefined> | Principal | undefined;
}
