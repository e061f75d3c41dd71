import type { Limits } from "../../gen/attune/admin/v1/limits_pb.ts";
import { toCamelCase, toSnakeCase } from "../lib/letter-case.ts";
import { limitsToQuota, quotaToLimits } from "../operations/limits.ts";
import type { QuotaSettings } from "../quotas/quota.ts";
import { limitProblem, parseLimit, QUOTA_FIELDS, type QuotaField } from "../quotas/quota-fields.ts";
import { changeQuota, type QuotaChange } from "../quotas/quota-settings.ts";
import { option, type Parameter, UsageError } from "./command.ts";

/** The value that takes a limit away. */
const NONE = "none";

type Limit = number | typeof NONE | undefined;

/** The values of the options of limits, by their names in commands. */
export type LimitValues = Readonly<Record<string, unknown>>;

const LIMITS: Readonly<Record<string, Parameter<Limit>>> = Object.fromEntries(
  Object.values(QUOTA_FIELDS).map(({ option: written, label, unit }) => [
    toCamelCase(written, "-"),
    option("limit", `${label}; '${NONE}' for no limit`, (text) => readLimit(unit, text)),
  ]),
);

/** The options that set limits. */
export const LIMIT_OPTIONS = {
  ...LIMITS,
  models: option("names", "comma-separated models that the caller can use; 'none' allows all", readNames),
};

/** Returns the change that the options of limits ask for; undefined where there are none. */
export function readChange(values: LimitValues): QuotaChange | undefined {
  const limits = Object.values(QUOTA_FIELDS).flatMap(({ rule, option: written }) => {
    const value = values[toCamelCase(written, "-")];
    return value === undefined ? [] : [[rule, value === NONE ? null : value]];
  });
  const { models } = values;
  const change = {
    ...Object.fromEntries(limits),
    ...(models !== undefined && { models: models === NONE ? null : models }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

/** Returns the values that a change of limits sets, as requests have them. */
export function toLimits(change: QuotaChange) {
  return quotaToLimits(changeQuota({}, change));
}

/** Returns the paths of an update mask that a change of limits has. */
export function listChangedPaths(change: QuotaChange | undefined): readonly string[] {
  const names = Object.entries(QUOTA_FIELDS).flatMap(([name, { rule }]) =>
    change?.[rule] === undefined ? [] : [`limits.${toSnakeCase(name)}`],
  );
  return change?.models === undefined ? names : [...names, "limits.models"];
}

/** Returns the limits of a response. */
export function toSettings(limits: Limits | undefined): QuotaSettings {
  return limitsToQuota({ modelOf: (name) => name }, limits, "limits");
}

function readLimit(unit: QuotaField["unit"], text: string): number | typeof NONE {
  if (text === NONE) return NONE;
  const limit = parseLimit(unit, text);
  if (limit === undefined) throw new UsageError(`${limitProblem(unit)}, or ${NONE}`);
  return limit;
}

function readNames(text: string): readonly string[] | typeof NONE {
  if (text === NONE) return NONE;
  const names = text.split(",").map((name) => name.trim());
  if (names.includes("")) throw new UsageError(`must be names with commas between, or ${NONE}`);
  return [...new Set(names)];
}
