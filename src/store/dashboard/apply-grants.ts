import { type InferEntity, LockMode } from "@mikro-orm/core";
import type { SqlEntityManager } from "@mikro-orm/sql";
import { isUuid } from "../../lib/ids.ts";
import type { ChangeOrigin } from "../../vocabulary/change-origin.ts";
import { ROLES, type Role } from "../../vocabulary/roles.ts";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { Membership } from "../entities/membership.ts";
import { Project } from "../entities/project.ts";
import type { UserAccount } from "../entities/user-account.ts";

/** The roles that a provider's groups give a person now. */
export interface Grants {
  /** The provider, as the configuration and the audit log name it. */
  readonly provider: string;
  readonly issuer: string;
  /** Roles by the names or ids of projects; projects that there are not give none. */
  readonly roles: ReadonlyMap<string, Role>;
  /** True if there may be more groups, which could not be read: no role is taken away or lowered then. */
  readonly isPartial?: boolean;
}

/**
 * Makes, changes and ends the memberships that groups of a provider give, within a transaction. A membership that a
 * person or another provider gave stays as it is.
 */
export async function applyGrants(em: SqlEntityManager, { user, grants, origin }: GrantOrder): Promise<void> {
  const wanted = await findProjects(em, grants.roles);
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  const memberships = await em.find(Membership, { user: user.id }, lock);
  const deleted = await findDeleted(em, memberships);
  const audit = createAudit(em, { user, grants, origin });
  for (const membership of memberships) {
    const projectId = membership.project.id;
    const role = wanted.get(projectId);
    wanted.delete(projectId);
    if (membership.grantedBy !== grants.issuer || membership.role === role || deleted.has(projectId)) continue;
    if (grants.isPartial === true && (role === undefined || !isStronger(role, membership.role))) continue;
    audit(projectId, membership.role, role);
    if (role === undefined) em.remove(membership);
    else membership.role = role;
  }
  for (const [project, role] of wanted) {
    em.create(Membership, { user: user.id, project, role, grantedBy: grants.issuer, createdAt: new Date() });
    audit(project, undefined, role);
  }
}

function isStronger(role: Role, other: string): boolean {
  const order: readonly string[] = ROLES;
  return order.indexOf(role) < order.indexOf(other);
}

/** A person whose memberships change, and the origin of the request. */
interface GrantOrder {
  readonly user: Pick<InferEntity<typeof UserAccount>, "id" | "email">;
  readonly grants: Grants;
  readonly origin: ChangeOrigin;
}

function createAudit(em: SqlEntityManager, { user, grants: { provider }, origin }: GrantOrder) {
  const actor = { kind: "configuration", id: provider, label: `groups of ${provider}` } as const;
  const target = { kind: "member", id: user.id, name: user.email };
  return (projectId: string, before: string | undefined, after: Role | undefined) => {
    const action = before === undefined ? "members.add" : after === undefined ? "members.remove" : "members.setRole";
    appendAuditEntry(em, {
      ...origin,
      actor,
      projectId,
      action,
      target,
      before: before === undefined ? null : { role: before },
      after: after === undefined ? null : { role: after },
    });
  };
}

/** Returns the projects that were deleted: memberships come back with them. */
async function findDeleted(
  em: SqlEntityManager,
  memberships: readonly InferEntity<typeof Membership>[],
): Promise<ReadonlySet<string>> {
  const ids = memberships.map(({ project }) => project.id);
  const deleted = await em.find(Project, { id: { $in: ids }, deletedAt: { $ne: null } });
  return new Set(deleted.map(({ id }) => id));
}

/** Returns roles by the ids of projects. */
async function findProjects(em: SqlEntityManager, roles: ReadonlyMap<string, Role>): Promise<Map<string, Role>> {
  const names = [...roles.keys()];
  if (names.length === 0) return new Map();
  const where = { $or: [{ name: { $in: names } }, { id: { $in: names.filter(isUuid) } }] };
  const projects = await em.find(Project, { ...where, deletedAt: null });
  return new Map(
    projects.flatMap(({ id, name }) => {
      const role = roles.get(name) ?? roles.get(id);
      return role === undefined ? [] : [[id, role] as const];
    }),
  );
}
