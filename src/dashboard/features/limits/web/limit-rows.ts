import type { QuotaSettings } from "../../../../quotas/quota.ts";
import { defaultLimits, type ProjectQuotas, type QuotaOwner } from "../../../web/parts/default-limits.ts";

/** The limits of someone. */
export interface LimitRow {
  readonly title: string;
  readonly owner: QuotaOwner;
  readonly settings: QuotaSettings;
  /** The limits that hold where it has none of its own. */
  readonly defaults: QuotaSettings;
}

/** The owners that are always listed. */
const FIXED: readonly QuotaOwner[] = [
  { kind: "project", name: "" },
  { kind: "key", name: "" },
  { kind: "endUser", name: "" },
];

const BY_NAME = new Intl.Collator("en", { numeric: true });

/** Lists the project, each key and each end user, then those with limits by name. */
export function limitRows(quotas: ProjectQuotas, keyName: (publicId: string) => string): readonly LimitRow[] {
  const named = quotas.quotas.filter(({ name }) => name !== "");
  // The kinds stay together; user-9 comes before user-10.
  named.sort((a, b) => (a.kind === b.kind ? BY_NAME.compare(a.name, b.name) : 0));
  return [...FIXED, ...named].map(({ kind, name }) => {
    const set = quotas.quotas.find((quota) => quota.kind === kind && quota.name === name);
    const owner = { kind, name };
    return {
      title: writeTitle(owner, keyName),
      owner,
      settings: set?.settings ?? {},
      defaults: defaultLimits(quotas, owner),
    };
  });
}

function writeTitle({ kind, name }: QuotaOwner, keyName: (publicId: string) => string): string {
  if (kind === "project") return "This project";
  if (kind === "tag") return `Tag ${name}`;
  if (kind === "endUser") return name === "" ? "Each end user" : `End user ${name}`;
  return name === "" ? "Each key" : `Key ${keyName(name)}`;
}
