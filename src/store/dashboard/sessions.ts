import { type InferEntity, LockMode } from "@mikro-orm/core";
import type { SqlEntityManager } from "@mikro-orm/sql";
import { newId } from "../../lib/ids.ts";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { DashboardSession } from "../entities/dashboard-session.ts";
import { UserAccount } from "../entities/user-account.ts";
import type { Store } from "../types/store.ts";
import { openToken, sealToken } from "./seal-token.ts";
import { hashToken, newToken } from "./tokens.ts";

/** A browser that is signed in. */
interface Session {
  readonly id: string;
  readonly userId: string;
  readonly createdAt: Date;
  /** Up to a minute behind. */
  readonly lastSeenAt: Date;
  /** The address of the sign-in. */
  readonly address: string;
  readonly userAgent: string;
}

/** The owner of a session. */
export interface SignedIn {
  readonly sessionId: string;
  readonly userId: string;
  readonly email: string;
  /** True if the account keeps its password where sign-in through a provider is required. */
  readonly isFirstOwner: boolean;
  /** Undefined for a session that a password began. */
  readonly provider: SessionProvider | undefined;
}

/** The provider that a session began through. */
export interface SessionProvider {
  readonly issuer: string;
  readonly subject: string;
  readonly refreshToken: string | undefined;
  /** When the provider last said that the session goes on, in milliseconds since 1970. */
  readonly checkedAtMs: number;
}

/** The facts of a new session. */
export interface NewSession {
  readonly userId: string;
  readonly address: string;
  readonly userAgent: string;
  /** Absent for a session that a password begins. */
  readonly provider?: NewSessionProvider;
}

interface NewSessionProvider {
  /** The provider, as the configuration names it. */
  readonly name: string;
  readonly issuer: string;
  readonly subject: string;
  readonly providerSession: string | undefined;
  readonly refreshToken: string | undefined;
}

/** The limits of sessions. */
interface SessionLimits {
  /** Without any request. */
  readonly idleMs: number;
  /** Since it was signed in. */
  readonly absoluteMs: number;
}

/** Half a day without a request ends a session, and so does a week. */
export const SESSION_LIMITS: SessionLimits = { idleMs: 12 * 3_600_000, absoluteMs: 7 * 86_400_000 };

/** The lag of the last-seen time, so that not every request writes. */
const SEEN_EVERY_MS = 60_000;

/** Sessions that a person may have; beyond that the one that was used longest ago goes. No clock has a say in it. */
const MOST_SESSIONS = 50;

/**
 * The time for which ended sessions stay: a clock that is wrong by less ends none for good. Longer than what retention
 * believes of a clock.
 */
const ENDED_MS = 60 * 86_400_000;

/** A session that has begun, with the secret that nothing but its browser has. */
export interface BegunSession {
  readonly secret: string;
  readonly id: string;
}

/** Browsers that are signed in. */
export interface Sessions {
  /** Begins a session; the secret is nowhere kept. */
  begin(session: NewSession): Promise<BegunSession>;
  /**
   * Begins a session for who knew the password of this hash. Resolves to undefined where the account has another one by
   * now: whoever has chosen that has ended all sessions of those who knew the old one.
   */
  beginByPassword(session: NewSession, passwordHash: string): Promise<BegunSession | undefined>;
  /** Finds out whose secret this is, and notes that it was used. Undefined if it is nobody's, or too old. */
  resume(secret: string): Promise<SignedIn | undefined>;
  /** Lists the live sessions of a person, the latest first. */
  list(userId: string): Promise<Session[]>;
  /** Ends one session of a person. Resolves to whether there was one. */
  end(userId: string, sessionId: string): Promise<boolean>;
  /** Ends all sessions of a person, but for the one that is to stay. Resolves to how many. */
  endAll(userId: string, exceptId?: string): Promise<number>;
}

/**
 * Creates the sessions of a database. `now` returns milliseconds since 1970. What is too old by it is refused, not
 * deleted: once a clock that was wrong is right, the sessions from before go on, and those that began under it end.
 */
