import type { QuotaSettings } from "./quota.ts";
import { QUOTA_RULE_NAMES, type QuotaRule } from "./quota-fields.ts";

/** A change of a quota: null takes a limit away, absent members stay. */
export type QuotaChange = { readonly [Rule in QuotaRule]?: number | null } & {
  readonly models?: readonly string[] | null;
};

/** The quotas of all that have none by name: a limit by name goes before the one here, rule by rule. */
export interface QuotaDefaults {
  readonly installation: QuotaSettings;
  readonly eachProject: QuotaSettings;
  readonly eachKey: QuotaSettings;
  readonly eachEndUser: QuotaSettings;
}

export const NO_QUOTA_DEFAULTS: QuotaDefaults = { installation: {}, eachProject: {}, eachKey: {}, eachEndUser: {} };

/** Returns settings after a change. */
export function changeQuota(settings: QuotaSettings, change: QuotaChange): QuotaSettings {
  const members = Object.entries({ ...settings, ...change });
  return Object.fromEntries(members.filter(([, value]) => value !== null && value !== undefined));
}

/** Returns the change that has all members of some settings, and takes all others away. */
export function replaceQuota(settings: QuotaSettings): QuotaChange {
  const none = Object.fromEntries([...QUOTA_RULE_NAMES, "models"].map((name) => [name, null]));
  return { ...none, ...settings };
}

/** Returns whether settings limit nothing. */
export function isUnlimited(settings: QuotaSettings): boolean {
  return settings.models === undefined && QUOTA_RULE_NAMES.every((rule) => settings[rule] === undefined);
}

/** Reads settings that were stored; members of a later version are left out. */
export function readQuotaSettings(stored: unknown): QuotaSettings {
  if (typeof stored !== "object" || stored === null) return {};
  const members = stored as Readonly<Record<string, unknown>>;
  const settings: { -readonly [Name in keyof QuotaSettings]: QuotaSettings[Name] } = {};
  for (const rule of QUOTA_RULE_NAMES) {
    const limit = members[rule];
    if (typeof limit === "number" && Number.isSafeInteger(limit) && limit >= 0) settings[rule] = limit;
  }
  const { models } = members;
  if (Array.isArray(models)) settings.models = models.filter((name) => typeof name === "string");
  return settings;
}
