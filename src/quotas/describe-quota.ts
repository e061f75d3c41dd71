import type { QuotaOwner, QuotaSettings } from "./quota.ts";
import { formatLimit, QUOTA_FIELD_NAMES, QUOTA_FIELDS, type QuotaFieldName } from "./quota-fields.ts";

/** A quota as people write it: limits in USD are in USD. */
type WrittenQuota = { readonly [Name in QuotaFieldName]?: number } & { readonly models?: readonly string[] };

/** Returns a quota as attune.yaml has it. */
export function toWrittenQuota(settings: QuotaSettings): WrittenQuota {
  const limits = QUOTA_FIELD_NAMES.flatMap((name) => {
    const { rule, unit } = QUOTA_FIELDS[name];
    const limit = settings[rule];
    return limit === undefined ? [] : [[name, Number(formatLimit(unit, limit))]];
  });
  return { ...Object.fromEntries(limits), ...(settings.models && { models: settings.models }) };
}

/** Writes a quota in one line, with the options of commands: `rpm=60 usd-day=1.5 models=a,b`; empty without limits. */
export function describeQuota(settings: QuotaSettings): string {
  const limits = Object.values(QUOTA_FIELDS).flatMap(({ rule, option, unit }) => {
    const limit = settings[rule];
    return limit === undefined ? [] : [`${option}=${formatLimit(unit, limit)}`];
  });
  return [...limits, ...(settings.models ? [`models=${settings.models.join(",")}`] : [])].join(" ");
}

/** Names the owner of a quota inside a project: `key 2b7c`, `each end user`, `project`. */
export function describeOwner({ kind, projectId, name }: QuotaOwner): string {
  const noun = kind === "endUser" ? "end user" : kind;
  if (kind === "installation") return noun;
  if (kind === "project") return projectId === "" ? "each project" : noun;
  return name === "" ? `each ${noun}` : `${noun} ${name}`;
}
