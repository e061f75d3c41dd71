import type { QuotaRule } from "./quota-fields.ts";

/** Limits by rule, whole numbers of at least 0; a rule that is absent limits nothing. */
export type Quota = { readonly [Rule in QuotaRule]?: number };

/** The kinds of whom a quota may be set for. */
export const QUOTA_KINDS = ["installation", "project", "key", "endUser", "tag"] as const;

export type QuotaKind = (typeof QUOTA_KINDS)[number];

/** A quota as it is set: limits, and the names of the models that may be called, all where they are absent. */
export interface QuotaSettings extends Quota {
  readonly models?: readonly string[];
}

/** Most quotas that a project's owners may have together. */
export const MOST_QUOTAS_OF_PROJECT = 10_000;

/** The owner of a quota. */
export interface QuotaOwner {
  readonly kind: QuotaKind;
  /** Empty for the installation, and for the projects of all that have none of their own. */
  readonly projectId: string;
  /**
   * Public id of the key, the end user, or the tag as `team=search`; empty for each of the kind that has no quota of
   * its own, and for projects and the installation.
   */
  readonly name: string;
}

/** A quota that applies to a call, with its subject: whose calls are counted together. */
export interface SubjectQuota {
  readonly kind: QuotaKind;
  /** Names it among all: `key:2b7c`, `tag:PROJECT/team=search`, `installation`. */
  readonly subject: string;
  readonly quota: QuotaSettings;
}

/** The owners whose quotas a call is counted in. */
export interface CallOwners {
  readonly projectId: string;
  /** Public id. */
  readonly keyId: string;
  /** Undefined where none is known. */
  readonly endUserId: string | undefined;
  readonly tags: Readonly<Record<string, string>>;
}

/** Tells which quotas apply, at once and from memory. */
export interface QuotaBook {
  /** Returns when a change of a project's quotas will be known that this process has heard of; undefined for none. */
  changing?(projectId: string): Promise<void> | undefined;
  /** Returns the quotas that apply to a call, the installation's first; none for most. */
  find(owners: CallOwners): readonly SubjectQuota[];
}
