import { type InferEntity, LockMode } from "@mikro-orm/core";
import type { SqlEntityManager } from "@mikro-orm/sql";
import { parseRole, type Role } from "../../vocabulary/roles.ts";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { Invitation } from "../entities/invitation.ts";
import { Membership } from "../entities/membership.ts";
import { Project } from "../entities/project.ts";
import type { Store } from "../types/store.ts";
import type { Account } from "./accounts.ts";
import { checkMembers } from "./check-members.ts";
import { checkOwned } from "./check-owned.ts";

/** A project that a person belongs to. */
export interface OwnProject {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

/** A person who belongs to a project. */
export interface Member {
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
  /** True if groups of a sign-in provider give it, so that nobody changes it here. */
  readonly isByGroups: boolean;
  readonly since: Date;
}

/**
 * The result of a change; a project keeps at least one owner, and what groups of a provider give they take away.
 */
export type MembershipChange = "changed" | "not-found" | "last-owner" | "by-groups";

/** A membership that is to change. */
interface MemberChange {
  readonly projectId: string;
  readonly userId: string;
}

/** The members of projects. */
export interface Memberships {
  /** The role of a person in a project; undefined for a stranger. */
  findRole(userId: string, projectId: string): Promise<Role | undefined>;
  /** The projects of a person, by name. */
  listProjects(userId: string): Promise<OwnProject[]>;
  /** The members of a project, the first ones first. */
  listMembers(projectId: string): Promise<Member[]>;
  /**
   * Makes the person of an account a member, who is none yet; an invitation of theirs to the project ends. Throws
   * QuotaError.
   */
  add(projectId: string, account: Pick<Account, "id" | "email">, role: Role): Promise<void>;
  /** Throws QuotaError where the member owns as many projects as one person may. */
  setRole(member: MemberChange, role: Role): Promise<MembershipChange>;
  remove(member: MemberChange): Promise<MembershipChange>;
}

/** Projects that nobody has deleted. */
const THERE = { project: { deletedAt: null } } as const;

/** Creates the memberships of a database. */
export function createMemberships(store: Store): Memberships {
  return {
    async findRole(userId, projectId) {
      const membership = await store
        .fork()
        .findOne(Membership, { user: userId, project: { id: projectId, ...THERE.project } });
      return membership === null ? undefined : parseRole(membership.role);
    },
    async listProjects(userId) {
      const own = await store
        .fork()
        .find(Membership, { user: userId, ...THERE }, { populate: ["project"], orderBy: { project: { name: "asc" } } });
      return own.map(({ project: { id, name }, role }) => ({ id, name, role: parseRole(role) }));
    },
    async listMembers(projectId) {
      const members = await store
        .fork()
        .find(Membership, { project: projectId }, { populate: ["user"], orderBy: { createdAt: "asc", user: "asc" } });
      return members.map(({ user: { id, email }, role, grantedBy, createdAt }) => {
        return { userId: id, email, role: parseRole(role), isByGroups: Boolean(grantedBy), since: createdAt };
      });
    },
    add: (projectId, { id, email }, role) =>
      store.unitOfWork(async (em) => {
        await checkMembers(em, { projectId, email, createdAt: new Date() }, store.quotas);
        if (role === "owner") await checkOwned(em, id, store.quotas);
        await em.nativeDelete(Invitation, { project: projectId, email });
        em.create(Membership, { project: projectId, user: id, role, createdAt: new Date() });
        appendAuditEntry(em, {
          ...store.origin,
          projectId,
          action: "members.add",
          target: { kind: "member", id, name: email },
          before: null,
          after: { role },
        });
      }),
    setRole: (member, role) =>
      change(store, { ...member, isOwner: role === "owner" }, async (em, membership) => {
        const { projectId, userId } = member;
        if (role === "owner" && membership.role !== "owner") await checkOwned(em, userId, store.quotas);
        const before = { role: membership.role };
        membership.role = role;
        appendAuditEntry(em, {
          ...store.origin,
          projectId,
          action: "members.setRole",
          target: await getTarget(em, membership),
          before,
          after: { role },
        });
      }),
    remove: (member) =>
      change(store, { ...member, isOwner: false }, async (em, membership) => {
        appendAuditEntry(em, {
          ...store.origin,
          projectId: member.projectId,
          action: "members.remove",
          target: await getTarget(em, membership),
          before: { role: membership.role },
          after: null,
        });
        em.remove(membership);
      }),
  };
}

async function getTarget(em: SqlEntityManager, membership: InferEntity<typeof Membership>) {
  const { user } = await em.populate(membership, ["user"]);
  return { kind: "member", id: user.id, name: user.email };
}

interface Change extends MemberChange {
  /** True if the member is an owner afterwards. */
  readonly isOwner: boolean;
}

/** Changes a membership, unless that would leave the project without an owner, or takes another role to do. */
async function change(
  store: Store,
  { projectId, userId, isOwner }: Change,
  apply: (em: SqlEntityManager, membership: InferEntity<typeof Membership>) => Promise<void>,
): Promise<MembershipChange> {
  return await store.unitOfWork(async (em) => {
    // One at a time for each project: two owners cannot remove each other.
    await em.findOne(Project, projectId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const memberships = await em.find(Membership, { project: projectId });
    const membership = memberships.find(({ user }) => user.id === userId);
    if (membership === undefined) return "not-found";
    if (membership.grantedBy) return "by-groups";
    const wasOwner = membership.role === "owner";
    const owners = memberships.filter(({ role }) => role === "owner");
    if (wasOwner && owners.length === 1 && !isOwner) return "last-owner";
    await apply(em, membership);
    return "changed";
  });
}
