import type { KeyPermission } from "../hub/key-permissions.ts";

/** What a key is made from. */
export interface KeyOptions {
  readonly name: string;
  /** Days. */
  readonly expires?: number;
  readonly project?: string;
  readonly allow?: readonly KeyPermission[];
}
