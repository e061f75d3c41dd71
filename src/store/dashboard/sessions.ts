import type { ExpressionBuilder } from "kysely";
import { newId } from "../../lib/ids.ts";
import type { Store } from "../types/store.ts";
import type { Tables } from "../types/tables.ts";
import { hashToken, newToken } from "./tokens.ts";

/** A browser that is signed in. */
export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly createdAt: Date;
  /** Up to a minute behind. */
  readonly lastSeenAt: Date;
  /** Where it was signed in from. */
  readonly address: string;
  readonly userAgent: string;
}

/** Who a session belongs to. */
export interface SignedIn {
  readonly sessionId: string;
  readonly userId: string;
  readonly email: string;
}

/** What a new session is made from. */
export interface NewSession {
  readonly userId: string;
  readonly address: string;
  readonly userAgent: string;
}

/** How long sessions last. */
export interface SessionLimits {
  /** Without any request. */
  readonly idleMs: number;
  /** Since it was signed in. */
  readonly absoluteMs: number;
}

/** Half a day without a request ends a session, and so does a week. */
export const SESSION_LIMITS: SessionLimits = { idleMs: 12 * 3_600_000, absoluteMs: 7 * 86_400_000 };

/** How far behind the time of the last request may be, so that not every request writes. */
const SEEN_EVERY_MS = 60_000;

/** Sessions that a person may have; beyond that the one that was used longest ago goes. No clock has a say in it. */
const MOST_SESSIONS = 50;

/**
 * How long sessions that have ended stay: a clock that is wrong by less ends none for good. Longer than what retention
 * believes of a clock.
 */
const ENDED_MS = 60 * 86_400_000;

/** Browsers that are signed in. */
export interface Sessions {
  /** Begins a session; the secret is nowhere kept. */
  begin(session: NewSession): Promise<{ readonly secret: string; readonly id: string }>;
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
 * Creates the sessions of a database. `now` returns milliseconds since 1970. What is too old by it is refused, not deleted:
 * once a clock that was wrong is right, the sessions from before go on, and those that began under it end.
 */
export function createSessions(store: Store, now: () => number = Date.now, limits = SESSION_LIMITS): Sessions {
  const live = (where: ExpressionBuilder<Tables, "DashboardSession">) => {
    const at = (afterMs: number) => new Date(now() + afterMs);
    return where.and([
      where("DashboardSession.lastSeenAt", ">", at(-limits.idleMs)),
      where("DashboardSession.lastSeenAt", "<", at(limits.idleMs)),
      where("DashboardSession.createdAt", ">", at(-limits.absoluteMs)),
      where("DashboardSession.createdAt", "<", at(limits.idleMs)),
    ]);
  };
  return {
    async begin({ userId, address, userAgent }) {
      const { secret, hash } = newToken();
      const at = new Date(now());
      const row = { id: newId(), userId, tokenHash: hash, createdAt: at, lastSeenAt: at, address, userAgent };
      await deleteSurplus(store, userId);
      await store.query().insertInto("DashboardSession").values(row).execute();
      return { secret, id: row.id };
    },
    async resume(secret) {
      const row = await store
        .query()
        .selectFrom("DashboardSession")
        .innerJoin("UserAccount", "UserAccount.id", "DashboardSession.userId")
        .select(["DashboardSession.id", "DashboardSession.userId", "DashboardSession.lastSeenAt", "UserAccount.email"])
        .where("DashboardSession.tokenHash", "=", hashToken(secret))
        .where(live)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      if (Math.abs(now() - row.lastSeenAt.getTime()) >= SEEN_EVERY_MS) await touch(store, row.id, new Date(now()));
      return { sessionId: row.id, userId: row.userId, email: row.email };
    },
    async list(userId) {
      return await store
        .query()
        .selectFrom("DashboardSession")
        .select(["id", "userId", "createdAt", "lastSeenAt", "address", "userAgent"])
        .where("userId", "=", userId)
        .where(live)
        .orderBy("lastSeenAt", "desc")
        .orderBy("id", "desc")
        .execute();
    },
    async end(userId, sessionId) {
      const query = store
        .query()
        .deleteFrom("DashboardSession")
        .where("userId", "=", userId)
        .where("id", "=", sessionId);
      return (await query.executeTakeFirstOrThrow()).numDeletedRows > 0n;
    },
    async endAll(userId, exceptId) {
      let query = store.query().deleteFrom("DashboardSession").where("userId", "=", userId);
      if (exceptId !== undefined) query = query.where("id", "!=", exceptId);
      return Number((await query.executeTakeFirstOrThrow()).numDeletedRows);
    },
  };
}

async function touch(store: Store, id: string, lastSeenAt: Date): Promise<void> {
  await store.query().updateTable("DashboardSession").set({ lastSeenAt }).where("id", "=", id).execute();
}

async function deleteSurplus(store: Store, userId: string): Promise<void> {
  const own = store.query().selectFrom("DashboardSession").select("id").where("userId", "=", userId);
  const surplus = await own
    .orderBy("lastSeenAt", "desc")
    .orderBy("id", "desc")
    .offset(MOST_SESSIONS - 1)
    .limit(MOST_SESSIONS)
    .execute();
  if (surplus.length === 0) return;
  const ids = surplus.map(({ id }) => id);
  await store.query().deleteFrom("DashboardSession").where("id", "in", ids).execute();
}

/** Deletes sessions that ended long ago. `now` comes from a clock that was compared with another. Resolves to how many. */
export async function deleteEndedSessions(store: Store, now: Date, limits = SESSION_LIMITS): Promise<number> {
  const before = (lastedMs: number) => new Date(now.getTime() - lastedMs - ENDED_MS);
  const ended = store
    .query()
    .deleteFrom("DashboardSession")
    .where((where) =>
      where.or([where("lastSeenAt", "<=", before(limits.idleMs)), where("createdAt", "<=", before(limits.absoluteMs))]),
    );
  return Number((await ended.executeTakeFirstOrThrow()).numDeletedRows);
}
