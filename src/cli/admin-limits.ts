import type { Limits } from "../../gen/attune/admin/v1/limits_pb.ts";
import { limitsToQuota, quotaToLimits } from "../administration/limits.ts";
import { protoName } from "../administration/update-mask.ts";
import type { QuotaSettings } from "../quotas/quota.ts";
import { QUOTA_FIELDS } from "../quotas/quota-fields.ts";
import { changeQuota, type QuotaChange } from "../quotas/quota-settings.ts";

/** Returns the values that a change of limits sets, as requests have them. */
export function toLimits(change: QuotaChange) {
  return quotaToLimits(changeQuota({}, change));
}

/** Returns the paths of an update mask that a change of limits has. */
export function changePaths(change: QuotaChange | undefined): readonly string[] {
  const names = Object.entries(QUOTA_FIELDS).flatMap(([name, { rule }]) =>
    change?.[rule] === undefined ? [] : [`limits.${protoName(name)}`],
  );
  return change?.models === undefined ? names : [...names, "limits.models"];
}

/** Returns the limits of a response. */
export function toSettings(limits: Limits | undefined): QuotaSettings {
  return limitsToQuota({ modelOf: (name) => name }, limits, "limits");
}
