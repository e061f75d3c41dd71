import { newId } from "../../lib/ids.ts";
import type { Store } from "../types/store.ts";

/** A person who may sign in. */
export interface Account {
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  /** In PHC string format. */
  readonly passwordHash: string;
  readonly createdAt: Date;
}

/** An account, as who runs the service sees it. */
export interface ListedAccount {
  readonly email: string;
  readonly createdAt: Date;
  /** Names of projects, each with the role in it. */
  readonly projects: readonly { readonly name: string; readonly role: string }[];
}

/** People who may sign in. */
export interface Accounts {
  /** Finds an account by its e-mail address, which is compared without regard to case. */
  findByEmail(email: string): Promise<Account | undefined>;
  find(id: string): Promise<Account | undefined>;
  /** Lists all, the oldest first, with the names of the projects of each. */
  list(): Promise<ListedAccount[]>;
  /** Tells whether there is any account: the first start makes a link for the first one. */
  isEmpty(): Promise<boolean>;
  /** Replaces the password; a link to choose another one is no longer good. */
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
    async list() {
      const accounts = await store
        .query()
        .selectFrom("UserAccount")
        .select(["id", "email", "createdAt"])
        .orderBy("createdAt")
        .orderBy("id")
        .execute();
      const memberships = await store
        .query()
        .selectFrom("Membership")
        .innerJoin("Project", "Project.id", "Membership.projectId")
        .select(["Membership.userId", "Membership.role", "Project.name"])
        .orderBy("Project.name")
        .execute();
      const projects = Map.groupBy(memberships, ({ userId }) => userId);
      return accounts.map(({ id, ...account }) => ({
        ...account,
        projects: (projects.get(id) ?? []).map(({ name, role }) => ({ name, role })),
      }));
    },
    async isEmpty() {
      return (await store.query().selectFrom("UserAccount").select("id").limit(1).executeTakeFirst()) === undefined;
    },
    async setPassword(id, passwordHash) {
      await store.transaction(async (tables) => {
        await tables.updateTable("UserAccount").set({ passwordHash }).where("id", "=", id).execute();
        await tables.deleteFrom("PasswordReset").where("userId", "=", id).execute();
      });
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
