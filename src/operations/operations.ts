import type { MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { AdminService } from "../../gen/attune/admin/v1/admin_pb.ts";
import { ADMIN_SCOPES, type AdminScope } from "../vocabulary/administrator.ts";
import type { Permission } from "../vocabulary/permissions.ts";

type Methods = typeof AdminService.method;

/** The RPCs of the administrative service. */
export type AdminMethod = keyof Methods;

export type RequestOf<Method extends AdminMethod> = MessageShape<Methods[Method]["input"]>;
export type ResponseOf<Method extends AdminMethod> = MessageInitShape<Methods[Method]["output"]>;

/** The rules of an operation. */
export interface Operation {
  /** Its name in the audit log. */
  readonly name: string;
  /** The scope that an admin key needs for it; one that ends in `:write` where it changes something. */
  readonly scope: AdminScope;
  /** Method and path of its JSON, below /v1/admin. The request is the path, and the body or the query. */
  readonly route: Route;
  /** The field of the request that members of the body belong to, unless the request has a field of their name. */
  readonly resource?: string;
  /** Further scopes that it needs. */
  readonly also?: readonly AdminScope[];
  /** The permission that a member needs for it; no member does it without one. */
  readonly permission?: Permission;
  /** True where it waits for others: it runs in no transaction, and makes its changes in one of its own. */
  readonly isSlow?: true;
  /** True where it is no matter of one project: keys that are bound to one cannot do it. */
  readonly isInstallationWide?: true;
}

/** A route as Fastify has it, such as `DELETE keys/:id`. */
type Route = `${"GET" | "POST" | "PATCH" | "DELETE"} ${string}`;

/** Creates rows of operations whose scope ends in `right`: it is of the thing that their name begins with. */
function createRow<Right extends "read" | "write">(right: Right) {
  type Scope = Extract<AdminScope, `${string}:${Right}`>;
  return (name: string, route: Route, rules: Omit<Operation, "name" | "scope" | "route"> = {}) => {
    const scope = ADMIN_SCOPES.find((each): each is Scope => each === `${name.split(".")[0]}:${right}`);
    if (scope === undefined) throw new Error(`there is no scope for ${name}`);
    return { name, scope, route, ...rules };
  };
}

const read = createRow("read");
const write = createRow("write");

/** All operations by their RPCs: a new RPC does not compile until it has its row here. */
export const OPERATIONS = {
  listProjects: read("projects.list", "GET projects"),
  getProject: read("projects.get", "GET projects/:project", { permission: "settings.read" }),
  createProject: write("projects.create", "POST projects", {
    permission: "project.change",
    resource: "project",
    isInstallationWide: true,
  }),
  updateProject: write("projects.update", "PATCH projects/:project", {
    permission: "settings.change",
    resource: "update",
  }),
  deleteProject: write("projects.delete", "DELETE projects/:project", { permission: "project.delete" }),
  restoreProject: write("projects.restore", "POST projects/:project/restore", { permission: "project.delete" }),
  listProjectDeletions: read("projects.list-deletions", "GET project-deletions"),
  listKeys: read("keys.list", "GET keys"),
  getKey: read("keys.get", "GET keys/:id"),
  createKey: write("keys.create", "POST keys", { permission: "keys.change", resource: "key" }),
  updateKey: write("keys.update", "PATCH keys/:id", { permission: "keys.change", resource: "update" }),
  rotateKey: write("keys.rotate", "POST keys/:id/rotate", { permission: "keys.change" }),
  revokeKey: write("keys.revoke", "DELETE keys/:id", { permission: "keys.change" }),
  listAdminKeys: read("admin-keys.list", "GET admin-keys"),
  createAdminKey: write("admin-keys.create", "POST admin-keys", { resource: "admin_key" }),
  revokeAdminKey: write("admin-keys.revoke", "DELETE admin-keys/:id"),
  listQuotas: read("quotas.list", "GET quotas"),
  getQuota: read("quotas.get", "GET quotas/:kind"),
  setQuota: write("quotas.set", "POST quotas/:kind", { permission: "limits.change" }),
  removeQuota: write("quotas.remove", "DELETE quotas/:kind"),
  listEndUsers: read("end-users.list", "GET end-users"),
  exportEndUser: write("end-users.export", "POST projects/:project/end-users/:id/export", { isSlow: true }),
  deleteEndUser: write("end-users.delete", "DELETE projects/:project/end-users/:id", {
    permission: "end-users.change",
    isSlow: true,
  }),
  listEndUserDeletions: read("end-users.list-deletions", "GET projects/:project/end-user-deletions"),
  exportRequests: read("requests.export", "POST projects/:project/requests/export", { isSlow: true }),
  getUsage: read("usage.get", "GET usage"),
  listWorkloads: read("workloads.list", "GET projects/:project/workloads"),
  getWorkload: read("workloads.get", "GET projects/:project/workloads/:model"),
  listWorkloadHistory: read("workloads.list-history", "GET projects/:project/workloads/:model/history"),
  updateControls: write("workloads.update-controls", "PATCH projects/:project/workloads", {
    permission: "workloads.change",
    resource: "controls",
  }),
  resetWorkload: write("workloads.reset", "POST projects/:project/workloads/:model/reset", {
    permission: "workloads.change",
  }),
  rebuildWorkloads: write("workloads.rebuild", "POST projects/:project/rebuild", { permission: "workloads.rebuild" }),
  getRebuild: read("workloads.get-rebuild", "GET projects/:project/rebuild"),
  cancelRebuild: write("workloads.cancel-rebuild", "DELETE projects/:project/rebuild", {
    permission: "workloads.rebuild",
  }),
  improveWorkload: write("workloads.improve", "POST projects/:project/workloads/:model/improvement", {
    permission: "workloads.improve",
  }),
  getImprovement: read("workloads.get-improvement", "GET projects/:project/workloads/:model/improvement"),
  cancelImprovement: write("workloads.cancel-improvement", "DELETE projects/:project/workloads/:model/improvement", {
    permission: "workloads.improve",
  }),
  getPair: read("workloads.get-pair", "GET projects/:project/workloads/:model/pair"),
  judgePair: write("workloads.judge-pair", "POST projects/:project/pairs/:pair_id", { permission: "workloads.judge" }),
  removeFeedback: write("workloads.remove-feedback", "DELETE projects/:project/feedback", {
    permission: "feedback.remove",
    isSlow: true,
  }),
  listMembers: read("members.list", "GET projects/:project/members"),
  setMemberRole: write("members.set-role", "POST projects/:project/members/:member", { permission: "members.change" }),
  removeMember: write("members.remove", "DELETE projects/:project/members/:member", { permission: "members.leave" }),
  listUsers: read("members.list-users", "GET users", { isInstallationWide: true }),
  listInvitations: read("members.list-invitations", "GET projects/:project/invitations"),
  createInvitation: write("members.invite", "POST projects/:project/invitations", { permission: "members.change" }),
  revokeInvitation: write("members.revoke-invitation", "DELETE projects/:project/invitations/:id", {
    permission: "members.change",
  }),
  listAuditEntries: read("audit.list", "GET audit-log"),
  listAlerts: read("alerts.list", "GET alerts"),
  listAlertRules: read("alerts.list-rules", "GET projects/:project/alert-rules"),
  setAlertRule: write("alerts.set-rule", "POST projects/:project/alert-rules", {
    permission: "alerts.change",
    resource: "rule",
  }),
  removeAlertRule: write("alerts.remove-rule", "DELETE projects/:project/alert-rules/:name", {
    permission: "alerts.change",
  }),
  listAlertDestinations: read("alerts.list-destinations", "GET projects/:project/alert-destinations"),
  createAlertDestination: write("alerts.create-destination", "POST projects/:project/alert-destinations", {
    permission: "alerts.change",
    resource: "destination",
    isSlow: true,
  }),
  removeAlertDestination: write("alerts.remove-destination", "DELETE projects/:project/alert-destinations/:id", {
    permission: "alerts.change",
  }),
  testAlertDestination: write("alerts.test-destination", "POST projects/:project/alert-destinations/:id/test", {
    permission: "alerts.change",
    isSlow: true,
  }),
  listAlertDeliveries: read("alerts.list-deliveries", "GET projects/:project/alert-deliveries"),
  applyProjects: write("projects.apply", "POST apply", {
    resource: "document",
    isInstallationWide: true,
    also: ["keys:write", "quotas:write", "members:write", "workloads:write"],
  }),
  exportProjects: read("projects.export", "GET export", {
    also: ["keys:read", "quotas:read", "members:read", "workloads:read"],
  }),
  listManagedItems: read("projects.list-managed", "GET managed"),
} as const satisfies Readonly<Record<AdminMethod, Operation>>;

export const ADMIN_METHODS = Object.keys(OPERATIONS) as readonly AdminMethod[];

/** Tells whether an operation changes something. */
export function isChange({ scope }: Pick<Operation, "scope">): boolean {
  return scope.endsWith(":write");
}
