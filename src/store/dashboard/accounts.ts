import { newId } from "../../lib/ids.ts";
import type { Store } from "../store.ts";

/** A person who may sign in. */
export interface Account {
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  /** In PHC string format. */
  readonly passwordHash: string;
  readonly createdAt: Date;
}

/** People who may sign in. */
export interface Accounts {
  /** Finds an account by its e-mail address, which is compared without regard to case. */
  findByEmail(email: string): Promise<Account | undefined>;
  find(id: string): Promise<Account | undefined>;
  /** Tells whether there is any account: the first start makes a link for the first one. */
  isEmpty(): Promise<boolean>;
  /** Replaces the password. */
  setPassword(id: string, passwordHash: string): Promise<void>;
}

const COLUMNS = ["id", "email", "passwordHash", "createdAt"] as const;

/** Creates the accounts of a database. */
export function createAccounts(store: Store): Accounts {
  return {
    findByEmail: (email) =>
      store
        .query()
        .selectFrom("UserAccount")
        .select(COLUMNS)
        .where("email", "=", normaliseEmail(email))
        .executeTakeFirst(),
    find: (id) => store.query().selectFrom("UserAccount").select(COLUMNS).where("id", "=", id).executeTakeFirst(),
    async isEmpty() {
      return (await store.query().selectFrom("UserAccount").select("id").limit(1).executeTakeFirst()) === undefined;
    },
    async setPassword(id, passwordHash) {
      await store.query().updateTable("UserAccount").set({ passwordHash }).where("id", "=", id).execute();
    },
  };
}

/** Makes the row of a new account. */
export function newAccount(email: string, passwordHash: string): Account {
  return { id: newId(), email: normaliseEmail(email), passwordHash, createdAt: new Date() };
}

/** Addresses are kept in lower case: no provider of note tells them apart by it, and people do not either. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}
