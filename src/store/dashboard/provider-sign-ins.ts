import { LockMode, UniqueConstraintViolationException } from "@mikro-orm/core";
import type { SqlEntityManager } from "@mikro-orm/sql";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { DashboardSession } from "../entities/dashboard-session.ts";
import { UserAccount } from "../entities/user-account.ts";
import { UserIdentity } from "../entities/user-identity.ts";
import { checkQuota } from "../types/quotas.ts";
import type { Store } from "../types/store.ts";
import { newAccount, normaliseEmail } from "./accounts.ts";
import { applyGrants, type Grants } from "./apply-grants.ts";
import { acceptInvitations } from "./invitations.ts";
import { sealToken } from "./seal-token.ts";
import { type BegunSession, beginSession, type NewSession } from "./sessions.ts";

/** A person who comes from a provider. */
interface ProviderSignIn extends Omit<NewSession, "userId" | "provider"> {
  readonly subject: string;
  readonly verifiedEmail: string | undefined;
  readonly refreshToken: string | undefined;
  readonly providerSession: string | undefined;
  readonly grants: Grants;
  /** True if the person gets the account that has the same address. */
  readonly linksAccounts: boolean;
}

/** Why a person is not let in: no verified address, or an account of the address that is not to be linked. */
type SignInRefusal = "no-email" | "account-exists";

/** A session that a provider confirmed. */
interface Refreshed {
  readonly sessionId: string;
  readonly userId: string;
  readonly secret: string;
  readonly refreshToken: string | undefined;
  readonly grants: Grants;
}

/** The sessions that a provider ends: one, or all of a person. */
interface ProviderLogout {
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string | undefined;
  readonly providerSession: string | undefined;
}

/** Sign-ins through providers, and the sessions that they begin. */
export interface ProviderSignIns {
  /**
   * Finds or makes the account, gives it the roles of its groups and of invitations to its verified address, and begins
   * a session. Throws QuotaError.
   */
  begin(signIn: ProviderSignIn): Promise<BegunSession | SignInRefusal>;
  /** Resolves to true for one process at a time, which is to ask the provider within `forMs`. */
  claimRefresh(sessionId: string, forMs: number): Promise<boolean>;
  /** Notes that the session goes on, with the roles of its person's groups. */
  refreshed(session: Refreshed): Promise<void>;
  /** Ends sessions, and leaves an audit entry for each. Resolves to how many. */
  endByProvider(logout: ProviderLogout): Promise<number>;
}

/** Creates the sign-ins of a database. `now` returns milliseconds since 1970. */
export function createProviderSignIns(store: Store, now: () => number = Date.now): ProviderSignIns {
  const begin = (signIn: ProviderSignIn) => store.unitOfWork((em) => beginIn(em, store, { signIn, now: now() }));
  return {
    async begin(signIn) {
      try {
        return await begin(signIn);
      } catch (thrown) {
        // Somebody made the same account or identity meanwhile: it is there now.
        if (!(thrown instanceof UniqueConstraintViolationException)) throw thrown;
        return await begin(signIn);
      }
    },
    claimRefresh: async (sessionId, forMs) => {
      const at = new Date(now());
      const free = { $or: [{ refreshingUntil: null }, { refreshingUntil: { $lt: at } }] };
      const until = { refreshingUntil: new Date(now() + forMs) };
      return (await store.fork().nativeUpdate(DashboardSession, { id: sessionId, ...free }, until)) > 0;
    },
    refreshed: ({ sessionId, userId, secret, refreshToken, grants }) =>
      store.unitOfWork(async (em) => {
        const user = await em.findOne(UserAccount, userId);
        if (user === null) return;
        await applyGrants(em, { user, grants, origin: store.origin });
        const sealed = refreshToken === undefined ? null : sealToken(refreshToken, secret);
        const change = { checkedAt: new Date(now()), refreshToken: sealed, refreshingUntil: null };
        await em.nativeUpdate(DashboardSession, { id: sessionId }, change);
      }),
    endByProvider: ({ provider, issuer, subject, providerSession }) =>
      store.unitOfWork(async (em) => {
        const which = {
          ...(subject !== undefined && { subject }),
          ...(providerSession !== undefined && { providerSession }),
        };
        const sessions = await em.find(DashboardSession, { issuer, ...which }, { populate: ["user"] });
        for (const session of sessions) {
          const { id, email } = session.user;
          em.remove(session);
          appendAuditEntry(em, {
            ...store.origin,
            actor: { kind: "configuration", id: provider, label: provider },
            action: "session.end",
            target: { kind: "account", id, name: email },
            before: { sessions: 1 },
            after: null,
          });
        }
        return sessions.length;
      }),
  };
}

interface Beginning {
  readonly signIn: ProviderSignIn;
  readonly now: number;
}

async function beginIn(em: SqlEntityManager, store: Store, { signIn, now }: Beginning) {
  const user = await findUser(em, store, signIn);
  if (user === "no-email" || user === "account-exists") return user;
  const { grants, subject, verifiedEmail, refreshToken, providerSession, address, userAgent } = signIn;
  await applyGrants(em, { user, grants, origin: store.origin });
  if (verifiedEmail !== undefined) await acceptInvitations(em, store, { account: user, email: verifiedEmail, now });
  const provider = { name: grants.provider, issuer: grants.issuer, subject, providerSession, refreshToken };
  return await beginSession(em, store, { userId: user.id, address, userAgent, provider, now: new Date(now) });
}

/** Finds the account of an identity; otherwise that of its verified address, or makes one. */
async function findUser(em: SqlEntityManager, store: Store, signIn: ProviderSignIn) {
  const { grants, subject, verifiedEmail, linksAccounts } = signIn;
  const own = { issuer: grants.issuer, subject };
  const known = await em.findOne(UserIdentity, own, { populate: ["user"] });
  if (known !== null) return known.user;
  if (verifiedEmail === undefined) return "no-email";
  const email = normaliseEmail(verifiedEmail);
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
  const existing = await em.findOne(UserAccount, { email }, lock);
  if (existing !== null && !linksAccounts) return "account-exists";
  const user = existing ?? (await makeAccount(em, store, email));
  em.create(UserIdentity, { ...own, user, createdAt: new Date() });
  const target = { kind: "account", id: user.id, name: email };
  appendAuditEntry(em, {
    ...store.origin,
    actor: { kind: "person", id: user.id, label: email },
    target,
    action: existing === null ? "accounts.create" : "accounts.link",
    before: null,
    after: { provider: grants.provider, subject },
  });
  return user;
}

async function makeAccount(em: SqlEntityManager, { quotas }: Store, email: string) {
  checkQuota(quotas, "accounts", await em.count(UserAccount), (quota) => {
    return `the accounts of this service are ${quota}: ask who runs it`;
  });
  const user = em.create(UserAccount, newAccount(email, null));
  await em.flush();
  return user;
}
