import type { Kysely } from "@mikro-orm/sql";
import type { Store } from "../types/store.ts";
import type { Tables } from "../types/tables.ts";
import { parseRole, type Role } from "./roles.ts";

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
  readonly since: Date;
}

/** What became of a change; a project keeps at least one owner. */
export type MembershipChange = "changed" | "not-found" | "last-owner";

/** Who belongs to which project. */
export interface Memberships {
  /** The role of a person in a project; undefined for a stranger. */
  roleOf(userId: string, projectId: string): Promise<Role | undefined>;
  /** The projects of a person, by name. */
  projectsOf(userId: string): Promise<OwnProject[]>;
  /** The members of a project, the first ones first. */
  membersOf(projectId: string): Promise<Member[]>;
  setRole(projectId: string, userId: string, role: Role): Promise<MembershipChange>;
  remove(projectId: string, userId: string): Promise<MembershipChange>;
}

/** Creates the memberships of a database. */
export function createMemberships(store: Store): Memberships {
  return {
    async roleOf(userId, projectId) {
      const row = await store
        .query()
        .selectFrom("Membership")
        .select("role")
        .where("userId", "=", userId)
        .where("projectId", "=", projectId)
        .executeTakeFirst();
      return row === undefined ? undefined : parseRole(row.role);
    },
    projectsOf: (userId) => readProjects(store, userId),
    membersOf: (projectId) => readMembers(store, projectId),
    setRole: (projectId, userId, role) =>
      change(store, { projectId, userId, staysOwner: role === "owner" }, async (tables) => {
        await tables
          .updateTable("Membership")
          .set({ role })
          .where("projectId", "=", projectId)
          .where("userId", "=", userId)
          .execute();
      }),
    remove: (projectId, userId) =>
      change(store, { projectId, userId, staysOwner: false }, async (tables) => {
        await tables.deleteFrom("Membership").where("projectId", "=", projectId).where("userId", "=", userId).execute();
      }),
  };
}

async function readProjects(store: Store, userId: string): Promise<OwnProject[]> {
  const rows = await store
    .query()
    .selectFrom("Membership")
    .innerJoin("Project", "Project.id", "Membership.projectId")
    .select(["Project.id", "Project.name", "Membership.role"])
    .where("Membership.userId", "=", userId)
    .orderBy("Project.name")
    .execute();
  return rows.map((row) => ({ ...row, role: parseRole(row.role) }));
}

async function readMembers(store: Store, projectId: string): Promise<Member[]> {
  const rows = await store
    .query()
    .selectFrom("Membership")
    .innerJoin("UserAccount", "UserAccount.id", "Membership.userId")
    .select(["Membership.userId", "UserAccount.email", "Membership.role", "Membership.createdAt"])
    .where("Membership.projectId", "=", projectId)
    .orderBy("Membership.createdAt")
    .orderBy("Membership.userId")
    .execute();
  return rows.map(({ createdAt, ...row }) => ({ ...row, role: parseRole(row.role), since: createdAt }));
}

interface Change {
  readonly projectId: string;
  readonly userId: string;
  /** Whether the member is an owner afterwards. */
  readonly staysOwner: boolean;
}

/** Changes a membership, unless that would leave the project without an owner. */
async function change(
  store: Store,
  { projectId, userId, staysOwner }: Change,
  apply: (tables: Kysely<Tables>) => Promise<void>,
): Promise<MembershipChange> {
  return await store.transaction(async (tables) => {
    await lockProject(tables, projectId);
    const rows = await tables
      .selectFrom("Membership")
      .select(["userId", "role"])
      .where("projectId", "=", projectId)
      .execute();
    const member = rows.find((row) => row.userId === userId);
    if (member === undefined) return "not-found";
    const owners = rows.filter(({ role }) => role === "owner");
    if (member.role === "owner" && owners.length === 1 && !staysOwner) return "last-owner";
    await apply(tables);
    return "changed";
  });
}

/** Writes to the project's row, which both engines let only one transaction do at a time: two owners cannot remove each other. */
async function lockProject(tables: Kysely<Tables>, projectId: string): Promise<void> {
  await tables
    .updateTable("Project")
    .set((row) => ({ name: row.ref("Project.name") }))
    .where("id", "=", projectId)
    .execute();
}
