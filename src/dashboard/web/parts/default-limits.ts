import type { QuotaSettings } from "../../../quotas/quota.ts";
import type { Outputs } from "../api/trpc.ts";

/** The quotas of a project. */
export type ProjectQuotas = Outputs["quotas"]["list"];

/** The owner of a quota of the project. */
export type QuotaOwner = Pick<ProjectQuotas["quotas"][number], "kind" | "name">;

/** Returns the limits that an owner has by default, those of each of its kind; none before they are read. */
export function defaultLimits(known: ProjectQuotas | undefined, { kind, name }: QuotaOwner): QuotaSettings {
  if (known === undefined || kind === "tag") return {};
  const each = known.quotas.find((quota) => quota.kind === kind && quota.name === "");
  return name === "" ? known.defaults[kind] : { ...known.defaults[kind], ...each?.settings };
}
