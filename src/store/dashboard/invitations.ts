import { type InferEntity, LockMode } from "@mikro-orm/core";
import type { SqlEntityManager } from "@mikro-orm/sql";
import { newId } from "../../lib/ids.ts";
import { parseRole, ROLES, type Role } from "../../vocabulary/roles.ts";
import { type AuditTarget, appendAuditEntry } from "../audit/append-entry.ts";
import { Invitation as InvitationEntity } from "../entities/invitation.ts";
import { Membership } from "../entities/membership.ts";
import { Project } from "../entities/project.ts";
import { UserAccount } from "../entities/user-account.ts";
import { checkQuota, QuotaError, type Quotas } from "../types/quotas.ts";
import type { Store } from "../types/store.ts";
import { query } from "../types/tables.ts";
import { type Account, findAccount, newAccount, normaliseEmail } from "./accounts.ts";
import { checkMembers } from "./check-members.ts";
import { checkOwned } from "./check-owned.ts";
import { hashToken, newToken } from "./tokens.ts";

/** The validity of an invitation. */
const INVITATION_MS = 7 * 86_400_000;

/**
 * When a link that is good expires at the latest: one that was made by a clock far ahead would else be good for as
 * long. A day is left for clocks that differ.
 */
function latestExpiry(now: number): Date {
  return new Date(now + INVITATION_MS + 86_400_000);
}

