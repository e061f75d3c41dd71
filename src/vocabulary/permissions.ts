import type { AdminScope } from "./administrator.ts";
import type { Role } from "./roles.ts";

/** A permission of members of a project. */
interface PermissionRow {
  /** The words of it that stand after "may". */
  readonly allows: string;
  readonly roles: readonly Role[];
  /**
   * Procedures of the dashboard that need it, but for those that do an operation with that permission; none where it is
   * asked for within another one, or by a route.
   */
  readonly procedures?: readonly string[];
  /** The scopes that allow admin keys as much. */
  readonly scopes?: readonly AdminScope[];
}

const OWNERS = ["owner"] as const;
const ADMINS = ["owner", "admin"] as const;
const DEVELOPERS = [...ADMINS, "developer"] as const;
const READERS = [...DEVELOPERS, "viewer"] as const;
const MEMBERS = [...READERS, "billing"] as const;

/**
 * The table of what each role may see and do: checks, pages of the dashboard, tests and docs/reference/roles.md are
 * made from it. A procedure that is in no row, and does no operation, is refused.
 */
export const PERMISSIONS = {
  "figures.read": {
    allows: "see figures: calls, tokens, cost, latency, ratings, and what is left of budgets",
    roles: MEMBERS,
    procedures: [
      ...["overview.figures", "overview.names", "spend.ranking", "spend.budgets", "models.compare", "keys.usage"],
      ...["workloads.list", "feedback.summary", "feedback.metric"],
    ],
    scopes: ["usage:read"],
  },
  "keys.read": {
    allows: "see the names and the limits of API keys",
    roles: MEMBERS,
    procedures: ["keys.list", "keys.names"],
    scopes: ["keys:read"],
  },
  "limits.read": {
    allows: "see the limits in the project, and what attune apply manages",
    roles: MEMBERS,
    procedures: ["quotas.list", "quotas.read", "managed.list"],
    scopes: ["quotas:read"],
  },
  "members.read": {
    allows: "see who is a member",
    roles: MEMBERS,
    procedures: ["members.list"],
    scopes: ["members:read"],
  },
  "members.leave": { allows: "leave the project", roles: MEMBERS },
  "requests.read": {
    allows: "see, search and export requests with their texts, sessions, errors, notes and datasets",
    roles: READERS,
    procedures: [
      ...[
        "history.list",
        "history.sorted",
        "history.newer",
        "history.facets",
        "history.request",
        "history.messages",
        "history.part",
      ],
      ...["history.raw", "history.asSent", "history.exportPlan", "views.list", "sessions.read", "sessions.timeline"],
      ...["sessions.outlines"],
      ...["errors.summary", "errors.groups", "refusals.list", "feedback.entries", "feedback.notes", "feedback.example"],
      ...["playground.facts", "datasets.list", "datasets.rows", "datasets.exportPlan"],
      ...["datasetRuns.list", "datasetRuns.read", "datasetRuns.answers", "improvements.answers"],
    ],
    scopes: ["requests:read"],
  },
  "alerts.read": {
    allows: "see alerts, and the rules that make them",
    roles: READERS,
    procedures: ["alerts.list", "alerts.rules"],
    scopes: ["alerts:read"],
  },
  "models.read": {
    allows: "see the health of deployments, and how their answers compare",
    roles: READERS,
    procedures: ["models.deployments", "models.upstreamKeys", "models.audits"],
  },
  "workloads.read": {
    allows: "see what was learned of workloads, and their controls",
    roles: READERS,
    procedures: [
      "learning.list",
      "learning.read",
      "learning.history",
      "learning.outlooks",
      "rebuilds.read",
      "improvements.read",
    ],
    scopes: ["workloads:read"],
  },
  "settings.read": {
    allows: "see the settings of the project",
    roles: READERS,
    procedures: ["projectSettings.read"],
    scopes: ["projects:read"],
  },
  "keys.change": {
    allows: "create API keys, and edit, rotate and revoke those that they created",
    roles: DEVELOPERS,
    scopes: ["keys:write"],
  },
  "playground.call": { allows: "call models from the playground, and rate answers", roles: DEVELOPERS },
  "views.change": {
    allows: "save and remove views of the history",
    roles: DEVELOPERS,
    procedures: ["views.save", "views.remove"],
  },
  "datasets.change": {
    allows: "create datasets, fill and remove them",
    roles: DEVELOPERS,
    procedures: ["datasets.create", "datasets.remove", "datasets.add", "datasets.addFiltered", "datasets.drop"],
  },
  "datasets.run": {
    allows: "run datasets against models, which costs money",
    roles: DEVELOPERS,
    procedures: ["datasetRuns.estimate", "datasetRuns.start", "datasetRuns.cancel"],
  },
  "workloads.change": {
    allows: "change the controls of workloads, and reset them",
    roles: DEVELOPERS,
    scopes: ["workloads:write"],
  },
  "feedback.remove": {
    allows: "remove feedback, no matter who sent it",
    roles: ADMINS,
    scopes: ["workloads:write"],
  },
  "workloads.improve": {
    allows: "have other models asked for recorded requests, which costs money, and end that",
    roles: DEVELOPERS,
    procedures: ["improvements.plan", "improvements.offer"],
    scopes: ["workloads:write"],
  },
  "workloads.judge": {
    allows: "judge pairs of answers blind",
    roles: DEVELOPERS,
    procedures: ["learning.pair"],
  },
  "workloads.rebuild": {
    allows: "have what was learned of workloads rebuilt, and cancel that",
    roles: ADMINS,
    scopes: ["workloads:write"],
  },
  "keys.change-any": { allows: "tag, rotate and revoke every API key", roles: ADMINS, scopes: ["keys:write"] },
  "playground.allow": {
    allows: "see whose playground key was revoked, and allow it again",
    roles: ADMINS,
    procedures: ["playground.revoked", "playground.allow"],
  },
  "limits.change": {
    allows: "change limits of keys, end users and tags",
    roles: ADMINS,
    scopes: ["quotas:write"],
  },
  "settings.change": {
    allows: "change the settings of the project",
    roles: ADMINS,
    procedures: ["projectSettings.setAlias", "projectSettings.removeAlias"],
    scopes: ["projects:write"],
  },
  "alerts.change": {
    allows: "change rules of alerts, and where messages go",
    roles: ADMINS,
    procedures: ["alerts.destinations", "alerts.deliveries"],
    scopes: ["alerts:write"],
  },
  "members.change": {
    allows: "invite people, change roles and remove members, but for owners",
    roles: ADMINS,
    procedures: ["members.invitations", "members.remove"],
    scopes: ["members:write"],
  },
  "end-users.change": {
    allows: "export and delete the data of end users",
    roles: ADMINS,
    procedures: ["endUsers.count", "endUsers.deletions", "endUsers.exportPlan"],
    scopes: ["end-users:write"],
  },
  "audit.read": {
    allows: "see and export the audit log of the project",
    roles: ADMINS,
    procedures: ["auditLog.list", "auditLog.exportPlan"],
    scopes: ["audit:read"],
  },
  "owners.change": {
    allows: "make owners, and change or remove them",
    roles: OWNERS,
    scopes: ["members:write"],
  },
  "passwords.reset": {
    allows: "make links for members who forgot their password",
    roles: OWNERS,
    procedures: ["members.resetPassword"],
  },
  "refusals.read-unknown": { allows: "see refused calls whose project is unknown", roles: OWNERS },
  "project.change": {
    allows: "rename the project, and create others",
    roles: OWNERS,
    procedures: ["projects.rename"],
    scopes: ["projects:write"],
  },
  "project.delete": {
    allows: "delete the project with all its data, and undo that within a day",
    roles: OWNERS,
    scopes: ["projects:write"],
  },
} as const satisfies Readonly<Record<string, PermissionRow>>;