export function createSessions(store: Store, now: () => number = Date.now, limits = SESSION_LIMITS): Sessions {
  const at = (afterMs: number) => new Date(now() + afterMs);
  const live = () => ({
    lastSeenAt: { $gt: at(-limits.idleMs), $lt: at(limits.idleMs) },
    createdAt: { $gt: at(-limits.absoluteMs), $lt: at(limits.idleMs) },
  });
  return {
    begin: (session) => store.unitOfWork((em) => beginSession(em, store, { ...session, now: at(0) })),
    beginByPassword: (session, passwordHash) =>
      store.unitOfWork(async (em) => {
        // Who changes the password waits, and ends this session too; or has changed it before.
        const lock = { lockMode: LockMode.PESSIMISTIC_READ };
        const account = await em.findOne(UserAccount, { id: session.userId, passwordHash }, lock);
        return account === null ? undefined : await beginSession(em, store, { ...session, now: at(0) });
      }),
    async resume(secret) {
      const em = store.fork();
      const where = { tokenHash: hashToken(secret), ...live() };
      const session = await em.findOne(DashboardSession, where, { populate: ["user"] });
      if (session === null) return undefined;
      if (Math.abs(now() - session.lastSeenAt.getTime()) >= SEEN_EVERY_MS) {
        session.lastSeenAt = at(0);
        await em.flush();
      }
      const { id, email } = session.user;
      const isFirstOwner = session.user.isFirstOwner === true;
      return { sessionId: session.id, userId: id, email, isFirstOwner, provider: getProvider(session, secret) };
    },
    async list(userId) {
      const sessions = await store
        .fork()
        .find(DashboardSession, { user: userId, ...live() }, { orderBy: LATEST_FIRST });
      return sessions.map(({ id, createdAt, lastSeenAt, address, userAgent }) => {
        return { id, userId, createdAt, lastSeenAt, address, userAgent };
      });
    },
    end: async (userId, id) => (await endSessions(store, userId, { id })) > 0,
    endAll: (userId, exceptId) => endSessions(store, userId, exceptId === undefined ? {} : { id: { $ne: exceptId } }),
  };
}

const LATEST_FIRST = { lastSeenAt: "desc", id: "desc" } as const;

async function endSessions(store: Store, userId: string, which: object): Promise<number> {
  return await store.unitOfWork(async (em) => {
    const ended = await em.nativeDelete(DashboardSession, { user: userId, ...which });
    const account = ended === 0 ? null : await em.findOne(UserAccount, userId);
    if (account === null) return ended;
    const person = { kind: "person", id: userId, label: account.email } as const;
    appendAuditEntry(em, {
      ...store.origin,
      actor: person,
      action: "session.end",
      target: { kind: "account", id: userId, name: account.email },
      before: { sessions: ended },
      after: null,
    });
    return ended;
  });
}

/** Begins a session within a transaction. */
export async function beginSession(
  em: SqlEntityManager,
  store: Store,
  session: NewSession & { readonly now: Date },
): Promise<BegunSession> {
  const { userId, address, userAgent, provider, now } = session;
  const { secret, hash } = newToken();
  const id = newId();
  for (const surplus of await findSurplus(em, userId)) em.remove(surplus);
  const times = { createdAt: now, lastSeenAt: now };
  const row = { id, user: userId, tokenHash: hash, ...times, address, userAgent };
  em.create(DashboardSession, { ...row, ...(provider !== undefined && providerColumns(provider, secret, now)) });
  const { email } = await em.findOneOrFail(UserAccount, userId);
  appendAuditEntry(em, {
    ...store.origin,
    actor: { kind: "person", id: userId, label: email },
    action: "session.begin",
    target: { kind: "account", id: userId, name: email },
    before: null,
    after: { userAgent, provider: provider?.name },
  });
  return { secret, id };
}

function providerColumns(provider: NewSessionProvider, secret: string, checkedAt: Date) {
  const { issuer, subject, providerSession = null, refreshToken } = provider;
  const sealed = refreshToken === undefined ? null : sealToken(refreshToken, secret);
  return { issuer, subject, providerSession, refreshToken: sealed, checkedAt };
}

function getProvider(
  { issuer, subject, refreshToken, checkedAt }: InferEntity<typeof DashboardSession>,
  secret: string,
): SessionProvider | undefined {
  if (!issuer || !subject) return undefined;
  const opened = refreshToken ? openToken(refreshToken, secret) : undefined;
  return { issuer, subject, refreshToken: opened, checkedAtMs: checkedAt?.getTime() ?? 0 };
}

async function findSurplus(em: SqlEntityManager, userId: string) {
  const offset = MOST_SESSIONS - 1;
  return await em.find(DashboardSession, { user: userId }, { orderBy: LATEST_FIRST, offset, limit: MOST_SESSIONS });
}

/**
 * Deletes sessions that ended long ago. `now` comes from a clock that was compared with another. Resolves to how many.
 */
export async function deleteEndedSessions(store: Store, now: Date, limits = SESSION_LIMITS): Promise<number> {
  const before = (lastedMs: number) => ({ $lte: new Date(now.getTime() - lastedMs - ENDED_MS) });
  const ended = [{ lastSeenAt: before(limits.idleMs) }, { createdAt: before(limits.absoluteMs) }];
  return await store.fork().nativeDelete(DashboardSession, { $or: ended });
}
