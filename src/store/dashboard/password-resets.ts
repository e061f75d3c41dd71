import { LockMode } from "@mikro-orm/core";
import type { SqlEntityManager } from "@mikro-orm/sql";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { DashboardSession } from "../entities/dashboard-session.ts";
import { Membership } from "../entities/membership.ts";
import { PasswordReset } from "../entities/password-reset.ts";
import { UserAccount } from "../entities/user-account.ts";
import type { Store } from "../types/store.ts";
import { hashToken, newToken } from "./tokens.ts";

/** The validity of a link. */
const RESET_MS = 24 * 3_600_000;

/** A link through which someone chooses a new password. */
interface NewReset {
  /** Nowhere kept. */
  readonly secret: string;
  readonly expiresAt: Date;
}

/** A link that is good, as the person who opens it sees it. */
interface OpenedReset {
  readonly userId: string;
  readonly email: string;
}

/** The result of making a link. */
type ResetChange = NewReset | "not-found" | "other-projects";

/** Ways back for people who forgot their password: links that work once. */
export interface PasswordResets {
  /**
   * Makes the link of a member of a project, in place of any earlier one. Whoever has the link has the account, so it
   * takes an owner of all projects that the member belongs to: "other-projects" otherwise.
   */
  createForMember(reset: { projectId: string; userId: string; madeBy: string }): Promise<ResetChange>;
  /** Makes the link of any account, for who runs the service. */
  createForAccount(userId: string): Promise<NewReset>;
  /** Finds whose link this is; undefined unless it is good. */
  open(secret: string): Promise<OpenedReset | undefined>;
  /**
   * Replaces the password of whose link it is and ends all their sessions. Resolves to undefined unless the secret is
   * good, which is once.
   */
  redeem(secret: string, passwordHash: string): Promise<OpenedReset | undefined>;
}

/** Creates the links of a database. `now` returns milliseconds since 1970. */
export function createPasswordResets(store: Store, now: () => number = Date.now): PasswordResets {
  const create = async (em: SqlEntityManager, { userId, madeBy = null, projectId }: ResetOrder) => {
    const { secret, hash } = newToken();
    const expiresAt = new Date(now() + RESET_MS);
    await em.upsert(PasswordReset, { user: userId, tokenHash: hash, madeBy, expiresAt });
    const { email } = await em.findOneOrFail(UserAccount, userId);
    appendAuditEntry(em, {
      ...store.origin,
      projectId,
      action: "resets.create",
      target: { kind: "account", id: userId, name: email },
      before: null,
      after: { expiresAt },
    });
    return { secret, expiresAt };
  };
  return {
    createForMember: ({ projectId, userId, madeBy }) =>
      store.unitOfWork(async (em) => {
        const projects = await getProjects(em, userId);
        if (!projects.includes(projectId)) return "not-found";
        return (await ownsAll(em, madeBy, projects))
          ? await create(em, { userId, madeBy, projectId })
          : "other-projects";
      }),
    createForAccount: (userId) => store.unitOfWork((em) => create(em, { userId })),
    async open(secret) {
      const reset = await findReset(store.fork(), { tokenHash: hashToken(secret), now: now() });
      return reset && { userId: reset.user.id, email: reset.user.email };
    },
    redeem: (secret, passwordHash) =>
      store.unitOfWork(async (em) => {
        // Of several who come at once, the others wait here, and find nothing.
        const lockMode = LockMode.PESSIMISTIC_WRITE;
        const reset = await findReset(em, { tokenHash: hashToken(secret), now: now(), lockMode });
        if (reset === undefined) return undefined;
        const { user } = reset;
        em.remove(reset);
        user.passwordHash = passwordHash;
        // First: a session that begins by the old password is either there by then, or does not begin.
        await em.flush();
        await em.nativeDelete(DashboardSession, { user });
        appendAuditEntry(em, {
          ...store.origin,
          actor: { kind: "person", id: user.id, label: user.email },
          action: "resets.redeem",
          target: { kind: "account", id: user.id, name: user.email },
          before: null,
          after: { password: "replaced" },
        });
        return { userId: user.id, email: user.email };
      }),
  };
}

interface ResetOrder {
  readonly userId: string;
  readonly madeBy?: string | null;
  readonly projectId?: string;
}

interface ResetQuery {
  readonly tokenHash: string;
  readonly now: number;
  readonly lockMode?: LockMode.PESSIMISTIC_WRITE;
}

/** Whoever made a link must still be in the place to: its person may have come to other projects meanwhile. */
async function findReset(em: SqlEntityManager, { tokenHash, now, lockMode }: ResetQuery) {
  // A clock that was far ahead makes no link that is good for longer; a day is left for clocks that differ.
  const expiresAt = { $gt: new Date(now), $lt: new Date(now + 2 * RESET_MS) };
  const lock = lockMode === undefined ? {} : { lockMode };
  const reset = await em.findOne(PasswordReset, { tokenHash, expiresAt }, { ...lock });
  if (reset === null) return undefined;
  const { user, madeBy } = await em.populate(reset, ["user"]);
  if (madeBy && !(await ownsAll(em, madeBy.id, await getProjects(em, user.id)))) return undefined;
  return reset;
}

async function getProjects(em: SqlEntityManager, userId: string): Promise<string[]> {
  return (await em.find(Membership, { user: userId })).map(({ project }) => project.id);
}

async function ownsAll(em: SqlEntityManager, userId: string, projectIds: readonly string[]): Promise<boolean> {
  const owned = new Set((await em.find(Membership, { user: userId, role: "owner" })).map(({ project }) => project.id));
  return projectIds.every((projectId) => owned.has(projectId));
}
