import type { Kysely } from "@mikro-orm/sql";
import { newId } from "../../lib/ids.ts";
import type { Store } from "../types/store.ts";
import type { Tables } from "../types/tables.ts";
import { type Account, newAccount, normaliseEmail } from "./accounts.ts";
import { parseRole, type Role } from "./roles.ts";
import { hashToken, newToken } from "./tokens.ts";

/** How long an invitation is good for. */
const INVITATION_MS = 7 * 86_400_000;

/**
 * When a link that is good expires at the latest: one that was made by a clock far ahead would else be good for as long. A day
 * is left for clocks that differ.
 */
function latestExpiry(now: number): Date {
  return new Date(now + INVITATION_MS + 86_400_000);
}

/** An invitation that waits to be accepted. */
export interface Invitation {
  readonly id: string;
  readonly projectId: string;
  /** In lower case; only the person of this address is meant. */
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** An invitation, as the person who opens its link sees it. */
export interface OpenedInvitation extends Invitation {
  readonly projectName: string;
  /** The account of its address, if there is one. */
  readonly account: Account | undefined;
}

/** Invitations to projects: links that work once. */
export interface Invitations {
  /** Invites; an earlier invitation of the same address to the project ends. The secret is nowhere kept. */
  create(invitation: Pick<Invitation, "projectId" | "email" | "role">): Promise<{ secret: string; info: Invitation }>;
  /** Those of a project that wait, the oldest first. */
  list(projectId: string): Promise<Invitation[]>;
  /** Takes one back. Resolves to whether there was one. */
  revoke(projectId: string, id: string): Promise<boolean>;
  open(secret: string): Promise<OpenedInvitation | undefined>;
  /**
   * Makes its person a member, with a new account where there is none. Resolves to the id of the account; to undefined
   * unless the secret is good, which is once. A member who already has a role keeps it.
   */
  accept(secret: string, newPasswordHash: string | undefined): Promise<string | undefined>;
}

const COLUMNS = ["id", "projectId", "email", "role", "createdAt", "expiresAt"] as const;

/** Creates the invitations of a database. `now` returns milliseconds since 1970. */
export function createInvitations(store: Store, now: () => number = Date.now): Invitations {
  return {
    async create({ projectId, email, role }) {
      const { secret, hash } = newToken();
      const times = { createdAt: new Date(now()), expiresAt: new Date(now() + INVITATION_MS) };
      const info: Invitation = { id: newId(), projectId, email: normaliseEmail(email), role, ...times };
      await store.transaction(async (tables) => {
        await tables
          .deleteFrom("Invitation")
          .where("projectId", "=", projectId)
          .where("email", "=", info.email)
          .execute();
        await tables
          .insertInto("Invitation")
          .values({ ...info, tokenHash: hash })
          .execute();
      });
      return { secret, info };
    },
    async list(projectId) {
      const rows = await store
        .query()
        .selectFrom("Invitation")
        .select(COLUMNS)
        .where("projectId", "=", projectId)
        .where("expiresAt", ">", new Date(now()))
        .where("expiresAt", "<", latestExpiry(now()))
        .orderBy("createdAt")
        .orderBy("id")
        .execute();
      return rows.map((row) => ({ ...row, role: parseRole(row.role) }));
    },
    async revoke(projectId, id) {
      const query = store.query().deleteFrom("Invitation").where("projectId", "=", projectId).where("id", "=", id);
      return (await query.executeTakeFirstOrThrow()).numDeletedRows > 0n;
    },
    async open(secret) {
      const row = await store
        .query()
        .selectFrom("Invitation")
        .innerJoin("Project", "Project.id", "Invitation.projectId")
        .select([
          "Invitation.id",
          "Project.id as projectId",
          "Invitation.email",
          "Invitation.role",
          "Invitation.createdAt",
          "Invitation.expiresAt",
          "Project.name as projectName",
        ])
        .where("Invitation.tokenHash", "=", hashToken(secret))
        .where("Invitation.expiresAt", ">", new Date(now()))
        .where("Invitation.expiresAt", "<", latestExpiry(now()))
        .executeTakeFirst();
      if (row === undefined) return undefined;
      return { ...row, role: parseRole(row.role), account: await accountOf(store.query(), row.email) };
    },
    accept: (secret, newPasswordHash) =>
      store.transaction((tables) => accept(tables, { tokenHash: hashToken(secret), newPasswordHash, now: now() })),
  };
}

interface Acceptance {
  readonly tokenHash: string;
  readonly newPasswordHash: string | undefined;
  readonly now: number;
}

async function accept(
  tables: Kysely<Tables>,
  { tokenHash, newPasswordHash, now }: Acceptance,
): Promise<string | undefined> {
  const invitation = await tables
    .selectFrom("Invitation")
    .select(COLUMNS)
    .where("tokenHash", "=", tokenHash)
    .where("expiresAt", ">", new Date(now))
    .where("expiresAt", "<", latestExpiry(now))
    .executeTakeFirst();
  if (invitation === undefined) return undefined;
  const existing = await accountOf(tables, invitation.email);
  if (existing === undefined && newPasswordHash === undefined) return undefined;
  // Of several who come at once, the engine lets one delete the row.
  const { numDeletedRows } = await tables
    .deleteFrom("Invitation")
    .where("id", "=", invitation.id)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return undefined;
  const account = existing ?? newAccount(invitation.email, newPasswordHash ?? "");
  if (existing === undefined) await tables.insertInto("UserAccount").values(account).execute();
  await tables
    .insertInto("Membership")
    .values({
      userId: account.id,
      projectId: invitation.projectId,
      role: parseRole(invitation.role),
      createdAt: new Date(now),
    })
    .onConflict((conflict) => conflict.columns(["userId", "projectId"]).doNothing())
    .execute();
  return account.id;
}

async function accountOf(tables: Kysely<Tables>, email: string): Promise<Account | undefined> {
  return await tables
    .selectFrom("UserAccount")
    .select(["id", "email", "passwordHash", "createdAt"])
    .where("email", "=", email)
    .executeTakeFirst();
}