export type Permission = keyof typeof PERMISSIONS;

/** Procedures that concern no project: those for everyone, and those for everyone who is signed in. */
export const OPEN_PROCEDURES = {
  public: [
    ...(["session.current", "session.signIn", "setup.createOwner", "resets.open", "resets.redeem"] as const),
    ...(["invitations.open", "invitations.accept"] as const),
  ],
  user: [
    ...(["session.list", "session.end", "session.signOut", "session.signOutEverywhere"] as const),
    ...(["session.changePassword", "projects.create", "projects.deletions"] as const),
    "projects.restore",
  ],
} as const;

/** The callers of a procedure: everyone, everyone who is signed in, or members with a permission. */
type Access = keyof typeof OPEN_PROCEDURES | Permission;

export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as readonly Permission[];

const ACCESS_BY_PROCEDURE: ReadonlyMap<string, Access> = new Map([
  ...OPEN_PROCEDURES.public.map((path) => [path, "public"] as const),
  ...OPEN_PROCEDURES.user.map((path) => [path, "user"] as const),
  ...PERMISSION_NAMES.flatMap((name) => listNamedProcedures(name).map((path) => [path, name] as const)),
]);

/** Returns the procedures that a permission names. */
export function listNamedProcedures(name: Permission): readonly string[] {
  const row: PermissionRow = PERMISSIONS[name];
  return row.procedures ?? [];
}

/** Returns the scopes that allow admin keys as much as a permission does members. */
export function listScopes(name: Permission): readonly AdminScope[] {
  const { scopes = [] }: PermissionRow = PERMISSIONS[name];
  return scopes;
}

/** Returns who may call a procedure; undefined for one that is in no row, which nobody may call. */
export function findAccess(procedure: string): Access | undefined {
  return ACCESS_BY_PROCEDURE.get(procedure);
}

/** Tells whether a role has a permission. */
export function includesPermission(role: Role, name: Permission): boolean {
  const { roles }: PermissionRow = PERMISSIONS[name];
  return roles.includes(role);
}

/** Returns the refusal of a member whose role lacks a permission. */
export function describeRefusal(role: Role, name: Permission): string {
  const { roles }: PermissionRow = PERMISSIONS[name];
  return `this requires the role ${listRoles(roles)}; yours is ${role}`;
}

/** Names roles as a sentence does: "owner, admin or developer". */
function listRoles(roles: readonly Role[]): string {
  const [last, ...rest] = [...roles].reverse();
  return rest.length === 0 ? `${last}` : `${rest.reverse().join(", ")} or ${last}`;
}
