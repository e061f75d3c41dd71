import type { Kysely } from "@mikro-orm/sql";
import { DEFAULT_PROJECT } from "../entities/project.ts";
import type { Store } from "../types/store.ts";
import type { Tables } from "../types/tables.ts";
import { type Account, newAccount } from "./accounts.ts";
import { hashToken, newToken } from "./tokens.ts";

/** How long the link of a first start is good for. */
const SETUP_MS = 24 * 3_600_000;

/**
 * When a link that is good expires at the latest: one that was made by a clock far ahead would else be good for as long. A day
 * is left for clocks that differ.
 */
function latestExpiry(now: number): Date {
  return new Date(now + SETUP_MS + 86_400_000);
}

/** There is at most one link, in this row. */
const ROW = 1;

/** The first account, made through a link that the first start prints. */
export interface Setup {
  /** Makes the link's secret, in place of any earlier one. Resolves to undefined once there is an account. */
  newLink(): Promise<string | undefined>;
  /** Tells whether a secret would be taken. */
  accepts(secret: string): Promise<boolean>;
  /** Makes the first account, owner of the default project. Resolves to undefined unless the secret is good; that is once. */
  createOwner(secret: string, owner: { email: string; passwordHash: string }): Promise<Account | undefined>;
}

/** Creates the setup of a database. `now` returns milliseconds since 1970. */
export function createSetup(store: Store, now: () => number = Date.now): Setup {
  return {
    async newLink() {
      const { secret, hash } = newToken();
      const row = { tokenHash: hash, expiresAt: new Date(now() + SETUP_MS) };
      return await store.transaction(async (tables) => {
        if (await hasAccount(tables)) return undefined;
        await tables
          .insertInto("SetupLink")
          .values({ id: ROW, ...row })
          .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
          .execute();
        return secret;
      });
    },
    async accepts(secret) {
      const row = await store
        .query()
        .selectFrom("SetupLink")
        .select("id")
        .where("tokenHash", "=", hashToken(secret))
        .where("expiresAt", ">", new Date(now()))
        .where("expiresAt", "<", latestExpiry(now()))
        .executeTakeFirst();
      return row !== undefined;
    },
    async createOwner(secret, { email, passwordHash }) {
      return await store.transaction(async (tables) => {
        // Of several who come at once, the engine lets one delete the row.
        const { numDeletedRows } = await tables
          .deleteFrom("SetupLink")
          .where("tokenHash", "=", hashToken(secret))
          .where("expiresAt", ">", new Date(now()))
          .where("expiresAt", "<", latestExpiry(now()))
          .executeTakeFirstOrThrow();
        if (numDeletedRows === 0n || (await hasAccount(tables))) return undefined;
        const account = newAccount(email, passwordHash);
        await tables.insertInto("UserAccount").values(account).execute();
        const membership = { userId: account.id, projectId: DEFAULT_PROJECT.id, role: "owner" };
        await tables
          .insertInto("Membership")
          .values({ ...membership, createdAt: account.createdAt })
          .execute();
        return account;
      });
    },
  };
}

async function hasAccount(tables: Kysely<Tables>): Promise<boolean> {
  return (await tables.selectFrom("UserAccount").select("id").limit(1).executeTakeFirst()) !== undefined;
}
