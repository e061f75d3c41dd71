import type { MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { AdminService } from "../../gen/attune/admin/v1/admin_pb.ts";
import type { AdminScope } from "../vocabulary/administrator.ts";
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
  /** Further scopes that it needs. */
  readonly also?: readonly AdminScope[];
  /** The permission that a member needs for it; no member does it without one. */
  readonly permission?: Permission;
  /** True where it waits for others: it runs in no transaction, and makes its changes in one of its own. */
  readonly isSlow?: true;
  /** True where it is no matter of one project: keys that are bound to one cannot do it. */
  readonly isInstallationWide?: true;
}

/** All operations by their RPCs: a new RPC does not compile until it has its row here. */
export const OPERATIONS = {
  listProjects: { name: "projects.list", scope: "projects:read" },
  getProject: { name: "projects.get", scope: "projects:read", permission: "settings.read" },
  createProject: {
    name: "projects.create",
    scope: "projects:write",
    permission: "project.change",
    isInstallationWide: true,
  },
  updateProject: { name: "projects.update", scope: "projects:write", permission: "settings.change" },
  deleteProject: { name: "projects.delete", scope: "projects:write", permission: "project.delete" },
  restoreProject: { name: "projects.restore", scope: "projects:write", permission: "project.delete" },
  listProjectDeletions: { name: "projects.list-deletions", scope: "projects:read" },
  listKeys: { name: "keys.list", scope: "keys:read" },
  getKey: { name: "keys.get", scope: "keys:read" },
  createKey: { name: "keys.create", scope: "keys:write", permission: "keys.change" },
  updateKey: { name: "keys.update", scope: "keys:write", permission: "keys.change" },
  rotateKey: { name: "keys.rotate", scope: "keys:write", permission: "keys.change" },
  revokeKey: { name: "keys.revoke", scope: "keys:write", permission: "keys.change" },
  listAdminKeys: { name: "admin-keys.list", scope: "admin-keys:read" },
  createAdminKey: { name: "admin-keys.create", scope: "admin-keys:write" },
  revokeAdminKey: { name: "admin-keys.revoke", scope: "admin-keys:write" },
  listQuotas: { name: "quotas.list", scope: "quotas:read" },
  getQuota: { name: "quotas.get", scope: "quotas:read" },
  setQuota: { name: "quotas.set", scope: "quotas:write", permission: "limits.change" },
  removeQuota: { name: "quotas.remove", scope: "quotas:write" },
  listEndUsers: { name: "end-users.list", scope: "end-users:read" },
  exportEndUser: { name: "end-users.export", scope: "end-users:write", isSlow: true },
  deleteEndUser: { name: "end-users.delete", scope: "end-users:write", permission: "end-users.change", isSlow: true },
  listEndUserDeletions: { name: "end-users.list-deletions", scope: "end-users:read" },
  exportRequests: { name: "requests.export", scope: "requests:read", isSlow: true },
  getUsage: { name: "usage.get", scope: "usage:read" },
  listWorkloads: { name: "workloads.list", scope: "workloads:read" },
  getWorkload: { name: "workloads.get", scope: "workloads:read" },
  listWorkloadHistory: { name: "workloads.list-history", scope: "workloads:read" },
  updateControls: { name: "workloads.update-controls", scope: "workloads:write", permission: "workloads.change" },
  resetWorkload: { name: "workloads.reset", scope: "workloads:write", permission: "workloads.change" },
  rebuildWorkloads: { name: "workloads.rebuild", scope: "workloads:write", permission: "workloads.rebuild" },
  getRebuild: { name: "workloads.get-rebuild", scope: "workloads:read" },
  cancelRebuild: { name: "workloads.cancel-rebuild", scope: "workloads:write", permission: "workloads.rebuild" },
  improveWorkload: { name: "workloads.improve", scope: "workloads:write", permission: "workloads.improve" },
  getImprovement: { name: "workloads.get-improvement", scope: "workloads:read" },
  cancelImprovement: {
    name: "workloads.cancel-improvement",
    scope: "workloads:write",
    permission: "workloads.improve",
  },
  getPair: { name: "workloads.get-pair", scope: "workloads:read" },
  judgePair: { name: "workloads.judge-pair", scope: "workloads:write", permission: "workloads.judge" },
  removeFeedback: {
    name: "workloads.remove-feedback",
    scope: "workloads:write",
    permission: "feedback.remove",
    isSlow: true,
  },
  listMembers: { name: "members.list", scope: "members:read" },
  setMemberRole: { name: "members.set-role", scope: "members:write", permission: "members.change" },
  removeMember: { name: "members.remove", scope: "members:write", permission: "members.leave" },
  listUsers: { name: "members.list-users", scope: "members:read", isInstallationWide: true },
  listInvitations: { name: "members.list-invitations", scope: "members:read" },
  createInvitation: { name: "members.invite", scope: "members:write", permission: "members.change" },
  revokeInvitation: { name: "members.revoke-invitation", scope: "members:write", permission: "members.change" },
  listAuditEntries: { name: "audit.list", scope: "audit:read" },
  listAlerts: { name: "alerts.list", scope: "alerts:read" },
  listAlertRules: { name: "alerts.list-rules", scope: "alerts:read" },
  setAlertRule: { name: "alerts.set-rule", scope: "alerts:write", permission: "alerts.change" },
  removeAlertRule: { name: "alerts.remove-rule", scope: "alerts:write", permission: "alerts.change" },
  listAlertDestinations: { name: "alerts.list-destinations", scope: "alerts:read" },
  createAlertDestination: {
    name: "alerts.create-destination",
    scope: "alerts:write",
    permission: "alerts.change",
    isSlow: true,
  },
  removeAlertDestination: { name: "alerts.remove-destination", scope: "alerts:write", permission: "alerts.change" },
  testAlertDestination: {
    name: "alerts.test-destination",
    scope: "alerts:write",
    permission: "alerts.change",
    isSlow: true,
  },
  listAlertDeliveries: { name: "alerts.list-deliveries", scope: "alerts:read" },
  applyProjects: {
    name: "projects.apply",
    scope: "projects:write",
    isInstallationWide: true,
    also: ["keys:write", "quotas:write", "members:write", "workloads:write"],
  },
  exportProjects: {
    name: "projects.export",
    scope: "projects:read",
    also: ["keys:read", "quotas:read", "members:read", "workloads:read"],
  },
  listManagedItems: { name: "projects.list-managed", scope: "projects:read" },
} as const satisfies Readonly<Record<AdminMethod, Operation>>;

export const ADMIN_METHODS = Object.keys(OPERATIONS) as readonly AdminMethod[];

/** Tells whether an operation changes something. */
export function isChange({ scope }: Pick<Operation, "scope">): boolean {
  return scope.endsWith(":write");
}
