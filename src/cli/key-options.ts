import type { AdminScope } from "../hub/administrator.ts";
import type { KeyPermission } from "../hub/key-permissions.ts";

/** The settings of a new key. */
export interface KeyOptions {
  readonly name?: string;
  /** Days. */
  readonly expires?: number;
  readonly project?: string;
  readonly allow?: readonly KeyPermission[];
}

/** A change of a key. */
export interface KeyUpdateOptions {
  readonly name?: string;
  /** Days from now on; "none" for a key that does not expire. */
  readonly expires?: number | "none";
  /** All that it may do from now on; "none" for nothing. */
  readonly allow?: readonly (KeyPermission | "none")[];
}

/** The settings of a new admin key. */
export interface AdminKeyOptions {
  readonly name: string;
  readonly allow: readonly AdminScope[];
  readonly project?: string;
  /** Days. */
  readonly expires?: number;
}
