/** Begins every admin key: what has it is never looked for among the keys of calls. */
export const ADMIN_KEY_PREFIX = "attadmin_";

/** The scopes that admin keys may have. A scope that ends in `:write` includes the one that ends in `:read`. */
export const ADMIN_SCOPES = [
  ...(["projects:read", "projects:write", "keys:read", "keys:write", "quotas:read", "quotas:write"] as const),
  ...(["end-users:read", "end-users:write", "usage:read", "workloads:read", "workloads:write"] as const),
  ...(["members:read", "members:write", "requests:read", "audit:read", "alerts:read", "alerts:write"] as const),
  ...(["admin-keys:read", "admin-keys:write"] as const),
] as const;

export type AdminScope = (typeof ADMIN_SCOPES)[number];

/** Reads scopes as they are stored; those that this version does not know are none. */
export function parseScopes(stored: readonly string[]): AdminScope[] {
  return ADMIN_SCOPES.filter((scope) => stored.includes(scope));
}

/** Returns whether scopes include a scope. */
export function includesScope(scopes: readonly AdminScope[], needed: AdminScope): boolean {
  const writing = needed.replace(/:read$/, ":write");
  return scopes.some((scope) => scope === needed || scope === writing);
}

/** The caller of the administrative service: an admin key, or a command on the machine of the database. */
export interface Administrator {
  readonly kind: "admin-key" | "command";
  /** Public id of the key; the name of the command. */
  readonly id: string;
  /** Name for people. */
  readonly label: string;
  /** The only project that it sees and changes; undefined for all. */
  readonly projectId?: string | undefined;
  readonly scopes: readonly AdminScope[];
}

/** An admin key that was valid once. */
export interface RejectedAdminKey {
  readonly rejected: "revoked_key" | "expired_key";
}

/** Tells who an admin key belongs to. */
export interface AdminAuthenticator {
  /** Resolves to undefined for an unknown or malformed key; rejects if the database cannot tell. */
  authenticate(secret: string): Promise<Administrator | RejectedAdminKey | undefined>;
}
