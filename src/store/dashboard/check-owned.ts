import { LockMode } from "@mikro-orm/core";
import type { SqlEntityManager } from "@mikro-orm/sql";
import { Membership } from "../entities/membership.ts";
import { UserAccount } from "../entities/user-account.ts";
import { checkQuota, type Quotas } from "../types/quotas.ts";

/**
 * Checks that a person may own one more project; until the transaction ends, nobody else makes them owner of another.
 * Throws QuotaError.
 */
export async function checkOwned(em: SqlEntityManager, userId: string, quotas: Quotas): Promise<void> {
  if (quotas.projectsPerPerson === Number.POSITIVE_INFINITY) return;
  await em.findOne(UserAccount, userId, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const count = await em.count(Membership, { user: userId, role: "owner", project: { deletedAt: null } });
  checkQuota(quotas, "projectsPerPerson", count, (quota) => {
    return `the projects that one person owns are ${quota}: give one of them to another owner and leave it first`;
  });
}
