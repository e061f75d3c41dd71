import { LockMode } from "@mikro-orm/core";
import type { SqlEntityManager } from "@mikro-orm/sql";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { Membership } from "../entities/membership.ts";
import { DEFAULT_PROJECT, Project } from "../entities/project.ts";
import { SetupLink } from "../entities/setup-link.ts";
import { UserAccount } from "../entities/user-account.ts";
import type { Store } from "../types/store.ts";
import { type Account, hasAccount, newAccount } from "./accounts.ts";
import { hashToken, newToken } from "./tokens.ts";

/** The validity of the link of a first start. */
const SETUP_MS = 24 * 3_600_000;

/**
 * When a link that is good expires at the latest: one that was made by a clock far ahead would else be good for as
 * long. A day is left for clocks that differ.
 */
function latestExpiry(now: number): Date {
  return new Date(now + SETUP_MS + 86_400_000);
}

/** There is at most one link, in this row. */
const ROW = 1;

/** The first account, made through a link or without one. Of several processes that make it at once, one does. */
export interface Setup {
  /** Makes the link's secret, in place of any earlier one. Resolves to undefined once there is an account. */
  newLink(): Promise<string | undefined>;
  /** Does so unless there is a link that is still good: its secret is known to who was given it, and nowhere kept. */
  firstLink(): Promise<string | undefined>;
  /** Tells whether a secret would be taken. */
  accepts(secret: string): Promise<boolean>;
  /**
   * Makes the first account, owner of the default project. Resolves to undefined unless the secret is good; that is
   * once.
   */
  createOwner(secret: string, owner: NewOwner): Promise<Account | undefined>;
  /** Makes the first account without a link, for who runs the service. Resolves to undefined once there is one. */
  createFirstOwner(owner: NewOwner): Promise<Account | undefined>;
}

/** The owner of the first account. */
interface NewOwner {
  readonly email: string;
  /** In PHC string format. */
  readonly passwordHash: string;
}

/** Creates the setup of a database. `now` returns milliseconds since 1970. */
export function createSetup(store: Store, now: () => number = Date.now): Setup {
  const good = () => ({ expiresAt: { $gt: new Date(now()), $lt: latestExpiry(now()) } });
  const alone = <T>(work: (em: SqlEntityManager) => Promise<T>): Promise<T | undefined> =>
    store.unitOfWork(async (em) => {
      // Whoever has the project's row is alone; on SQLite every transaction that may write is.
      await em.findOne(Project, DEFAULT_PROJECT.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
      return (await hasAccount(em)) ? undefined : await work(em);
    });
  const makeLink = async (em: SqlEntityManager): Promise<string> => {
    const { secret, hash } = newToken();
    await em.upsert(SetupLink, { id: ROW, tokenHash: hash, expiresAt: new Date(now() + SETUP_MS) });
    appendAuditEntry(em, {
      ...store.origin,
      action: "setup.createLink",
      target: { kind: "setup-link", id: "", name: "" },
      before: null,
      after: {},
    });
    return secret;
  };
  const makeOwner = async (em: SqlEntityManager, { email, passwordHash }: NewOwner): Promise<Account> => {
    await em.nativeDelete(SetupLink, ROW);
    const account = { ...newAccount(email, passwordHash), isFirstOwner: true };
    const user = em.create(UserAccount, account);
    em.create(Membership, { user, project: DEFAULT_PROJECT.id, role: "owner", createdAt: account.createdAt });
    const person = { kind: "person", id: account.id, label: account.email } as const;
    appendAuditEntry(em, {
      // Who opens the link is nobody before.
      ...store.origin,
      actor: store.origin.via === "command" ? store.origin.actor : person,
      action: "setup.createOwner",
      target: { kind: "account", id: account.id, name: account.email },
      before: null,
      after: { project: DEFAULT_PROJECT.name, role: "owner" },
    });
    return account;
  };
  return {
    newLink: () => alone(makeLink),
    firstLink: () => alone(async (em) => ((await em.findOne(SetupLink, good())) ? undefined : await makeLink(em))),
    accepts: async (secret) =>
      (await store.fork().findOne(SetupLink, { tokenHash: hashToken(secret), ...good() })) !== null,
    createOwner: (secret, owner) =>
      alone(async (em) => {
        const link = await em.findOne(SetupLink, { tokenHash: hashToken(secret), ...good() });
        return link === null ? undefined : await makeOwner(em, owner);
      }),
    createFirstOwner: (owner) => alone((em) => makeOwner(em, owner)),
  };
}
