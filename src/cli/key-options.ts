import type { AdminScope } from "../hub/administrator.ts";
import type { KeyPermission } from "../hub/key-permissions.ts";

/** The settings of a new key. */
export interface KeyOptions {
  readonly name?: string;
  /** Days. */
  readonly expires?: number;
  readonly project?: string;
  readonly allow?: readonly KeyPermission[];
  readonly tag?: Readonly<Record<string, string>>;
}

/** A change of a key. */
export interface KeyUpdateOptions {
  readonly name?: string;
  /** Days from now on; "none" for a key that does not expire. */
  readonly expires?: number | "none";
  /** All that it may do from now on; "none" for nothing. */
  readonly allow?: readonly (KeyPermission | "none")[];
  /** All tags of its calls from now on; "none" for none. */
  readonly tag?: Readonly<Record<string, string>> | "none";
}

/** The settings of a new admin key. */
export interface AdminKeyOptions {
  readonly name: string;
  readonly allow: readonly AdminScope[];
  readonly project?: string;
  /** Days. */
  readonly expires?: number;
}
