import type { SqlEntityManager } from "@mikro-orm/sql";
import { newId } from "../../lib/ids.ts";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { Membership } from "../entities/membership.ts";
import { PasswordReset } from "../entities/password-reset.ts";
import { UserAccount } from "../entities/user-account.ts";
import type { Store } from "../types/store.ts";

/** A person who may sign in. */
export interface Account {
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  /** In PHC string format; null for who signs in through a provider alone. */
  readonly passwordHash: string | null;
  /** True for the first account, whose password works also where sign-in through a provider is required. */
  readonly isFirstOwner: boolean;
  readonly createdAt: Date;
}

/** An account, as who runs the service sees it. */
export interface ListedAccount {
  readonly id: string;
  readonly email: string;
  readonly createdAt: Date;
  /** Projects by their names, each with the role in it. */
  readonly projects: readonly { readonly id: string; readonly name: string; readonly role: string }[];
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
  /** Notes in the audit log that somebody gave a wrong password for it; how often they may is bounded elsewhere. */
  noteRefused(account: Account): Promise<void>;
  /** Replaces the password; a link to choose another one is no longer good. */
  setPassword(id: string, passwordHash: string): Promise<void>;
}

/** Creates the accounts of a database. */
export function createAccounts(store: Store): Accounts {
  return {
    findByEmail: (email) => findAccount(store.fork(), { email: normaliseEmail(email) }),
    find: (id) => findAccount(store.fork(), { id }),
    async list() {
      const em = store.fork();
      const accounts = await em.findAll(UserAccount, { orderBy: { createdAt: "asc", id: "asc" } });
      const memberships = await em.find(
        Membership,
        { project: { deletedAt: null } },
        {
          populate: ["project"],
          orderBy: { project: { name: "asc" } },
        },
      );
      const byUser = Map.groupBy(memberships, ({ user }) => user);
      return accounts.map((account) => ({
        id: account.id,
        email: account.email,
        createdAt: account.createdAt,
        projects: (byUser.get(account) ?? []).map(({ project, role }) => ({
          id: project.id,
          name: project.name,
          role,
        })),
      }));
    },
    isEmpty: async () => !(await hasAccount(store.fork())),
    noteRefused: ({ id, email }) =>
      store.unitOfWork(async (em) => {
        appendAuditEntry(em, {
          ...store.origin,
          action: "session.refuse",
          target: { kind: "account", id, name: email },
          before: null,
          after: { password: "wrong" },
        });
      }),
    async setPassword(id, passwordHash) {
      await store.unitOfWork(async (em) => {
        await em.nativeDelete(PasswordReset, { user: id });
        const account = await em.findOne(UserAccount, id);
        if (account === null) return;
        account.passwordHash = passwordHash;
        appendAuditEntry(em, {
          ...store.origin,
          action: "accounts.setPassword",
          target: { kind: "account", id, name: account.email },
          before: null,
          after: { password: "replaced" },
        });
      });
    },
  };
}

/** Finds an account by what no other has. */
export async function findAccount(
  em: SqlEntityManager,
  where: { readonly id: string } | { readonly email: string },
): Promise<Account | undefined> {
  const account = await em.findOne(UserAccount, where);
  if (account === null) return undefined;
  const { id, email, passwordHash = null, isFirstOwner, createdAt } = account;
  return { id, email, passwordHash, isFirstOwner: isFirstOwner === true, createdAt };
}

/** Tells whether there is any account. */
export async function hasAccount(em: SqlEntityManager): Promise<boolean> {
  return (await em.findAll(UserAccount, { fields: ["id"], limit: 1 })).length > 0;
}

/** Makes what a new account is. */
export function newAccount(email: string, passwordHash: string | null): Account {
  return { id: newId(), email: normaliseEmail(email), passwordHash, isFirstOwner: false, createdAt: new Date() };
}

/** Addresses are kept in lower case: no provider of note tells them apart by it, and people do not either. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}