/** An invitation that waits to be accepted. */
export interface Invitation {
  readonly id: string;
  readonly projectId: string;
  /** In lower case; only the person of this address is meant. */
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

interface NewInvitation extends Pick<Invitation, "projectId" | "email" | "role"> {
  /** The hash of a secret that somebody else has made. */
  readonly tokenHash?: string;
}

/** An invitation, as the person who opens its link sees it. */
interface OpenedInvitation extends Invitation {
  readonly projectName: string;
  /** The account of its address, if there is one. */
  readonly account: Account | undefined;
}

/** Invitations to projects: links that work once. */
export interface Invitations {
  /**
   * Invites; an earlier invitation of the same address to the project ends. The secret is nowhere kept; it is empty
   * where its hash is given. Throws QuotaError.
   */
  create(invitation: NewInvitation): Promise<{ secret: string; info: Invitation }>;
  /** Returns a project's pending invitations, oldest first. */
  list(projectId: string): Promise<Invitation[]>;
  /** Takes one back. Resolves to whether there was one. */
  revoke(projectId: string, id: string): Promise<boolean>;
  open(secret: string): Promise<OpenedInvitation | undefined>;
  /**
   * Makes its person a member, with a new account where a password for it is given. Resolves to the id of the account;
   * to undefined unless the secret is good, which is once, and where there is a password for an account that came
   * meanwhile, or none for one that is not there. A member whose role a person gave keeps it. One that groups gave
   * becomes that of the invitation, and stays without them; while theirs is stronger, the invitation waits.
   */
  accept(secret: string, newPasswordHash: string | undefined): Promise<string | undefined>;
}

/** Creates the invitations of a database. `now` returns milliseconds since 1970. */
export function createInvitations(store: Store, now: () => number = Date.now): Invitations {
  const good = () => isGood(now());
  return {
    async create({ projectId, email, role, tokenHash }) {
      const { secret, hash } = tokenHash === undefined ? newToken() : { secret: "", hash: tokenHash };
      const times = { createdAt: new Date(now()), expiresAt: new Date(now() + INVITATION_MS) };
      const info: Invitation = { id: newId(), projectId, email: normaliseEmail(email), role, ...times };
      await store.unitOfWork(async (em) => {
        await checkMembers(em, info, store.quotas);
        await replace(em, info, hash);
        appendAuditEntry(em, {
          ...store.origin,
          projectId,
          action: "invitations.create",
          target: auditTarget(info),
          before: null,
          after: { role, expiresAt: info.expiresAt },
        });
      });
      return { secret, info };
    },
    async list(projectId) {
      const where = { project: projectId, ...good() };
      const invitations = await store
        .fork()
        .find(InvitationEntity, where, { orderBy: { createdAt: "asc", id: "asc" } });
      return invitations.map(toInvitation);
    },
    revoke: (projectId, id) =>
      store.unitOfWork(async (em) => {
        const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
        const invitation = await em.findOne(InvitationEntity, { project: projectId, id }, lock);
        if (invitation === null) return false;
        em.remove(invitation);
        appendAuditEntry(em, {
          ...store.origin,
          projectId,
          action: "invitations.revoke",
          target: auditTarget(invitation),
          before: { role: invitation.role },
          after: null,
        });
        return true;
      }),
    async open(secret) {
      const em = store.fork();
      const where = { tokenHash: hashToken(secret), ...good(), project: { deletedAt: null } };
      const invitation = await em.findOne(InvitationEntity, where, { populate: ["project"] });
      if (invitation === null) return undefined;
      const account = await findAccount(em, { email: invitation.email });
      return { ...toInvitation(invitation), projectName: invitation.project.name, account };
    },
    accept: (secret, newPasswordHash) =>
      store.unitOfWork(async (em) => {
        // Of several who come at once, the others wait here, and find nothing.
        const where = { tokenHash: hashToken(secret), ...good() };
        const invitation = await em.findOne(InvitationEntity, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
        if (invitation === null) return undefined;
        if ((await em.count(Project, { id: invitation.project.id, deletedAt: null })) === 0) return undefined;
        const account = await getAccount(em, { email: invitation.email, newPasswordHash, quotas: store.quotas });
        if (account === undefined) return undefined;
        await join(em, store, { invitation, account, isNewAccount: newPasswordHash !== undefined, now: now() });
        return account.id;
      }),
  };
}

/**
 * Makes a person a member wherever an invitation waits for an address that a sign-in provider has verified, within a
 * transaction. Those to the address of another account are that one's. An invitation to own a project waits on where
 * the person owns as many as they may.
 */
export async function acceptInvitations(
  em: SqlEntityManager,
  store: Store,
  { account, email, now }: { readonly account: Joining["account"]; readonly email: string; readonly now: number },
): Promise<void> {
  const where = { email: normaliseEmail(email), ...isGood(now) };
  if ((await em.count(UserAccount, { email: where.email, id: { $ne: account.id } })) > 0) return;
  for (const invitation of await em.find(InvitationEntity, where, { lockMode: LockMode.PESSIMISTIC_WRITE })) {
    if ((await em.count(Project, { id: invitation.project.id, deletedAt: null })) === 0) continue;
    try {
      await join(em, store, { invitation, account, isNewAccount: false, now });
    } catch (error) {
      if (!(error instanceof QuotaError)) throw error;
    }
  }
}

/** A person who takes an invitation. */
interface Joining {
  readonly invitation: InferEntity<typeof InvitationEntity>;
  readonly account: Pick<Account, "id" | "email">;
  readonly isNewAccount: boolean;
  readonly now: number;
}

/**
 * Ends an invitation, and makes its person a member, unless groups give them a stronger role. Throws QuotaError before
 * it changes anything.
 */
async function join(
  em: SqlEntityManager,
  store: Store,
  { invitation, account, isNewAccount, now }: Joining,
): Promise<void> {
  const own = { user: account.id, project: invitation.project.id };
  const former = await em.findOne(Membership, own, { lockMode: LockMode.PESSIMISTIC_WRITE });
  // A weaker role than that of their groups would take rights away: it waits until these give less.
  if (former?.grantedBy && strength(invitation.role) < strength(former.role)) return;
  const keepsRole = former !== null && !former.grantedBy;
  const role = parseRole(keepsRole ? former.role : invitation.role);
  if (role === "owner" && former?.role !== "owner") await checkOwned(em, account.id, store.quotas);
  em.remove(invitation);
  await em.flush();
  await em.upsert(Membership, { ...own, role, createdAt: new Date(now) }, { onConflictAction: "ignore" });
  // The groups of a provider would take the role away with them.
  await em.nativeUpdate(Membership, { ...own, grantedBy: { $ne: null } }, { role, grantedBy: null });
  const actor = { kind: "person", id: account.id, label: account.email } as const;
  appendAuditEntry(em, {
    ...store.origin,
    actor,
    projectId: own.project,
    action: "invitations.accept",
    target: auditTarget(invitation),
    before: former === null ? null : { role: former.role },
    after: { role, isNewAccount, wasMember: former !== null },
  });
}

/** Roles are told in the order of what they may do, the strongest first. */
function strength(role: string): number {
  return -ROLES.indexOf(parseRole(role));
}

/** Selects the invitations that are good. */
function isGood(now: number) {
  return { expiresAt: { $gt: new Date(now), $lt: latestExpiry(now) } };
}

interface Accepting {
  readonly email: string;
  readonly newPasswordHash: string | undefined;
  readonly quotas: Quotas;
}

/**
 * Finds the account of an address, or makes it where a password is given for it: then one that came meanwhile is not
 * theirs who gave it, and resolves to undefined.
 */
async function getAccount(em: SqlEntityManager, { email, newPasswordHash, quotas }: Accepting) {
  if (newPasswordHash === undefined) return await findAccount(em, { email });
  checkQuota(quotas, "accounts", await em.count(UserAccount), (quota) => {
    return `the accounts of this service are ${quota}: ask who runs it`;
  });
  const account = newAccount(email, newPasswordHash);
  const { numInsertedOrUpdatedRows } = await query(em)
    .insertInto("UserAccount")
    .values(account)
    .onConflict((conflict) => conflict.column("email").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n ? account : undefined;
}

/** Makes an invitation, in place of an earlier one of the same address to the project. */
async function replace(
  em: SqlEntityManager,
  { projectId, email, ...info }: Invitation,
  tokenHash: string,
): Promise<void> {
  const row = { ...info, tokenHash };
  await query(em)
    .insertInto("Invitation")
    .values({ project: projectId, email, ...row })
    .onConflict((conflict) => conflict.columns(["project", "email"]).doUpdateSet(row))
    .execute();
}

function auditTarget({ id, email }: Pick<Invitation, "id" | "email">): AuditTarget {
  return { kind: "invitation", id, name: email };
}

function toInvitation(invitation: InferEntity<typeof InvitationEntity>): Invitation {
  const { id, project, email, role, createdAt, expiresAt } = invitation;
  return { id, projectId: project.id, email, role: parseRole(role), createdAt, expiresAt };
}
