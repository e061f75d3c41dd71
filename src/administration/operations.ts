import type { MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { AdminService } from "../../gen/attune/admin/v1/admin_pb.ts";
import type { AdminScope } from "../hub/administrator.ts";

type Methods = typeof AdminService.method;

/** The RPCs of the administrative service. */
export type AdminMethod = keyof Methods;

export type RequestOf<Method extends AdminMethod> = MessageShape<Methods[Method]["input"]>;
export type ResponseOf<Method extends AdminMethod> = MessageInitShape<Methods[Method]["output"]>;

/** The rules of an operation. */
export interface Operation {
  /** Its name in the audit log. */
  readonly name: string;
  /** The scope that an admin key needs for it. */
  readonly scope: AdminScope;
  /** Further scopes that it needs. */
  readonly also?: readonly AdminScope[];
  /** True where it changes something. */
  readonly changes: boolean;
  /** True where it waits for others: it runs in no transaction, and makes its changes in one of its own. */
  readonly isSlow?: true;
  /** True where it is no matter of one project: keys that are bound to one cannot do it. */
  readonly isInstallationWide?: true;
}

/** All operations by their RPCs: a new RPC does not compile until it has its row here. */
export const OPERATIONS = {
  listProjects: { name: "projects.list", scope: "projects:read", changes: false },
  getProject: { name: "projects.get", scope: "projects:read", changes: false },
  createProject: { name: "projects.create", scope: "projects:write", changes: true, isInstallationWide: true },
  updateProject: { name: "projects.update", scope: "projects:write", changes: true },
  deleteProject: { name: "projects.delete", scope: "projects:write", changes: true },
  restoreProject: { name: "projects.restore", scope: "projects:write", changes: true },
  listProjectDeletions: { name: "projects.list-deletions", scope: "projects:read", changes: false },
  listKeys: { name: "keys.list", scope: "keys:read", changes: false },
  getKey: { name: "keys.get", scope: "keys:read", changes: false },
  createKey: { name: "keys.create", scope: "keys:write", changes: true },
  updateKey: { name: "keys.update", scope: "keys:write", changes: true },
  rotateKey: { name: "keys.rotate", scope: "keys:write", changes: true },
  revokeKey: { name: "keys.revoke", scope: "keys:write", changes: true },
  listQuotas: { name: "quotas.list", scope: "quotas:read", changes: false },
  getQuota: { name: "quotas.get", scope: "quotas:read", changes: false },
  setQuota: { name: "quotas.set", scope: "quotas:write", changes: true },
  removeQuota: { name: "quotas.remove", scope: "quotas:write", changes: true },
  listEndUsers: { name: "end-users.list", scope: "end-users:read", changes: false },
  exportEndUser: { name: "end-users.export", scope: "end-users:write", changes: true, isSlow: true },
  deleteEndUser: { name: "end-users.delete", scope: "end-users:write", changes: true, isSlow: true },
  listEndUserDeletions: { name: "end-users.list-deletions", scope: "end-users:read", changes: false },
  getUsage: { name: "usage.get", scope: "usage:read", changes: false },
  listWorkloads: { name: "workloads.list", scope: "workloads:read", changes: false },
  getWorkload: { name: "workloads.get", scope: "workloads:read", changes: false },
  listWorkloadHistory: { name: "workloads.list-history", scope: "workloads:read", changes: false },
  updateControls: { name: "workloads.update-controls", scope: "workloads:write", changes: true },
  resetWorkload: { name: "workloads.reset", scope: "workloads:write", changes: true },
  rebuildWorkloads: { name: "workloads.rebuild", scope: "workloads:write", changes: true },
  getRebuild: { name: "workloads.get-rebuild", scope: "workloads:read", changes: false },
  cancelRebuild: { name: "workloads.cancel-rebuild", scope: "workloads:write", changes: true },
  getPair: { name: "workloads.get-pair", scope: "workloads:read", changes: false },
  judgePair: { name: "workloads.judge-pair", scope: "workloads:write", changes: true },
  removeFeedback: { name: "workloads.remove-feedback", scope: "workloads:write", changes: true, isSlow: true },
  listMembers: { name: "members.list", scope: "members:read", changes: false },
  setMemberRole: { name: "members.set-role", scope: "members:write", changes: true },
  removeMember: { name: "members.remove", scope: "members:write", changes: true },
  listUsers: { name: "members.list-users", scope: "members:read", changes: false, isInstallationWide: true },
  listInvitations: { name: "members.list-invitations", scope: "members:read", changes: false },
  createInvitation: { name: "members.invite", scope: "members:write", changes: true },
  revokeInvitation: { name: "members.revoke-invitation", scope: "members:write", changes: true },
  listAuditEntries: { name: "audit.list", scope: "audit:read", changes: false },
  listAlerts: { name: "alerts.list", scope: "alerts:read", changes: false },
  listAlertRules: { name: "alerts.list-rules", scope: "alerts:read", changes: false },
  setAlertRule: { name: "alerts.set-rule", scope: "alerts:write", changes: true },
  removeAlertRule: { name: "alerts.remove-rule", scope: "alerts:write", changes: true },
  listAlertDestinations: { name: "alerts.list-destinations", scope: "alerts:read", changes: false },
  createAlertDestination: {
    name: "alerts.create-destination",
    scope: "alerts:write",
    changes: true,
    isSlow: true,
  },
  removeAlertDestination: { name: "alerts.remove-destination", scope: "alerts:write", changes: true },
  testAlertDestination: { name: "alerts.test-destination", scope: "alerts:write", changes: true, isSlow: true },
  listAlertDeliveries: { name: "alerts.list-deliveries", scope: "alerts:read", changes: false },
  applyProjects: {
    name: "projects.apply",
    scope: "projects:write",
    changes: true,
    isInstallationWide: true,
    also: ["keys:write", "quotas:write", "members:write", "workloads:write"],
  },
  exportProjects: {
    name: "projects.export",
    scope: "projects:read",
    changes: false,
    also: ["keys:read", "quotas:read", "members:read", "workloads:read"],
  },
  listManagedItems: { name: "projects.list-managed", scope: "projects:read", changes: false },
} as const satisfies Readonly<Record<AdminMethod, Operation>>;

export const ADMIN_METHODS = Object.keys(OPERATIONS) as readonly AdminMethod[];
