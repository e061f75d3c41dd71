import type { Kysely } from "@mikro-orm/sql";
import type { Store } from "../types/store.ts";
import type { Tables } from "../types/tables.ts";
import { hashToken, newToken } from "./tokens.ts";

/** How long a link is good for. */
const RESET_MS = 24 * 3_600_000;

/** A link through which someone chooses a new password. */
export interface NewReset {
  /** Nowhere kept. */
  readonly secret: string;
  readonly expiresAt: Date;
}

/** A link that is good, as the person who opens it sees it. */
export interface OpenedReset {
  readonly userId: string;
  readonly email: string;
}

/** What making a link came to. */
export type ResetChange = NewReset | "not-found" | "other-projects";

/** Ways back for people who forgot their password: links that work once. */
export interface PasswordResets {
  /**
   * Makes the link of a member of a project, in place of any earlier one. Whoever has the link has the account, so it takes an
   * owner of all projects that the member belongs to: "other-projects" otherwise.
   */
  createForMember(reset: { projectId: string; userId: string; madeBy: string }): Promise<ResetChange>;
  /** Makes the link of any account, for who runs the service. */
  createForAccount(userId: string): Promise<NewReset>;
  /** Finds whose link this is; undefined unless it is good. */
  open(secret: string): Promise<OpenedReset | undefined>;
  /**
   * Replaces the password of whose link it is and ends all their sessions. Resolves to undefined unless the secret is good,
   * which is once.
   */
  redeem(secret: string, passwordHash: string): Promise<OpenedReset | undefined>;
}

/** Creates the links of a database. `now` returns milliseconds since 1970. */
export function createPasswordResets(store: Store, now: () => number = Date.now): PasswordResets {
  const create = async (tables: Kysely<Tables>, userId: string, madeBy: string | null) => {
    const { secret, hash } = newToken();
    const row = { tokenHash: hash, madeBy, expiresAt: new Date(now() + RESET_MS) };
    await tables
      .insertInto("PasswordReset")
      .values({ userId, ...row })
      .onConflict((conflict) => conflict.column("userId").doUpdateSet(row))
      .execute();
    return { secret, expiresAt: row.expiresAt };
  };
  const open = (tables: Kysely<Tables>, secret: string) => findReset(tables, hashToken(secret), now());
  return {
    createForMember: ({ projectId, userId, madeBy }) =>
      store.transaction(async (tables) => {
        const projects = await projectsOf(tables, userId);
        if (!projects.includes(projectId)) return "not-found";
        return (await ownsAll(tables, madeBy, projects)) ? await create(tables, userId, madeBy) : "other-projects";
      }),
    createForAccount: (userId) => store.transaction((tables) => create(tables, userId, null)),
    open: (secret) => open(store.query(), secret),
    redeem: (secret, passwordHash) =>
      store.transaction(async (tables) => {
        const found = await open(tables, secret);
        if (found === undefined) return undefined;
        // Of several who come at once, the engine lets one delete the row.
        const { numDeletedRows } = await tables
          .deleteFrom("PasswordReset")
          .where("tokenHash", "=", hashToken(secret))
          .executeTakeFirstOrThrow();
        if (numDeletedRows === 0n) return undefined;
        await tables.updateTable("UserAccount").set({ passwordHash }).where("id", "=", found.userId).execute();
        await tables.deleteFrom("DashboardSession").where("userId", "=", found.userId).execute();
        return found;
      }),
  };
}

/** Whoever made a link must still be in the place to: its person may have come to other projects meanwhile. */
async function findReset(tables: Kysely<Tables>, tokenHash: string, now: number): Promise<OpenedReset | undefined> {
  const row = await tables
    .selectFrom("PasswordReset")
    .innerJoin("UserAccount", "UserAccount.id", "PasswordReset.userId")
    .select(["PasswordReset.userId", "PasswordReset.madeBy", "UserAccount.email"])
    .where("PasswordReset.tokenHash", "=", tokenHash)
    .where("PasswordReset.expiresAt", ">", new Date(now))
    // A clock that was far ahead makes no link that is good for longer; a day is left for clocks that differ.
    .where("PasswordReset.expiresAt", "<", new Date(now + 2 * RESET_MS))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { userId, email, madeBy } = row;
  if (madeBy !== null && !(await ownsAll(tables, madeBy, await projectsOf(tables, userId)))) return undefined;
  return { userId, email };
}

async function projectsOf(tables: Kysely<Tables>, userId: string): Promise<string[]> {
  const rows = await tables.selectFrom("Membership").select("projectId").where("userId", "=", userId).execute();
  return rows.map(({ projectId }) => projectId);
}

async function ownsAll(tables: Kysely<Tables>, userId: string, projectIds: readonly string[]): Promise<boolean> {
  const rows = await tables
    .selectFrom("Membership")
    .select("projectId")
    .where("userId", "=", userId)
    .where("role", "=", "owner")
    .execute();
  const owned = new Set(rows.map(({ projectId }) => projectId));
  return projectIds.every((projectId) => owned.has(projectId));
}
