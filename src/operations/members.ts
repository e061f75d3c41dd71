import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type InvitationSchema,
  MemberRole,
  type MemberSchema,
  type UserSchema,
} from "../../gen/attune/admin/v1/member_pb.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import { lockProject } from "../store/administration/find-project.ts";
import { createAccounts, type ListedAccount, normaliseEmail } from "../store/dashboard/accounts.ts";
import { createInvitations, type Invitation } from "../store/dashboard/invitations.ts";
import { createMemberships, type Member, type MembershipChange } from "../store/dashboard/memberships.ts";
import type { PasswordResets } from "../store/dashboard/password-resets.ts";
import { ROLES, type Role } from "../vocabulary/roles.ts";
import { checkPermission, isPerson } from "./actor.ts";
import { alreadyExists, conflict, notFound } from "./checks.ts";
import { findOwnProject } from "./find-own.ts";
import type { Handlers, Work } from "./handlers.ts";
import { pageWithin } from "./page.ts";

/** The roles of messages by those of the table. */
export const MEMBER_ROLES = {
  owner: MemberRole.OWNER,
  admin: MemberRole.ADMIN,
  developer: MemberRole.DEVELOPER,
  viewer: MemberRole.VIEWER,
  billing: MemberRole.BILLING,
} as const satisfies Record<Role, MemberRole>;

type MemberMethod = "listMembers" | "listUsers" | "setMemberRole" | "removeMember";
type InvitationMethod = "listInvitations" | "createInvitation" | "revokeInvitation";

/** The operations on members, and on invitations to become one. */
export const memberHandlers: Handlers<MemberMethod | InvitationMethod> = {
  async listMembers(work, request) {
    const { id } = await findOwnProject(work, request.project);
    const { items, nextPageToken } = pageWithin(await readMembers(work, id), request);
    return { members: items.map(memberToMessage), nextPageToken };
  },

  async listUsers(work, request) {
    const { items, nextPageToken } = pageWithin(await createAccounts(work.store).list(), request);
    return { users: items.map(userToMessage), nextPageToken };
  },

  async setMemberRole(work, request) {
    const role = readRole(request.role);
    const { projectId, userId } = await lockMember(work, request, role);
    checkChange(await createMemberships(work.store).setRole({ projectId, userId }, role));
    const changed = (await readMembers(work, projectId)).find(({ id }) => id === userId);
    if (changed === undefined) throw noMember();
    return { member: memberToMessage(changed) };
  },

  async removeMember(work, request) {
    const { projectId, userId } = await lockMember(work, request);
    // Everybody may leave.
    if (userId !== work.actor.id) checkPermission(work.actor, "members.change");
    checkChange(await createMemberships(work.store).remove({ projectId, userId }));
    return {};
  },

  async listInvitations(work, request) {
    const { id } = await findOwnProject(work, request.project);
    const { items, nextPageToken } = pageWithin(await createInvitations(work.store).list(id), request);
    return { invitations: items.map(invitationToMessage), nextPageToken };
  },

  async createInvitation(work, request) {
    const { id: projectId } = await findOwnProject(work, request.project);
    const [email, role] = [normaliseEmail(request.email), readRole(request.role)];
    if (role === "owner") checkPermission(work.actor, "owners.change");
    if ((await readMembers(work, projectId)).some((member) => member.email === email)) {
      throw alreadyExists("email", "is of a member already: set the role of that one");
    }
    const invitations = createInvitations(work.store);
    const existing = (await invitations.list(projectId)).find((invitation) => invitation.email === email);
    if (existing?.role === role && !isPerson(work.actor)) return { invitation: invitationToMessage(existing) };
    if (existing !== undefined) {
      const what = existing.role === role ? "is invited already" : "is invited with another role";
      throw alreadyExists("email", `${what}, by ${existing.id}: revoke that one first`);
    }
    const { secret, info } = await invitations.create({ projectId, email, role });
    return { invitation: invitationToMessage(info), token: request.dryRun ? "" : secret, created: true };
  },

  async revokeInvitation(work, request) {
    const { id: projectId } = await findOwnProject(work, request.project);
    const isRevoked = await createInvitations(work.store).revoke(projectId, request.id.toLowerCase());
    if (!isRevoked) throw notFound("id", "invitation");
    return {};
  },
};

