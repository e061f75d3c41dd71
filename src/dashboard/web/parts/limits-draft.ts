import type { QuotaSettings } from "../../../quotas/quota.ts";
import {
  formatLimit,
  limitProblem,
  parseLimit,
  QUOTA_FIELD_NAMES,
  QUOTA_FIELDS,
  type QuotaField,
  type QuotaFieldName,
} from "../../../quotas/quota-fields.ts";

/** Limits while they are typed. */
export interface LimitsDraft {
  /** Empty texts limit nothing. */
  readonly limits: Readonly<Record<QuotaFieldName, string>>;
  /** All models where it is empty. */
  readonly models: readonly string[];
}

/** Returns limits as they are typed. */
export function toDraft(settings: QuotaSettings): LimitsDraft {
  const limits = QUOTA_FIELD_NAMES.map((name) => [name, limitText(settings, name)]);
  return { limits: Object.fromEntries(limits), models: settings.models ?? [] };
}

/** Writes one limit; empty where there is none. */
export function limitText(settings: QuotaSettings, name: QuotaFieldName): string {
  const { rule, unit } = QUOTA_FIELDS[name];
  const limit = settings[rule];
  return limit === undefined ? "" : formatLimit(unit, limit);
}

/** Returns what is wrong with each text. */
export function findProblems({ limits }: LimitsDraft): Partial<Record<QuotaFieldName, string>> {
  const problems = QUOTA_FIELD_NAMES.flatMap((name) => {
    const { unit } = QUOTA_FIELDS[name];
    const text = limits[name].trim();
    return text === "" || parseLimit(unit, text) !== undefined ? [] : [[name, limitProblem(unit)]];
  });
  return Object.fromEntries(problems);
}

/** Returns the limits of a draft without problems. */
export function toSettings({ limits, models }: LimitsDraft): QuotaSettings {
  const present = QUOTA_FIELD_NAMES.flatMap((name) => {
    const { rule, unit } = QUOTA_FIELDS[name];
    const limit = parseLimit(unit, limits[name].trim());
    return limit === undefined ? [] : [[rule, limit]];
  });
  return { ...Object.fromEntries(present), ...(models.length > 0 && { models }) };
}

/** Writes limits in a line: 60 requests a minute, 1.5 USD a day, only gpt-6-astra; empty where there are none. */
export function describeLimits(settings: QuotaSettings): string {
  const limits = QUOTA_FIELD_NAMES.flatMap((name) => {
    const { label, unit } = QUOTA_FIELDS[name];
    const text = limitText(settings, name);
    if (text === "") return [];
    return [`${text} ${text === "1" && unit === "count" ? label.replace(/s\b/, "") : label}`];
  });
  const { models } = settings;
  if (models !== undefined)
    limits.push(models.length > 2 ? `only ${models.length} models` : `only ${models.join(" and ")}`);
  return limits.join(", ");
}

const FIELD_OF_RULE: ReadonlyMap<string, QuotaField> = new Map(
  Object.values(QUOTA_FIELDS).map((field) => [field.rule, field]),
);

/** Writes a limit as people set it, such as 50 USD a month; undefined for what is none. */
export function writeLimit(name: string, value: unknown): string | undefined {
  const field = FIELD_OF_RULE.get(name);
  if (field === undefined || typeof value !== "number") return undefined;
  return `${formatLimit(field.unit, value)} ${field.label}`;
}
