import type { DocumentMember } from "../../../gen/attune/admin/v1/document_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import { newId } from "../../lib/ids.ts";
import { createAccounts, normaliseEmail } from "../../store/dashboard/accounts.ts";
import { createInvitations } from "../../store/dashboard/invitations.ts";
import { createMemberships } from "../../store/dashboard/memberships.ts";
import { hashToken } from "../../store/dashboard/tokens.ts";
import type { Role } from "../../vocabulary/roles.ts";
import { checkChange, readRole } from "../members.ts";
import { type AppliedProject, type ApplyContext, atPlace, checkUnique } from "./context.ts";

/** A member of a document, with its place in it. */
interface WantedMember {
  readonly email: string;
  readonly role: Role;
  readonly invitationHash: string;
  readonly place: string;
}

/** The people of a project by their addresses: members, and those who are invited. */
interface People {
  readonly members: ReadonlyMap<string, { readonly userId: string; readonly role: Role }>;
  readonly invited: ReadonlyMap<string, { readonly id: string; readonly role: Role }>;
}

/** Makes the members of a project as a document has them. */
export async function applyMembers(
  context: ApplyContext,
  project: AppliedProject,
  members: readonly DocumentMember[],
): Promise<void> {
  const place = (at: number) => `${project.place}.members[${at}]`;
  checkUnique(
    members,
    ({ email }) => normaliseEmail(email),
    (at) => `${place(at)}.email`,
  );
  const wanted = members.map(({ email, role, invitationHash }, at): WantedMember => {
    return { email: normaliseEmail(email), role: readRole(role), invitationHash, place: place(at) };
  });
  const people = await readPeople(context, project.id);
  // A project keeps an owner: new ones come before others go.
  const isOwner = ({ role }: WantedMember) => role === "owner";
  for (const member of [...wanted.filter(isOwner), ...wanted.filter((each) => !isOwner(each))]) {
    await atPlace(
      (at) => (at === "member" ? `${member.place}.role` : at),
      () => applyMember(context, project, { member, people }),
    );
  }
}

/** Reads who belongs to a project, and who is invited. */
export async function readPeople({ work: { store } }: Pick<ApplyContext, "work">, projectId: string): Promise<People> {
  const members = await createMemberships(store).listMembers(projectId);
  const invited = await createInvitations(store).list(projectId);
  return {
    members: new Map(members.map((member) => [member.email, member])),
    invited: new Map(invited.map((invitation) => [invitation.email, invitation])),
  };
}

async function applyMember(
  context: ApplyContext,
  { id: projectId, name }: AppliedProject,
  { member, people }: { readonly member: WantedMember; readonly people: People },
): Promise<void> {
  const { email, role, place } = member;
  const existing = people.members.get(email) ?? people.invited.get(email);
  const isSame = existing?.role === role;
  const needsHash = isSame ? false : await setMember(context, projectId, { member, people });
  await context.ledger.note({
    item: { kind: "member", projectId, name: email },
    project: name,
    title: email,
    place,
    needsHash,
    before: existing === undefined ? null : { role: existing.role },
    after: { role },
  });
}

/** Makes somebody a member or invites them. Returns whether the document lacks the hash of an invitation. */
async function setMember(
  { work: { store }, isDryRun }: ApplyContext,
  projectId: string,
  { member, people }: { readonly member: WantedMember; readonly people: People },
): Promise<boolean> {
  const { email, role, invitationHash, place } = member;
  const known = people.members.get(email);
  if (known !== undefined) {
    checkChange(await createMemberships(store).setRole({ projectId, userId: known.userId }, role));
    return false;
  }
  const account = await createAccounts(store).findByEmail(email);
  if (account !== undefined) {
    await createMemberships(store).add(projectId, account, role);
    return false;
  }
  if (invitationHash === "" && !isDryRun) {
    const problem = "is required to invite a person without an account";
    throw InferenceError.invalid(`${place}.invitation_hash`, problem);
  }
  const tokenHash = invitationHash || hashToken(newId());
  await createInvitations(store).create({ projectId, email, role, tokenHash });
  return invitationHash === "";
}
