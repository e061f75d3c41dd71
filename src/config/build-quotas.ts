import { createCatalog } from "../catalog/catalog.ts";
import type { CatalogModel } from "../catalog/model.ts";
import type { QuotaSettings } from "../quotas/quota.ts";
import { QUOTA_FIELD_NAMES, QUOTA_FIELDS } from "../quotas/quota-fields.ts";
import type { QuotasConfig } from "./config.ts";
import type { ParsedConfig } from "./schema.ts";

type ParsedQuota = ParsedConfig["quotas"]["installation"];

/** Makes the quotas: limits by their rules, and models by their own names. */
export function buildQuotas(
  { installation, eachProject, eachKey, eachEndUser, ...others }: ParsedConfig["quotas"],
  models: readonly CatalogModel[],
  prefix: string,
): QuotasConfig {
  const catalog = createCatalog(models, prefix);
  const build = ({ models: allowed, ...limits }: ParsedQuota): QuotaSettings => ({
    ...Object.fromEntries(
      QUOTA_FIELD_NAMES.flatMap((name) => {
        const limit = limits[name];
        return limit === undefined ? [] : [[QUOTA_FIELDS[name].rule, limit]];
      }),
    ),
    ...(allowed && { models: allowed.map((name) => catalog.find(name)?.name ?? name) }),
  });
  return {
    ...others,
    installation: build(installation),
    eachProject: build(eachProject),
    eachKey: build(eachKey),
    eachEndUser: build(eachEndUser),
  };
}
