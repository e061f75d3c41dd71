import type { Access } from "../../src/dashboard/access/procedures.ts";

/** A procedure: who may call it, and the rest of an input that it takes. */
export interface AccessRow {
  readonly access: Access;
  /** Beside projectId, which every procedure of a project takes. */
  readonly input?: Readonly<Record<string, unknown>>;
}

const SOME_ID = "00000000-0000-4000-8000-00000000aaaa";

/**
 * Every procedure of the dashboard. One that is not listed here, or is listed with another access than it has, fails the
 * test that walks over all of them.
 */
export const ACCESS_TABLE: Readonly<Record<string, AccessRow>> = {
  "invitations.accept": { access: "public" },
  "invitations.open": { access: "public" },
  "keys.create": { access: "member", input: { name: "a key" } },
  "keys.list": { access: "viewer" },
  "keys.revoke": { access: "member", input: { keyId: SOME_ID } },
  "members.invitations": { access: "owner" },
  "members.invite": { access: "owner", input: { email: "someone@example.com", role: "viewer" } },
  "members.leave": { access: "viewer" },
  "members.list": { access: "viewer" },
  "members.remove": { access: "owner", input: { userId: SOME_ID } },
  "members.revokeInvitation": { access: "owner", input: { invitationId: SOME_ID } },
  "members.setRole": { access: "owner", input: { userId: SOME_ID, role: "viewer" } },
  "models.compare": { access: "viewer", input: { range: "24h" } },
  "overview.figures": { access: "viewer", input: { range: "24h", group: "model" } },
  "overview.names": { access: "viewer" },
  "projects.create": { access: "user", input: { name: "another project" } },
  "projects.rename": { access: "owner", input: { name: "a new name" } },
  "session.changePassword": { access: "user" },
  "session.current": { access: "public" },
  "session.end": { access: "user", input: { sessionId: SOME_ID } },
  "session.list": { access: "user" },
  "session.signIn": { access: "public" },
  "session.signOut": { access: "user" },
  "session.signOutEverywhere": { access: "user" },
  "setup.createOwner": { access: "public" },
};