async function readMembers({ store }: Work, projectId: string) {
  const members = await createMemberships(store).listMembers(projectId);
  return members.map((member) => ({ ...member, id: member.userId }));
}

/**
 * Finds a member by the id of the account or its address, whom nobody else changes until the transaction ends. Throws
 * NOT_FOUND, and PERMISSION_DENIED where the member is, or is to be, an owner and the actor changes none.
 */
async function lockMember(
  work: Work,
  { project, member }: { readonly project: string; readonly member: string },
  role?: Role,
) {
  const { id: projectId } = await findOwnProject(work, project);
  await lockProject(work.store, projectId);
  const emailOrId = normaliseEmail(member);
  const found = (await readMembers(work, projectId)).find(({ id, email }) => id === emailOrId || email === emailOrId);
  if (found === undefined) throw noMember();
  if (found.role === "owner" || role === "owner") checkPermission(work.actor, "owners.change");
  return { projectId, userId: found.userId };
}

/** Throws where a membership was not changed. */
export function checkChange(change: MembershipChange): void {
  if (change === "not-found") throw noMember();
  if (change === "by-groups") {
    throw conflict("member", "has the role by groups of a sign-in provider: change the groups there");
  }
  if (change === "last-owner") {
    throw conflict("member", "is the only owner of the project, which keeps one: make someone else owner first");
  }
}

function noMember(): InferenceError {
  return notFound("member", "member of the project");
}

/** Returns the role of a message. Throws INVALID_REQUEST. */
export function readRole(message: MemberRole): Role {
  const role = ROLES.find((each) => MEMBER_ROLES[each] === message);
  if (role === undefined) throw InferenceError.invalid("role", `must be ${ROLES.join(", ")}`);
  return role;
}

function memberToMessage({ userId, email, role, since }: Member): MessageInitShape<typeof MemberSchema> {
  return { id: userId, email, role: MEMBER_ROLES[role], createdAt: timestampFromDate(since) };
}

function invitationToMessage(invitation: Invitation): MessageInitShape<typeof InvitationSchema> {
  const { id, email, role, createdAt, expiresAt } = invitation;
  const times = { createdAt: timestampFromDate(createdAt), expiresAt: timestampFromDate(expiresAt) };
  return { id, email, role: MEMBER_ROLES[role], ...times };
}

function userToMessage({ id, email, createdAt, projects }: ListedAccount): MessageInitShape<typeof UserSchema> {
  const roles = projects.map(({ role, ...project }) => {
    return { ...project, role: MEMBER_ROLES[role as Role] ?? MemberRole.UNSPECIFIED };
  });
  return { id, email, createdAt: timestampFromDate(createdAt), projects: roles };
}

const OTHER_PROJECTS =
  "this member belongs to projects that you do not own: an owner of all of them can make the link, or who " +
  "runs Attune, with 'attune users reset'";

/** Creates the link through which a member chooses a new password. Throws NOT_FOUND and CONFLICT. */
export async function resetPassword(
  resets: PasswordResets,
  order: { readonly projectId: string; readonly userId: string; readonly madeBy: string },
) {
  const refuse = (message: string) => new InferenceError(ErrorReason.CONFLICT, message);
  if (order.userId === order.madeBy) throw refuse("this is you: change your password under Account");
  const reset = await resets.createForMember(order);
  if (reset === "not-found") throw noMember();
  if (reset === "other-projects") throw refuse(OTHER_PROJECTS);
  return reset;
}
