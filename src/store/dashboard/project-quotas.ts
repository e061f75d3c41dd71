import type { QuotaKind, QuotaOwner, QuotaSettings } from "../../quotas/quota.ts";
import type { OwnedQuota } from "../../quotas/quota-index.ts";
import type { QuotaChange } from "../../quotas/quota-settings.ts";
import { readQuotas } from "../quotas/read-quotas.ts";
import { writeQuota } from "../quotas/write-quota.ts";
import type { Store } from "../types/store.ts";

/** Quotas, each seen from its project. */
export interface ProjectQuotas {
  /** Lists the quotas of a project by kind and name. */
  list(
    projectId: string,
    filter: { readonly kinds?: readonly QuotaKind[]; readonly names?: readonly string[]; readonly limit: number },
  ): Promise<readonly OwnedQuota[]>;
  /** Lists the quotas that go for all projects. */
  general(): Promise<readonly OwnedQuota[]>;
  /** Changes the quota of an owner; resolves to what it has then. Throws QuotaError. */
  set(owner: QuotaOwner, change: QuotaChange): Promise<QuotaSettings>;
}

/** Creates the quotas of a database, as projects see them. */
export function createProjectQuotas(store: Store): ProjectQuotas {
  return {
    list: (projectId, filter) => readQuotas(store, { projectId, ...filter }),
    general: () => readQuotas(store, { projectId: "" }),
    set: (owner, change) => writeQuota(store, { owner, change }),
  };
}
