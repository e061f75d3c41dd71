import type { KeyPermission } from "../hub/key-permissions.ts";

/** The settings of a new key. */
export interface KeyOptions {
  readonly name: string;
  /** Days. */
  readonly expires?: number;
  readonly project?: string;
  readonly allow?: readonly KeyPermission[];
}
