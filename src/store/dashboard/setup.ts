import { LockMode } from "@mikro-orm/core";
import { Membership } from "../entities/membership.ts";
import { DEFAULT_PROJECT } from "../entities/project.ts";
import { SetupLink } from "../entities/setup-link.ts";
import { UserAccount } from "../entities/user-account.ts";
import type { Store } from "../types/store.ts";
import { type Account, hasAccount, newAccount } from "./accounts.ts";
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
  const good = (secret: string) => ({
    tokenHash: hashToken(secret),
    expiresAt: { $gt: new Date(now()), $lt: latestExpiry(now()) },
  });
  return {
    async newLink() {
      const { secret, hash } = newToken();
      return await store.unitOfWork(async (em) => {
        if (await hasAccount(em)) return undefined;
        await em.upsert(SetupLink, { id: ROW, tokenHash: hash, expiresAt: new Date(now() + SETUP_MS) });
        return secret;
      });
    },
    accepts: async (secret) => (await store.fork().findOne(SetupLink, good(secret))) !== null,
    async createOwner(secret, { email, passwordHash }) {
      return await store.unitOfWork(async (em) => {
        // Of several who come at once, the others wait here, and find nothing.
        const link = await em.findOne(SetupLink, good(secret), { lockMode: LockMode.PESSIMISTIC_WRITE });
        if (link === null) return undefined;
        em.remove(link);
        if (await hasAccount(em)) return undefined;
        const account = newAccount(email, passwordHash);
        const user = em.create(UserAccount, account);
        const { createdAt } = account;
        em.create(Membership, { user, project: DEFAULT_PROJECT.id, role: "owner", createdAt });
        return account;
      });
    },
  };
}
