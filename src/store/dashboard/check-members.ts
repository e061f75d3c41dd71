import { LockMode } from "@mikro-orm/core";
import type { SqlEntityManager } from "@mikro-orm/sql";
import { Invitation } from "../entities/invitation.ts";
import { Membership } from "../entities/membership.ts";
import { Project } from "../entities/project.ts";
import { checkQuota, type Quotas } from "../types/quotas.ts";

/**
 * The time for which an invitation that was not accepted is kept: a clock that was ahead for a while makes none end.
 */
const FORGOTTEN_MS = 30 * 86_400_000;

/**
 * Checks that a project has room for one more member; those who wait are counted, but for an earlier invitation of the
 * same address.
 */
export async function checkMembers(
  em: SqlEntityManager,
  { projectId, email, createdAt }: { readonly projectId: string; readonly email: string; readonly createdAt: Date },
  quotas: Quotas,
): Promise<void> {
  // Of several who invite at once, the others wait here.
  await em.findOne(Project, projectId, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const forgotten = { project: projectId, expiresAt: { $lte: new Date(createdAt.getTime() - FORGOTTEN_MS) } };
  await em.nativeDelete(Invitation, forgotten);
  const waiting = { project: projectId, email: { $ne: email }, expiresAt: { $gt: createdAt } };
  const count = (await em.count(Membership, { project: projectId })) + (await em.count(Invitation, waiting));
  checkQuota(quotas, "membersPerProject", count, (quota) => {
    return `the members of this project, with those who are invited, are ${quota}: remove one first`;
  });
}
