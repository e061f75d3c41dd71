import type { Access } from "../../src/dashboard/access/procedures.ts";

/** A procedure: who may call it, and the rest of an input that it takes. */
export interface AccessRow {
  readonly access: Access;
  /** Beside projectId, which every procedure of a project takes. */
  readonly input?: Readonly<Record<string, unknown>>;
}

const SOME_ID = "00000000-0000-4000-8000-00000000aaaa";

/**
 * Every procedure of the dashboard. One that is not listed here, or is listed with another access than it has, fails
 * the test that walks over all of them.
 */
export const ACCESS_TABLE: Readonly<Record<string, AccessRow>> = {
  "auditLog.exportPlan": { access: "owner", input: { filter: {}, format: "csv" } },
  "auditLog.list": { access: "owner", input: { filter: {} } },
  "endUsers.delete": { access: "owner", input: { endUserId: "nobody" } },
  "endUsers.deletions": { access: "owner" },
  "endUsers.exportPlan": { access: "owner", input: { endUserId: "nobody" } },
  "errors.summary": { access: "viewer", input: { range: "24h" } },
  "feedback.entries": { access: "viewer" },
  "feedback.example": { access: "viewer" },
  "feedback.metric": { access: "viewer", input: { range: "24h", name: "helpful", kind: "boolean" } },
  "feedback.notes": { access: "viewer" },
  "feedback.summary": { access: "viewer", input: { range: "24h" } },
  "history.exportPlan": { access: "viewer", input: { filter: {} } },
  "history.facets": { access: "viewer" },
  "history.list": { access: "viewer" },
  "history.messages": { access: "viewer", input: { id: SOME_ID, from: 0, to: 1 } },
  "history.part": { access: "viewer", input: { id: SOME_ID, part: 0 } },
  "history.raw": { access: "viewer", input: { id: SOME_ID, side: "request" } },
  "history.request": { access: "viewer", input: { id: SOME_ID } },
  "invitations.accept": { access: "public" },
  "invitations.open": { access: "public" },
  "keys.create": { access: "member", input: { name: "a key" } },
  "keys.list": { access: "viewer" },
  "keys.names": { access: "viewer", input: { publicIds: [] } },
  "keys.revoke": { access: "member", input: { keyId: SOME_ID } },
  "keys.usage": { access: "viewer", input: { publicIds: [] } },
  "learning.history": { access: "viewer", input: { model: "gpt-6-astra" } },
  "learning.judgePair": { access: "member", input: { pairId: SOME_ID, first: true, second: false } },
  "learning.list": { access: "viewer", input: { range: "24h" } },
  "learning.outlooks": { access: "viewer", input: {} },
  "learning.pair": { access: "member", input: { model: "gpt-6-astra" } },
  "learning.read": { access: "viewer", input: { range: "24h", model: "gpt-6-astra" } },
  "learning.reset": { access: "member", input: { model: "gpt-6-astra" } },
  "learning.setControls": { access: "member", input: { model: "", mode: "observe" } },
  "members.invitations": { access: "owner" },
  "members.invite": { access: "owner", input: { email: "someone@example.com", role: "viewer" } },
  "members.leave": { access: "viewer" },
  "members.list": { access: "viewer" },
  "members.remove": { access: "owner", input: { userId: SOME_ID } },
  "members.resetPassword": { access: "owner", input: { userId: SOME_ID } },
  "members.revokeInvitation": { access: "owner", input: { invitationId: SOME_ID } },
  "members.setRole": { access: "owner", input: { userId: SOME_ID, role: "viewer" } },
  "models.audits": { access: "viewer" },
  "models.compare": { access: "viewer", input: { range: "24h" } },
  "models.deployments": { access: "viewer" },
  "overview.figures": { access: "viewer", input: { range: "24h", group: "model" } },
  "overview.names": { access: "viewer" },
  "playground.allow": { access: "owner", input: { userId: SOME_ID } },
  "playground.facts": { access: "viewer", input: { inferenceId: SOME_ID } },
  "playground.revoked": { access: "owner" },
  "projects.create": { access: "user", input: { name: "another project" } },
  "projects.rename": { access: "owner", input: { name: "a new name" } },
  "quotas.list": { access: "viewer" },
  "quotas.set": {
    access: "owner",
    input: { owner: { kind: "endUser", name: "ada" }, settings: { requestsPerMinute: 60 } },
  },
  "refusals.list": { access: "viewer" },
  "projectSettings.read": { access: "viewer" },
  "projectSettings.setOptimizations": { access: "owner", input: { off: ["hedging"] } },
  "projectSettings.setBodies": { access: "owner", input: { bodies: "full" } },
  "resets.open": { access: "public" },
  "resets.redeem": { access: "public" },
  "session.changePassword": { access: "user" },
  "session.current": { access: "public" },
  "session.end": { access: "user", input: { sessionId: SOME_ID } },
  "session.list": { access: "user" },
  "session.signIn": { access: "public" },
  "session.signOut": { access: "user" },
  "session.signOutEverywhere": { access: "user" },
  "sessions.outlines": { access: "viewer", input: { ids: [] } },
  "sessions.read": { access: "viewer", input: { sessionId: "s" } },
  "setup.createOwner": { access: "public" },
  "spend.budgets": { access: "viewer" },
  "spend.ranking": { access: "viewer", input: { range: "24h", by: "key" } },
  "workloads.list": { access: "viewer", input: { range: "24h" } },
};
