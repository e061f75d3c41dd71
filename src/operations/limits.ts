import { isDeepStrictEqual } from "node:util";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Limits, LimitsSchema } from "../../gen/attune/admin/v1/limits_pb.ts";
import { InferenceError } from "../hub/error.ts";
import { toSnakeCase } from "../lib/letter-case.ts";
import { toWrittenQuota } from "../quotas/describe-quota.ts";
import type { QuotaSettings } from "../quotas/quota.ts";
import { limitProblem, QUOTA_FIELD_NAMES, QUOTA_FIELDS, usdToNanos } from "../quotas/quota-fields.ts";
import { type QuotaChange, replaceQuota } from "../quotas/quota-settings.ts";
import { NOT_IN_CATALOG } from "../vocabulary/not-in-catalog.ts";
import type { Work } from "./handlers.ts";

/** The names that an update mask may have for limits. */
export const LIMIT_PATHS = ["limits", ...[...QUOTA_FIELD_NAMES, "models"].map((name) => `limits.${toSnakeCase(name)}`)];

/** Returns whether limits have what a path of LIMIT_PATHS names. */
export function isLimitSet(limits: Limits | undefined, path: string): boolean {
  if (limits === undefined || !path.startsWith("limits")) return false;
  if (path === "limits") return true;
  if (path === "limits.models") return limits.models.length > 0;
  return QUOTA_FIELD_NAMES.some((name) => path === `limits.${toSnakeCase(name)}` && limits[name] !== undefined);
}

/** Reads limits of a request; `place` names them. Throws INVALID_REQUEST. */
export function limitsToQuota({ modelOf }: Pick<Work, "modelOf">, limits: Limits | undefined, place: string) {
  if (limits === undefined) return {};
  const settings: { -readonly [Name in keyof QuotaSettings]: QuotaSettings[Name] } = {};
  for (const name of QUOTA_FIELD_NAMES) {
    const value = limits[name];
    if (value === undefined) continue;
    const { rule, unit } = QUOTA_FIELDS[name];
    const limit = unit === "usd" ? usdToNanos(Number(value)) : Number(value);
    if (limit === undefined) throw InferenceError.invalid(`${place}.${toSnakeCase(name)}`, limitProblem(unit));
    settings[rule] = limit;
  }
  if (limits.models.length > 0) settings.models = readModels(limits.models, modelOf, `${place}.models`);
  return settings;
}

function readModels(models: readonly string[], modelOf: Work["modelOf"], place: string): readonly string[] {
  const names = models.map((model, at) => {
    const name = modelOf(model);
    if (name !== undefined) return name;
    const problem = `names '${model}', which ${NOT_IN_CATALOG}`;
    throw InferenceError.invalid(`${place}[${at}]`, problem);
  });
  return [...new Set(names)];
}

/** Returns the change of limits that the paths of an update mask say; undefined where they say none. */
export function limitsChange(settings: QuotaSettings, paths: readonly string[]): QuotaChange | undefined {
  if (paths.includes("limits")) return replaceQuota(settings);
  const named = [...QUOTA_FIELD_NAMES.map((name) => [name, QUOTA_FIELDS[name].rule]), ["models", "models"]] as const;
  const changed = named.filter(([name]) => paths.includes(`limits.${toSnakeCase(name)}`));
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.map(([, rule]) => [rule, settings[rule as keyof QuotaSettings] ?? null]));
}

/** Returns limits as responses have them. */
export function quotaToLimits(settings: QuotaSettings): MessageInitShape<typeof LimitsSchema> {
  const { models, ...written } = toWrittenQuota(settings);
  const limits = Object.entries(written).map(([name, value]) => [name, name.startsWith("usd") ? value : BigInt(value)]);
  return { ...Object.fromEntries(limits), ...(models && { models: [...models] }) };
}

/** Returns whether two limits are the same, in whatever order their models are. */
export function isSameQuota(one: QuotaSettings, other: QuotaSettings): boolean {
  const sorted = ({ models, ...rules }: QuotaSettings) => ({ ...rules, models: models && [...models].sort() });
  return isDeepStrictEqual(sorted(one), sorted(other));
}
