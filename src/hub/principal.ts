import type { KeyPermission } from "./key-permissions.ts";

/** Who calls: the API key's public id and the project it belongs to. */
export interface Principal {
  readonly keyId: string;
  readonly projectId: string;
  /** What it may do beside calling models, sending feedback and reading; nothing if absent. */
  readonly permissions?: readonly KeyPermission[];
}

/** Tells who a secret belongs to. */
export interface Authenticator {
  /** Resolves to undefined for an unknown, malformed or revoked key; rejects with UNAVAILABLE if that cannot be told. */
  authenticate(secret: string): Promise<Principal | undefined> | Principal | undefined;
}
